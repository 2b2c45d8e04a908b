import AudioFiles
import ExamCore
import ExamKit
import ExamStore
import Foundation
import LoopbackServers
import SessionFolders
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// The examiner's voice on a server: chosen by the request, by its format or by the operator, and the same until the
/// end.
@Suite(.bothStores) struct ExamVoicesTests {
    /// A voice that speaks the same sound for every text.
    private static func voice(_ name: String, in folder: String) throws -> (name: String, voice: ExaminerVoice) {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let sound = "\(folder)/\(name).wav"
        let samples = try Programs.samples(of: "AudioFixtures/answers/full-name.flac")
        try GrowingWAV(path: sound).append(samples)
        var voice = ExaminerVoice(command: ["/bin/sh", "-c", "cat > /dev/null; cat \(sound)"])
        (voice.name, voice.language) = ([name, "1"], "en")
        return (name, voice)
    }

    private static func shortExam() throws -> (format: ExamFormat, paper: Paper) {
        let folder = Programs.file("Page/exams")
        return (try ExamFormat(file: folder + "/formats/short.json"), try Paper(file: folder + "/papers/few.json"))
    }

    @Test func theRequestComesBeforeTheFormatAndTheFormatBeforeTheUsualOne() {
        var (one, two) = (ExaminerVoice(command: ["one"]), ExaminerVoice(command: ["two"]))
        (one.name, two.name) = (["one", "1"], ["two", "1"])
        let voices = ExaminerVoices(
            [("one", one), ("two", two)], usual: "one", formats: ["short": "two", "brief": "three"])
        #expect(voices.names == ["one", "two", "espeak-ng"])
        #expect(voices.voice(nil, for: "ielts-style")?.name == ["one", "1"])
        #expect(voices.voice(nil, for: "short")?.name == ["two", "1"])
        #expect(voices.voice(nil, for: "brief")?.name == ["one", "1"], "it is not installed")
        #expect(voices.voice("espeak-ng", for: "short")?.command == ExaminerVoice.espeak)
        #expect(voices.voice("three", for: "short") == nil)
        #expect(ExaminerVoices([("one", one)], usual: "two").names == ["espeak-ng", "one"])
        #expect(ExaminerVoices().usual.command == ExaminerVoice.espeak)
    }

    /// Another node, or this one after the voice was removed, plays the stored recordings. Without them, espeak-ng
    /// speaks.
    @Test func anExamKeepsTheVoiceWithWhichItBegan() async throws {
        let backend = try TestBackend()
        let (format, paper) = try Self.shortExam()
        let voices = ExaminerVoices([try Self.voice("one", in: backend.path)])
        let cache = backend.path + "/prompts"
        let first = try await PreparedExams(cache: cache, folders: [], voices: voices)
            .exam(format, paper, ExamOptions(mode: .test), voice: "one")
        #expect(first.voice.name == ["one", "1"])
        var record = SessionRecord(
            startedAt: "", consent: .init(words: "", givenAt: ""), folders: [], voice: first.voice)
        record.voice = ["/nowhere/voice"]  // A path of another machine.
        let (bytes, frozen) = (Array(try JSONEncoder().encode(record)), FrozenExam(first).bytes)
        let other = PreparedExams(cache: cache, folders: [], voices: ExaminerVoices())
        let second = try await other.exam(frozen: frozen, record: bytes)
        #expect(second.voice.name == ["one", "1"])
        #expect(Set(second.recordings.values.map(\.path)) == Set(first.recordings.values.map(\.path)))
        let clips = first.script.turns.first?.prompt ?? []
        #expect(!clips.isEmpty && !other.peaks(of: clips, record: bytes, language: nil, step: 0.05).isEmpty)
        let third = try await PreparedExams(cache: backend.path + "/empty", folders: [], voices: ExaminerVoices())
            .exam(frozen: frozen, record: bytes)
        #expect(third.voice.name == nil && third.voice.command == ExaminerVoice.espeak)
    }

    @Test func aVoiceThatFailsLeavesTheWholeExamToEspeak() async throws {
        let backend = try TestBackend()
        let (format, paper) = try Self.shortExam()
        var broken = ExaminerVoice(command: ["/bin/false"])
        broken.name = ["broken", "1"]
        let exams = PreparedExams(
            cache: backend.path + "/prompts", folders: [], voices: ExaminerVoices([("broken", broken)], usual: "broken")
        )
        let exam = try await exams.exam(format, paper, ExamOptions(mode: .test))
        #expect(exam.voice.command == ExaminerVoice.espeak && exam.voice.name == nil)
        #expect(exam.warnings.contains { $0.hasSuffix("another voice speaks instead") })
        #expect(try await exams.recording(of: "Hello.").hasPrefix(backend.path))
    }

    @Test func clientsChooseAmongInstalledVoices() async throws {
        let backend = try TestBackend()
        let voice = try Self.voice("one", in: backend.path + "/voices")
        let node = try await TestNode(backend) {
            $0.voices = ExaminerVoices([voice])
            $0.ownExams = Programs.file("Page/exams")
        }
        func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> (Int, [String: Any]) {
            var request = URLRequestText(method: method, path: path)
            if let body { request.body = body }
            let (status, data) = try await onThread { [request] in try request.send(to: node.port) }
            return (status, (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:])
        }
        #expect(try await ask("GET", "/v1/exams/choices").1["voices"] as? [String] == ["espeak-ng", "one"])
        let wish = #"{"consent":true,"format":"short","paper":"few","voice":"VOICE"}"#
        let (refused, why) = try await ask("POST", "/v1/exams", wish.replacing("VOICE", with: "two"))
        #expect(refused == 400 && why["detail"] as? String == "voice: must be espeak-ng or one.")
        let (status, made) = try await ask("POST", "/v1/exams", wish.replacing("VOICE", with: "one"))
        #expect(status == 201)
        let session = try #require((made["session"] as? String).flatMap(UUID.init))
        let bytes = try #require(try await node.store.service.files(of: session)["session.json"])
        let record = try JSONDecoder().decode(SessionRecord.self, from: Data(bytes))
        #expect(record.voiceName == ["one", "1"])
        try await node.stop()
    }
}
