import ExamCore
import ExamKit
import Foundation
import Synchronization
import SystemSupport
import Testing
import UploadQueue

@testable import Backends

/// Questions of a backend: fetched once, checked for changes, used offline, and refused before an exam if they are
/// invalid.
@Suite struct TemplateLibraryTests {
    /// A backend with one template and a network that can be cut.
    private final class Source: TemplateSource {
        struct State {
            var title = "Neighbourhoods"
            var questions: [TemplateQuestion] = []
            /// The recordings by name. The etag is the text itself.
            var recordings: [String: String] = [:]
            var failure: DeliveryFailure?
            var fetched: [String] = []
        }

        let state = Mutex(State())
        static let template = UUID(uuidString: "550E8400-E29B-41D4-A716-446655440000")!

        init() {
            state.withLock { state in
                for part in 1...3 {
                    for order in 1...2 {
                        let name = "q\(part)\(order).wav"
                        state.questions.append(Self.question(part, order, recording: name))
                        state.recordings[name] = "sound \(part) \(order)"
                    }
                }
            }
        }

        static func question(_ part: Int, _ order: Int, recording: String?) -> TemplateQuestion {
            TemplateQuestion(
                id: UUID(uuidString: "00000000-0000-4000-8000-0000000\(part)000\(order)")!, part: part, order: order,
                text: "Question \(order) of part \(part)?",
                recording: recording.map { RecordingAddress(name: $0, url: "https://a.org/" + $0) })
        }

        func templates() async throws(DeliveryFailure) -> [ExamTemplate] {
            try check()
            return [ExamTemplate(id: Self.template, title: state.withLock { $0.title }, difficulty: "Medium")]
        }

        func exam(_ template: UUID) async throws(DeliveryFailure) -> OfferedExam {
            try check()
            return .questions(state.withLock { $0.questions })
        }

        func recording(
            _ address: RecordingAddress, of template: UUID, otherThan etag: String?
        ) async throws(DeliveryFailure) -> FetchedRecording {
            try check()
            return try state.withLock { (state) throws(DeliveryFailure) in
                guard let text = state.recordings[address.name] else {
                    throw DeliveryFailure(.refused, code: "404/NoSuchKey", message: "Object not found")
                }
                if text == etag { return .unchanged }
                state.fetched.append(address.name)
                return .bytes(Array(text.utf8), mediaType: "audio/wav", etag: text)
            }
        }

        private func check() throws(DeliveryFailure) {
            if let failure = state.withLock({ $0.failure }) { throw failure }
        }
    }

    private let source = Source()
    private let sample: SampleSession
    private var library: TemplateLibrary {
        TemplateLibrary(source, place: "https://a.org", folder: sample.folder + "/templates")
    }

    init() throws { sample = try SampleSession(seed: 19) }

    @Test func questionsBecomeAPaperWithTheirOwnIds() async throws {
        let exam = try await library.exam("neighbourhoods")
        #expect(exam.paper.id == Source.template.uuidString.lowercased() && exam.format == nil && exam.offline == nil)
        let format = try ExamFormat.givenQuestions(for: exam.paper)
        let script = try #require(ExamScript.assemble(format, exam.paper).script)
        let asked = script.turns.filter { $0.answer != nil }
        #expect(asked.map(\.id) == source.state.withLock { $0.questions.map { $0.id.uuidString.lowercased() } })
        // Only the card has time for preparation, not the questions after it.
        #expect(asked.map { $0.preparation != nil } == [false, false, true, false, false, false])
        for (turn, question) in zip(asked, source.state.withLock { $0.questions }) {
            let audio = try #require(turn.prompt.last?.audio)
            let bytes = try Data(contentsOf: URL(filePath: "\(exam.folder)/\(audio)"))
            #expect(String(decoding: bytes, as: UTF8.self) == "sound \(question.part) \(question.order)")
        }
    }

    @Test func onlyChangedRecordingsAreFetchedAgain() async throws {
        let reports = Mutex<[TemplateLibrary.Progress]>([])
        _ = try await library.exam("Neighbourhoods") { progress in reports.withLock { $0.append(progress) } }
        #expect(
            reports.withLock { $0.map(\.recordings) } == Array(0...6) && source.state.withLock { $0.fetched.count } == 6
        )
        _ = try await library.exam("Neighbourhoods")
        #expect(source.state.withLock { $0.fetched.count } == 6)
        source.state.withLock { $0.recordings["q12.wav"] = "another voice" }
        let exam = try await library.exam("Neighbourhoods")
        #expect(source.state.withLock { $0.fetched.count } == 7)
        let audio = try #require(exam.paper.sections["part-1"]?[0].questions[1].audio)
        #expect(FileManager.default.contents(atPath: "\(exam.folder)/\(audio)") == Data("another voice".utf8))
        var status = stat()
        #expect(stat("\(exam.folder)/\(audio)", &status) == 0 && status.st_mode & 0o077 == 0)
    }

    @Test func storedTemplatesAreUsedOfflineWithANote() async throws {
        source.state.withLock { $0.failure = DeliveryFailure(.unreachable, message: "no such host") }
        let never = await #expect(throws: Problem.self) { try await library.exam("Neighbourhoods") }
        #expect(never?.kind == .unavailable && never?.sentence == "https://a.org: no such host")
        source.state.withLock { $0.failure = nil }
        _ = try await library.exam("Neighbourhoods")
        for kind in [DeliveryFailure.Kind.unreachable, .timedOut, .transient] {
            source.state.withLock { $0.failure = DeliveryFailure(kind, message: "away") }
            let exam = try await library.exam("Neigh")
            #expect(exam.offline?.contains("away") == true && exam.paper.sections.count == 4)
            #expect(try await library.templates().offline != nil)
        }
        // The user has to know that they aren't signed in, because that doesn't pass by itself.
        source.state.withLock { $0.failure = DeliveryFailure(.signInNeeded) }
        let denied = await #expect(throws: Problem.self) { try await library.exam("Neighbourhoods") }
        #expect(denied?.kind == .denied)
    }

    @Test func aTemplateThatMakesNoExamIsRefusedBeforeIt() async throws {
        let twice = Source.question(1, 2, recording: nil)
        source.state.withLock { state in
            state.questions.append(twice)
            state.questions.append(Source.question(1, 1, recording: nil))
            state.questions[state.questions.count - 1].id = UUID()
            state.questions.append(Source.question(5, 1, recording: nil))
        }
        let problem = await #expect(throws: Problem.self) { try await library.exam("Neighbourhoods") }
        #expect(problem?.kind == .malformed)
        for words in ["occurs 2 times", "part 1: 2 questions have the place 1", "is in part 5; there are parts 1 to 3"]
        {
            #expect(problem?.sentence.contains(words) == true, "\(problem?.sentence ?? "")")
        }
    }

    @Test func missingAndBrokenRecordingsAreFoundBeforeTheExam() async throws {
        source.state.withLock { $0.recordings["q21.wav"] = nil }
        let gone = await #expect(throws: Problem.self) { try await library.exam("Neighbourhoods") }
        #expect(gone?.sentence == "https://a.org: Object not found")
        source.state.withLock { $0.recordings["q21.wav"] = "sound" }
        let exam = try await library.exam("Neighbourhoods")
        let format = try ExamFormat.givenQuestions(for: exam.paper)
        let broken = await #expect(throws: Problem.self) {
            try await PreparedExam(format, exam.paper, folders: [exam.folder])
        }
        // None of them is sound, and each is named.
        #expect(broken?.kind == .malformed && broken?.sentence.split(separator: "\n").count == 6)
    }

    @Test func questionsWithoutARecordingAreSpokenHereAndThatIsAWarning() async throws {
        source.state.withLock { state in
            for index in state.questions.indices { state.questions[index].recording = nil }
        }
        let exam = try await library.exam("Neighbourhoods")
        #expect(
            exam.warnings == [
                "template \"Neighbourhoods\": 6 of 6 questions have no recording: this machine's voice asks them"
            ])
    }

    @Test func anUnknownOrAmbiguousNameIsReported() throws {
        let templates = ["Homes", "Homes and towns", "homes and rivers", "Twins", "twins"].map {
            ExamTemplate(id: UUID(), title: $0)
        }
        func find(_ name: String) throws(Problem) -> String {
            try TemplateLibrary.find(name, among: templates, at: "https://a.org").title
        }
        #expect(try find("HOMES") == "Homes" && find("homes and t") == "Homes and towns")
        #expect(try find(templates[2].id.uuidString) == "homes and rivers")
        for (name, words) in [("homes a", "several"), ("TWINS", "several"), ("rivers", "offers \"Homes\"")] {
            let problem = #expect(throws: Problem.self) { try find(name) }
            #expect(problem?.kind == .missing && problem?.sentence.contains(words) == true)
        }
    }

    @Test func aCueCardIsReadFromOneField() {
        let text = """
            Describe a market you like to visit.
            You should say:
            - where it is
            • what you can buy there
              how often you go
            and explain why you like it.
            """
        #expect(
            Paper.Card(lines: text)
                == Paper.Card(
                    topic: "Describe a market you like to visit.",
                    points: ["where it is", "what you can buy there", "how often you go"],
                    explain: "and explain why you like it."))
        for text in ["Describe a market.", "You should say:\na\nand b", "A\nYou should say:\na\nb", ""] {
            #expect(Paper.Card(lines: text) == nil, "\(text)")
        }
    }
}
