import AudioFiles
import ExamCore
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import ExamKit

/// Mistakes in `scenario.json`. Each is found before the exam, with the file and the field.
@Suite struct ScenarioFileTests {
    @Test func aGoodScenarioIsRead() throws {
        let folder = try ScenarioFolder()
        let scenario = try folder.scenario(
            room: "{ \"tone\": -70, \"background\": \"yes.wav\", \"backgroundGain\": -6, \"leak\": -30 }",
            turns: """
                { "building-1": { "prompt": [{ "do": "pause" }], "preparation": [{ "do": "skip" }],
                    "answer": [{ "wait": 0.5 }, { "say": "yes.wav", "gain": 3 }, { "listen": true }] } }
                """
        )
        let turn = try #require(scenario.candidate.turns["building-1"])
        #expect(turn.prompt == [.act(.asked(.pause))])
        #expect(turn.preparation == [.act(.asked(.skip))])
        #expect(turn.answer == [.wait(.milliseconds(500)), .say("\(folder.path)/yes.wav", gain: 3), .listen])
        #expect(scenario.candidate.otherwise == Candidate.Turn())
        #expect(scenario.surroundings.background == "\(folder.path)/yes.wav")
        #expect(scenario.surroundings.backgroundGain == -6)
        #expect(scenario.surroundings.tone == -70)
        #expect(scenario.surroundings.leak == -30)
        #expect(scenario.options.part == 3)
        #expect(scenario.name == folder.path.split(separator: "/").last.map(String.init))
    }

    @Test(
        arguments: [
            ("repeat", .asked(.repeat)), ("skip", .asked(.skip)), ("finish", .asked(.finish)),
            ("pause", .asked(.pause)),
            ("continue", .asked(.continue)), ("withdraw", .asked(.withdraw)),
            ("lose-device", .deviceLost(.microphoneGone)),
            ("regain-device", .deviceBack),
        ] as [(String, Exam.Event)])
    func everyDeedIsAnEvent(_ name: String, _ event: Exam.Event) throws {
        let scenario = try ScenarioFolder().scenario(otherwise: "{ \"answer\": [{ \"do\": \"\(name)\" }] }")
        #expect(scenario.candidate.otherwise?.answer == [.act(event)])
    }

    @Test(arguments: [
        "{ \"say\": \"yes.wav\", \"wait\": 1 }", "{ \"wait\": 1, \"listen\": true }",
        "{ \"listen\": true, \"do\": \"repeat\" }", "{}", "{ \"listen\": false }", "{ \"wait\": 1, \"gain\": 3 }",
    ])
    func aStepIsExactlyOneThing(_ step: String) throws {
        let folder = try ScenarioFolder()
        let rule = "a step is one of say (with gain if needed), wait, listen and do"
        #expect(throws: Problem(.malformed, "\(folder.file): turns.building-2.answer[1]: \(rule)")) {
            try folder.scenario(turns: "{ \"building-2\": { \"answer\": [{ \"wait\": 1 }, \(step)] } }")
        }
        #expect(throws: Problem(.malformed, "\(folder.file): otherwise.prompt[0]: \(rule)")) {
            try folder.scenario(otherwise: "{ \"prompt\": [\(step)] }")
        }
    }

    @Test func aTurnThatTheExamDoesNotHaveIsNamed() throws {
        let folder = try ScenarioFolder()
        #expect(throws: Problem(.malformed, "\(folder.file): turns.building-9: the exam has no such turn")) {
            try folder.scenario(turns: "{ \"building-1\": {}, \"building-9\": {} }")
        }
    }

    @Test func everyAnswerIsAccountedFor() throws {
        let folder = try ScenarioFolder()
        let sentence = "turns.building-2: is missing; say what the candidate does, or add otherwise"
        #expect(throws: Problem(.malformed, "\(folder.file): \(sentence)")) {
            try folder.scenario(turns: "{ \"building-1\": {} }", otherwise: nil)
        }
    }

    @Test(arguments: [
        ("no.wav", Problem.Kind.missing, "no such file or directory"),
        ("words.wav", .malformed, "is not a sound file that can be read"),
        ("empty.wav", .malformed, "is empty (0 bytes)"),
        (".", .malformed, "is not a file"),
    ])
    func aRecordingThatCannotBePlayedIsNamed(_ name: String, _ kind: Problem.Kind, _ reason: String) throws {
        let folder = try ScenarioFolder()
        try "Some words.".write(toFile: folder.path + "/words.wav", atomically: true, encoding: .utf8)
        try "".write(toFile: folder.path + "/empty.wav", atomically: true, encoding: .utf8)
        for field in ["prompt", "preparation", "answer"] {
            let problem = #expect(throws: Problem.self) {
                try folder.scenario(otherwise: "{ \"\(field)\": [{ \"say\": \"\(name)\" }] }")
            }
            #expect(problem?.kind == kind)
            #expect(problem?.sentence.hasPrefix("\(folder.file): \(folder.path)/\(name): \(reason)") == true)
        }
        let problem = #expect(throws: Problem.self) { try folder.scenario(room: "{ \"background\": \"\(name)\" }") }
        #expect(problem?.kind == kind, "the background recording is checked, too")
    }

    /// The candidate says all that is there, and the replay reports the missing part.
    @Test func aTruncatedRecordingIsPlayedWithAWarning() throws {
        let folder = try ScenarioFolder()
        let path = folder.path + "/cut.wav"
        let writer = try SoundFileWriter(path: path, encoding: .wav)
        try writer.write([Float](repeating: 0.1, count: 32_000)[...])
        try writer.close(durably: false)
        #expect(try folder.scenario(otherwise: "{ \"answer\": [{ \"say\": \"cut.wav\" }] }").recordingWarnings == [])
        try #require(truncate(path, 44 + 2 * 24_000) == 0)
        #expect(
            try folder.scenario(otherwise: "{ \"answer\": [{ \"say\": \"cut.wav\" }] }").recordingWarnings
                == ["\(path): ends 0.5 s before its header says"])
    }

    @Test func anUnknownDeedIsNamedWithItsField() throws {
        let folder = try ScenarioFolder()
        let problem = #expect(throws: Problem.self) {
            try folder.scenario(otherwise: "{ \"answer\": [{ \"do\": \"sneeze\" }] }")
        }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence.hasPrefix("\(folder.file): otherwise.answer[0].do: ") == true)
        #expect(problem?.sentence.contains("sneeze") == true)
        #expect(problem?.sentence.contains("Deed") == false)
        #expect(problem?.sentence.contains("lose-device") == true, "the message lists the known words")
    }

    @Test func anUnknownFormatOrPaperIsNamedWithTheKnownOnes() throws {
        let folder = try ScenarioFolder()
        let format = #expect(throws: Problem.self) { try folder.scenario(format: "gmat") }
        #expect(format?.kind == .missing)
        #expect(format?.sentence.contains("format \"gmat\": does not exist; use ielts-style") == true)
        let paper = #expect(throws: Problem.self) { try folder.scenario(paper: "bridge") }
        #expect(paper?.kind == .missing)
        #expect(paper?.sentence.contains("paper \"bridge\": does not exist; use bridges") == true)
        #expect(throws: Problem(.missing, "\(folder.path)/own.json: no such file or directory")) {
            try folder.scenario(format: "own.json")
        }
    }

    @Test func aNumberInTheRoomShouldBeANumber() throws {
        let folder = try ScenarioFolder()
        let problem = #expect(throws: Problem.self) { try folder.scenario(room: "{ \"tone\": \"loud\" }") }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence == "\(folder.file): room.tone: should be a number")
    }

    @Test func anOptionOutOfRangeIsNamedWithTheFile() throws {
        let folder = try ScenarioFolder()
        let problem = #expect(throws: Problem.self) { try folder.scenario(part: 4) }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence.contains("has no part 4") == true)
        #expect(problem?.sentence.hasPrefix(folder.file) == true)
    }

    @Test func aFolderWithoutAScenarioIsReported() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Problem(.missing, "\(folder.path)/scenario.json: no such file or directory")) {
            try Scenario(folder: folder.path + "/")
        }
    }
}

/// A temporary folder with one recording, `yes.wav`, for a scenario of the discussion.
private struct ScenarioFolder {
    private let folder: TemporaryFolder
    var path: String { folder.path }
    var file: String { path + "/scenario.json" }

    init() throws {
        folder = try TemporaryFolder()
        try Fixtures.write(Array(repeating: 0.1, count: 3_200), to: path + "/yes.wav")
    }

    func scenario(
        format: String = "ielts-style",
        paper: String = "bridges",
        part: Int = 3,
        room: String = "{}",
        turns: String = "{}",
        otherwise: String? = "{}"
    ) throws -> Scenario {
        let rest = otherwise.map { ", \"otherwise\": \($0)" } ?? ""
        let text = """
            { "version": 1, "about": "A test.", "format": "\(format)", "paper": "\(paper)", "part": \(part),
              "room": \(room), "turns": \(turns)\(rest) }
            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try Scenario(folder: path)
    }
}
