import Assessment
import Foundation
import LoopbackServers
import TestSupport
import Testing
import TextModels

@testable import Assessors

/// llama.cpp's own server with a model of random weights. All its answers are wrong, and none may break a rule.
@Suite(.needs(Trials.obstacle(to: "xllamacpp", "gguf"))) struct RandomModelTests {
    private static let words = "I go there every day and he don't like it. It is good for to relax."

    /// Whether the server keeps the requested form, and whether its answers end.
    private enum Form: String { case kept, endless, ignored }

    private struct Assessed {
        var finding: AssessorFinding
        /// The letters and digits of the alleged mistakes, accepted or not.
        var quotes: Set<String>
    }

    private static func assess(seed: Int, _ form: Form = .kept, runs: Int = 3) async throws -> Assessed {
        let sample = try SampleAnswer(words: words)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "random-model.py").path
        let server = try TrialServer("dice") {
            ["\(packageFolder)/\(Trials.folder)/bin/python", script, $0, "\(seed)", form.rawValue, words]
        }
        defer { withExtendedLifetime(server) {} }
        let model = OpenAIChat(
            model: "dice", address: server.word.dropFirst("ready ".count) + "/v1", key: nil, caller: .hasty())
        let judge = LanguageModelJudge(id: "dice", model: model, runs: runs, widest: 1, recipient: nil)
        let finding = try await judge.assess(sample.answer, try await sample.calls(judge))
        let kept = try String(contentsOfFile: sample.folder.path + "/session/calls.jsonl", encoding: .utf8)
        let answers = kept.split(separator: "\n").compactMap { line in
            try? JSONDecoder().decode(Line.self, from: Data(line.utf8)).answer
        }
        #expect(answers.count == runs, "all that it said is kept")
        let quotes = answers.flatMap { Judgement($0)?.mistakes ?? [] }.map { letters($0.quote) }
        return Assessed(finding: finding, quotes: Set(quotes))
    }

    private struct Line: Decodable { var answer: String? }

    private static func letters(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static func expectRulesKept(_ assessed: Assessed, _ seed: Int) throws {
        let finding = assessed.finding
        #expect(finding.evidence.map(\.trait) == [.grammar, .vocabulary, .topicRelevance], "seed \(seed)")
        for one in finding.evidence {
            switch one.outcome {
            case .mark(let mark): #expect((0...9).contains(mark), "seed \(seed)")
            case .missing(let reason): #expect(!reason.isEmpty, "seed \(seed)")
            }
            #expect(try #require(one.runs).allSatisfy { $0.mark.map((0...9).contains) ?? true }, "seed \(seed)")
        }
        let scalars = Array(words.unicodeScalars)
        for mistake in finding.mistakes ?? [] {
            let (start, end) = (try #require(mistake.start), try #require(mistake.end))
            var original = String.UnicodeScalarView()
            original.append(contentsOf: scalars[start..<end])
            #expect(mistake.original == String(original) && mistake.correction != mistake.original, "seed \(seed)")
            #expect(assessed.quotes.contains(letters(mistake.original)), "seed \(seed): the model did not quote it")
        }
        #expect(finding.strengths.count <= 3 && finding.improvements.count <= 3, "seed \(seed)")
    }

    @Test func randomAnswersBreakNoRule() async throws {
        var dropped: [AssessorFinding.Dropped: Int] = [:]
        var isRead = false
        for seed in [6, 15, 25, 40] {
            let assessed = try await Self.assess(seed: seed)
            try Self.expectRulesKept(assessed, seed)
            dropped.merge(assessed.finding.dropped, uniquingKeysWith: +)
            isRead = isRead || assessed.finding.mistakes != nil
        }
        // The answers were read, and the quotes were not accepted.
        #expect(isRead && dropped[.quote, default: 0] > 0, "\(dropped)")
    }

    /// An endless answer is cut off, and a server that doesn't know forms doesn't answer in JSON.
    @Test(arguments: ["endless", "ignored"])
    func uselessAnswersLeaveANamedGap(_ form: String) async throws {
        let assessed = try await Self.assess(seed: 1, try #require(Form(rawValue: form)), runs: 1)
        try Self.expectRulesKept(assessed, 1)
        #expect(assessed.finding.dropped == [.run: 1] && assessed.finding.mistakes == nil)
        #expect(assessed.finding.evidence.allSatisfy { $0.outcome == .missing(because: "no run gave a mark") })
    }
}
