import ExamCore
import Foundation
import HTTPClient
import Learning
import StoreTrials
import Study
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Packs of questions in the operator's folder, with answers of several parts.
@Suite(.bothStores(quick: .postgres)) struct PacksOfTheServer {
    private static let kinds: [PracticeQuestion] = [
        ("plants", .multipleResponse(.init(options: ["flour", "salt", "sugar"], correct: [0, 2]))),
        ("steps", .ordering(.init(options: ["bake", "mix", "knead"], correct: [1, 2, 0]))),
        (
            "tools",
            .matching(.init(premises: ["cut", "stir"], options: ["a spoon", "a knife", "an oven"], correct: [1, 0]))
        ),
    ].map { id, key in
        PracticeQuestion(
            id: id, topic: "kitchen", difficulty: .easy, prompt: "What is right about \(id)?", key: key,
            explanation: "So it is done in most kitchens.")
    }

    private static let pack = QuestionPack(id: "kitchen", title: "In the kitchen", questions: kinds)

    private func folder(_ packs: [String: QuestionPack]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let place = "\(folder.path)/packs"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for (name, pack) in packs { try Data(JSONFile.encode(pack)).write(to: URL(filePath: "\(place)/\(name)")) }
        return folder
    }

    /// An answer that is right in one part only.
    private static func partly(_ question: PracticeQuestion) throws -> PracticeAnswer {
        switch question.key {
        case .multipleResponse(let key): .multipleResponse(selectedOptions: [key.correct[0]])
        case .ordering(let key): .ordering(order: [key.correct[0], key.correct[2], key.correct[1]])
        case .matching(let key): .matching(matches: [key.correct[0], key.correct[0]])
        default: throw Problem(.malformed, "\(question.id)")
        }
    }

    @Test func allLearnersDrillThem() async throws {
        let folder = try folder(["kitchen.json": Self.pack])
        let server = try await RunningServer { $0.ownExams = folder.path }
        let learner = Learner(server: server)
        var drill = try await learner.begin(["packs": ["kitchen"], "count": 3])
        var verdicts: [String: String] = [:]
        while drill["phase"] as? String == "asking" {
            let told = try #require(drill["question"] as? [String: Any])
            let (id, number) = (try #require(told["id"] as? String), UInt64(try #require(drill["number"] as? Int)))
            let question = try #require(Self.kinds.first { $0.id == id }).inOrder(of: number)
            #expect(told["options"] as? [String] == question.asked.options)
            #expect(told["premises"] as? [String] ?? [] == question.asked.premises)
            #expect(told["packTitle"] as? String == "In the kitchen")
            let isLast = verdicts.count == 2
            let answer = isLast ? question.solution : try Self.partly(question)
            let other = try await learner.answer(drill, ["type": "multipleChoice", "selectedOption": 0])
            #expect(other.status == 422, "\(other.text)")
            let answered = try await learner.answer(drill, Learner.wire(answer))
            try #require(answered.status == 200, "\(id): \(answered.text)")
            verdicts[id] = answered.object["verdict"] as? String
            let right = try #require(answered.object["rightAnswer"] as? [String: Any])
            #expect(NSDictionary(dictionary: right) == NSDictionary(dictionary: try Learner.wire(question.solution)))
            drill = try #require(answered.object["drill"] as? [String: Any])
        }
        #expect(verdicts.values.sorted() == ["partly", "partly", "right"], "\(verdicts)")
        await server.stop()
    }

    @Test func anInvalidPackStopsTheStartWithItsFile() async throws {
        var broken = Self.pack
        broken.questions[1].key = .ordering(.init(options: ["bake", "mix"], correct: [0, 0]))
        let cases: [([String: QuestionPack], String)] = [
            (["a.json": broken], "packs/a.json: questions[1].ordering.correct"),
            (["a.json": Self.pack, "b.json": Self.pack], "packs/b.json: id: there is another pack called \"kitchen\""),
            (
                ["a.json": QuestionPack(id: "spoken-english", title: "S", questions: Self.kinds)],
                "packs/a.json: id: there is another pack called \"spoken-english\""
            ),
            (["a.json": QuestionPack(id: "mended", title: "M", questions: [])], "packs/a.json: id: there is another"),
        ]
        for (packs, words) in cases {
            let folder = try folder(packs)
            let problem = #expect(throws: Problem.self) { try ServerPacks.content(in: folder.path) }
            #expect(problem?.sentence.contains(words) == true, "\(problem?.sentence ?? "")")
        }
        #expect(try ServerPacks.content(in: nil).packs.count == QuestionPack.builtIn.count)
    }
}
