import ExamCore
import Papers
import SystemSupport
import TestSupport
import Testing

@testable import Learning

/// Tests of the built-in questions, and of reading packs.
@Suite struct PackTests {
    @Test func builtInPacksAreReadStrictlyAndHaveNoFlaw() throws {
        for pack in QuestionPack.builtIn {
            #expect(try QuestionPack.read(from: JSONFile.encode(pack), name: pack.id) == pack)
            for (id, finding) in pack.findings { Issue.record("\(pack.id) \(id): \(finding.sentence)") }
        }
        #expect(
            try QuestionPack.read(from: PackageResources.spoken_english_json, name: "spoken-english").questions
                == SampleQuestions.bank)
    }

    @Test func thereAreEnoughOfEachTopicDifficultyAndLevel() {
        let bank = SampleQuestions.bank
        let topics = Dictionary(grouping: bank, by: \.topic)
        #expect(topics.count >= 12 && topics.values.allSatisfy { $0.count >= 51 })
        for difficulty in Paper.Difficulty.allCases {
            let having = topics.values.count { questions in questions.count { $0.difficulty == difficulty } >= 16 }
            #expect(having == topics.count)
        }
        for bloom in Bloom.allCases { #expect(bank.count { $0.bloom == bloom } >= 60, "\(bloom)") }
        #expect(bank.count { !$0.isFiveChoice } == 0)
    }

    /// In the order of any seed the key is in each place equally often, and ordering the questions again changes
    /// nothing.
    @Test func keysAreSpread() {
        let bank = Thoroughness.some(of: SampleQuestions.bank, oneIn: 10)
        var places: [Set<Int>] = bank.map { _ in [] }
        for seed in (0..<100).map({ UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }) {
            let once = bank.inOrder(of: seed)
            #expect(once.inOrder(of: seed) == once && once.map(\.id) == bank.map(\.id))
            var counts = [0, 0, 0, 0, 0]
            for (number, (question, own)) in zip(once, bank).enumerated() {
                guard case .multipleChoice(let key) = question.key, case .multipleChoice(let old) = own.key else {
                    continue
                }
                #expect(key.options[key.correct] == old.options[old.correct] && Set(key.options) == Set(old.options))
                counts[key.correct] += 1
                places[number].insert(key.correct)
            }
            for count in counts { #expect(abs(Double(count) / Double(bank.count) - 0.2) < 0.02, "\(counts)") }
        }
        // There is no pattern to learn: each question has its key in every place for some seed.
        #expect(places.count { $0.count == 5 } == bank.count)
    }

    /// A drill asks one question at a time. A learner who always takes the first option is right as often as by chance.
    @Test func theKeysOfSingleQuestionsAreSpreadEvenly() {
        var counts = [0, 0, 0, 0, 0]
        for number in 1...20 {
            for question in SampleQuestions.bank.map({ $0.inOrder(of: UInt64(number)) }) {
                guard case .multipleChoice(let key) = question.key else { continue }
                counts[key.correct] += 1
                #expect(question.inOrder(of: UInt64(number)) == question)
            }
        }
        let all = Double(counts.reduce(0, +))
        // Three standard deviations for 1,000 or more draws are 0.04.
        for count in counts { #expect(all > 1_000 && abs(Double(count) / all - 0.2) < 0.04, "\(counts)") }
    }

    @Test func optionsThatReferToOtherOptionsKeepTheirPlace() {
        let question = SampleQuestions.honey.with(options: ["a", "b", "c", "d", "All of the above"], correct: 4)
        for seed in 0..<20 { #expect([question].inOrder(of: UInt64(seed)) == [question]) }
    }

    private func sentence(_ question: String) -> String {
        let text = "{\"version\": 1, \"id\": \"p\", \"title\": \"P\", \"questions\": [\(question)]}"
        do {
            _ = try QuestionPack.read(from: Array(text.utf8), name: "p.json")
            return ""
        } catch { return error.sentence }
    }

    @Test func unanswerableQuestionsAreRefusedWithTheirPlace() {
        let head =
            "\"id\": \"a\", \"topic\": \"t\", \"difficulty\": \"Easy\", \"prompt\": \"What?\", \"explanation\": \"So.\""
        let key = "\"multipleChoice\": {\"options\": [\"x\", \"y\"], \"correct\": 1}"
        #expect(sentence("{\(head), \(key)}") == "")
        #expect(
            sentence("{\(head), \(key)}, {\(head), \(key)}").contains("questions[1].id: \"a\" is already the id"))
        #expect(
            sentence("{\(head), \(key.replacing("1}", with: "2}"))}").contains(
                "questions[0].multipleChoice.correct: should be 0 to 1, not 2"))
        #expect(
            sentence("{\(head)}").contains(
                "should have one of multipleChoice, multipleResponse, ordering, matching, fillInTheBlank, calculation or spoken, but has 0"
            ))
        #expect(sentence("{\(head), \(key), \"spoken\": {\"speech\": 3}}").contains("but has 2"))
        #expect(sentence("{\(head), \"spoken\": {\"speech\": 0}}").contains("spoken.speech: should be more than 0"))
        #expect(sentence("{\(head), \"fillInTheBlank\": {\"accepted\": []}}").contains("accepted: is empty"))
        #expect(sentence("{\(head), \(key), \"colour\": 1}").contains("colour"))
    }
}
