import AudioFiles
import Foundation
import NIOCore
import Testing

@testable import ExamCore
@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import SessionFolders

/// PROTOCOL.md names every value that is sent over the line, and no others.
@Suite struct ProtocolTables {
    private let page: ProtocolPage

    init() throws { page = try ProtocolPage() }

    @Test func everyValueOfEveryEnumerationHasItsRow() {
        let enumerations: [(String, [String])] = [
            ("`stage`", ExamView.Stage.allCases.map(\.rawValue)),
            ("`activity`", ExamView.Activity.allCases.map(\.rawValue)),
            ("`trouble`", Exam.Trouble.allCases.filter(Self.reachesClients).map(\.rawValue)),
            ("`outcome`", Exam.Outcome.allCases.map(\.rawValue)),
            ("`end`", Self.ends.map(\.text)),
            ("`status`", SessionStatus.allCases.map(\.rawValue)),
            ("`mode`", ExamOptions.Mode.allCases.map(\.rawValue)),
            ("`sound`", SoundMessage.Form.allCases.map(\.rawValue)),
            ("`ask`", Wish.allCases.map(\.rawValue)),
        ]
        for (heading, values) in enumerations {
            let rows = page.names(headed: heading)
            #expect(rows.count == Set(rows).count, "\(heading) has a row twice")
            #expect(Set(rows) == Set(values), "\(heading)")
            #expect(page.rows(headed: heading).allSatisfy { row in row.count > 1 && row.allSatisfy { !$0.isEmpty } })
        }
    }

    /// Returns whether clients see a trouble. Troubles of devices occur on the command line only, and those of a dead
    /// node are over before a client connects again.
    private static func reachesClients(_ trouble: Exam.Trouble) -> Bool {
        switch trouble {
        case .microphoneStalled, .microphoneGone, .soundLost, .roomClosed, .lineSlow: true
        case .noServer, .serverGone, .noMicrophone, .monitorIsDefault, .microphoneMoved, .microphoneSuspended,
            .microphoneMuted,
            .noLoudspeaker,
            .loudspeakerGone, .loudspeakerSuspended, .loudspeakerMuted, .loudspeakerStalled, .processEnded:
            false
        }
    }

    @Test func theTroublesOfTheRoomAreThoseThatReachClients() throws {
        let room = try Self.source("Live/BrowserRoom.swift")
        let named = room.matches(of: /(?:lose|deviceLost)\(\.([a-zA-Z]+)\)/).map { String($0.1) }
        // The session reports a closed room, and the exam a slow line.
        #expect(Set(named + ["roomClosed", "lineSlow"]) == Set(page.names(headed: "`trouble`")))
    }

    private static var ends: [AnswerEnd] {
        let plain: [AnswerEnd] = [.finished(nil), .noAnswer, .declared, .withdrawn, .startedAgain, .deviceLost]
        // A new kind of end doesn't compile here until the list above has it.
        for end in plain {
            switch end {
            case .finished, .noAnswer, .declared, .withdrawn, .startedAgain, .deviceLost, .timeUp: break
            }
        }
        return plain + AnswerEnd.TimeLimit.allCases.map { .timeUp($0) }
    }

    @Test func everyCloseAndEveryErrorHasItsRow() throws {
        let rows = page.rows(headed: "close")
        #expect(rows.compactMap { UInt16($0[0]) } == CloseReason.Code.allCases.map(\.rawValue).sorted())
        let written = Dictionary(uniqueKeysWithValues: rows.map { (UInt16($0[0])!, Set(ProtocolPage.names($0[1]))) })
        var said: [UInt16: Set<String>] = [:]
        for file in [
            "Wire/CloseReason", "Wire/ClientMessage", "Wire/SoundMessage", "Conversation", "ExamRegistry", "LiveExam",
        ] {
            let source = try Self.source("Live/\(file).swift")
            for match in source.matches(of: /CloseReason\(\s*code: \.([a-zA-Z]+), name: "([a-z-]+)"/) {
                let code = try #require(CloseReason.Code.allCases.first { "\($0)" == match.1 })
                said[code.rawValue, default: []].insert(String(match.2))
            }
            for match in source.matches(of: /malformed\(\s*"([a-z-]+)"/) {
                said[CloseReason.Code.malformed.rawValue, default: []].insert(String(match.1))
            }
        }
        #expect(said.values.reduce(0) { $0 + $1.count } > 12)
        for code in CloseReason.Code.allCases.map(\.rawValue) {
            #expect(written[code] == said[code] ?? [], "\(code)")
        }
    }

    private static func source(_ path: String) throws -> String {
        let folder = ProtocolPage.url.deletingLastPathComponent().appending(path: "Sources/ExamNode")
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    // MARK: - Limits

    @Test func theLimitsAreTheServers() {
        let (times, limits) = (LiveTimes(), ServerSettings.Limits())
        func seconds(_ duration: Duration) -> String {
            let seconds = duration.inSeconds
            return (seconds == seconds.rounded() ? Self.grouped(Int(seconds)) : "\(seconds)") + " s"
        }
        let known: [String: String] = [
            "a text message": Self.grouped(MessageAssembly.mostTextBytes) + " bytes",
            "a binary message, and each frame": Self.grouped(MessageAssembly.mostBytes) + " bytes",
            "blocks in a message": "\(SoundMessage.mostBlocks) blocks",
            "notes": Self.grouped(ClientMessage.longestNotes) + " characters",
            "messages other than sound; each fragment and each WebSocket ping counts":
                "\(Int(MessageRate.atOnce)) at once, and \(Int(MessageRate.perSecond)) more each second",
            "connections of a user, over all exams": "\(limits.liveConnections) connections",
            "from the WebSocket's opening to `hello`": seconds(Conversation.helloTime),
            "a client that sends nothing at all, until 4408": seconds(times.clientSilence),
            "messages waiting for a client that does not read, until 4408": Self.grouped(Conversation.mostWaiting)
                + " bytes",
            "a client that sends messages but no blocks, until the exam is suspended":
                seconds(times.longestSilence),
            "the client sends nothing, or no client is connected, until the exam is suspended": seconds(
                times.longestAbsence),
            "sound recorded but not heard yet, until the exam is suspended between two questions":
                seconds(AudioFormat.blockDuration * Int(ClientBlocks.slow)),
            "sound recorded but not heard yet, until that exam continues": seconds(
                AudioFormat.blockDuration * Int(ClientBlocks.caughtUp)),
            "from `play` to `began`, for a client with `shows`": seconds(BrowserRoom.startGrace),
            "sound ahead of real time, until the server reads more slowly": seconds(Pace.mostAhead),
            "delayed sound that may arrive at once": seconds(Pace.mostBehind),
            "no `played` after a prompt's length, until the exam continues": seconds(BrowserRoom.grace),
            "lost blocks in a row that count as silence; more end the answer": "\(BrowserRoom.mostLost) blocks",
            "an exam without a connection, until it is put on disk": seconds(times.lingering),
            "after the last words, until `over` is sent although answers are not stored yet": seconds(times.delivery),
            "a node that died, until another one takes its exams": seconds(times.lease),
            "from an exam's creation until it can no longer be continued": seconds(limits.patience),
        ]
        let rows = page.rows(headed: "what is limited").map { ($0[0], $0[1]) }
        #expect(Dictionary(rows) { first, _ in first } == known)
        #expect(page.text.contains("\"heartbeat\":\(Wire.heartbeat),"))
        #expect(page.text.contains("\(SoundMessage.blockBytes) bytes: 320 samples"))
        #expect(page.text.contains("whether the seconds left are \(Int(Exam.warningTime.inSeconds)) s or less"))
        #expect(Conversation.beat == .seconds(1))
        #expect(page.unwrapped.contains("The server sends something at least once a second."))
    }

    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
            place -= 3
        }
        return digits
    }

    // MARK: - Messages

    @Test func everyMessageUpIsThereAndCanBeRead() throws {
        var kinds: Set<String> = []
        for message in page.messages {
            guard let object = try? JSONValue(Array(message.utf8)), let type = object["type"]?.text,
                ClientMessage.Kind(rawValue: type) != nil
            else { continue }
            _ = try ClientMessage(message.utf8)
            kinds.insert(type)
        }
        #expect(kinds == Set(ClientMessage.Kind.allCases.map(\.rawValue)))
    }

    @Test func everyMessageDownHasTheFieldsThatAreWritten() throws {
        let answer = AnswerRecord(
            question: "q", part: 1, order: 2, attempt: 1, end: "finished", duration: Seconds(.seconds(1)),
            speech: Seconds(.seconds(1)))
        let state = LiveState(Self.fullView)
        let error = try #require(Wire.error(.elsewhere("https://b.example")))
        let said = [
            Wire.welcome(session: UUID(), mode: .test, events: 1, block: 1, state: state, notes: "n"),
            LiveEvent.play(LivePrompt(url: "u", seconds: 1, text: "t", ahead: ["u"])).text(number: 1),
            LiveEvent.stop(prompt: 1).text(number: 2), LiveEvent.stored(answer).text(number: 3),
            LiveEvent.over(.completed).text(number: 4), Wire.heard(before: 1), Wire.level(-1), Wire.pong(at: 1), error,
        ]
        var written: [String: Set<String>] = [:]
        for message in page.messages {
            let whole = message.replacing("{…}", with: "{}").replacing(",…}", with: "}")
            let object = try JSONValue(Array(whole.utf8))
            let type = try #require(object["type"]?.text)
            if ClientMessage.Kind(rawValue: type) == nil { written[type] = Set(object.fields.keys) }
        }
        // Its fields have a table.
        #expect(written.removeValue(forKey: "state") == ["type", "n"])
        var real: [String: Set<String>] = [:]
        for text in said {
            let object = try JSONValue(Array(text.utf8))
            real[try #require(object["type"]?.text)] = Set(object.fields.keys)
        }
        #expect(written == real)
    }

    @Test func everyFieldOfAStateIsExplained() throws {
        func fields(_ view: SessionView) throws -> Set<String> {
            let state = try JSONValue(Array(LiveEvent.state(LiveState(view)).text(number: 1).utf8))
            return Set(state.fields.keys).subtracting(["type", "n"])
        }
        #expect(try fields(Self.fullView) == Set(page.names(headed: "field of `state`")))
        let least = try fields(
            SessionView(at: .zero, exam: ExamView(stage: .completed, activity: .idle), storing: 0, problem: nil))
        let sentence = try #require(
            page.unwrapped.firstMatch(of: /Fields that do not apply are absent; (.*) are always there/))
        #expect(Set(ProtocolPage.names(String(sentence.1))) == least)
    }

    private static var fullView: SessionView {
        var view = ExamView(stage: .testing, activity: .suspended)
        (view.part, view.partTitle, view.turn, view.questionOrder, view.text) = (1, "t", 1, 1, "t")
        view.card = Paper.Card(topic: "t", points: ["p"], explain: "e")
        view.picture = Paper.Picture(description: "d", svg: "<svg></svg>")
        view.alternatives = [Paper.Alternative(title: "a"), Paper.Alternative(title: "b")]
        (view.chosen, view.isPractice, view.isIntroduction, view.notesOf) = (1, true, true, 1)
        view.together = [.init(text: "t", picture: view.picture)]
        view.recording = Exam.Take(turn: 1, attempt: 1)
        (view.recordingTime, view.preparationLeft, view.answerLeft) = (.zero, .zero, .zero)
        view.trouble = .soundLost
        view.allowedLater = [.finish: .zero]
        return SessionView(at: .zero, exam: view, storing: 1, problem: "p")
    }
}
