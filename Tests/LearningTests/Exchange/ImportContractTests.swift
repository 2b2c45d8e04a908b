import ExamCore
import Foundation
import Papers
import SystemSupport
import Testing

@testable import Learning

/// Tests that each reader does with each feature what its contract declares, and refuses what no contract names.
@Suite struct ImportContractTests {
    private func read(_ text: String, _ format: PackFormat) -> QuestionFile {
        QuestionFile(Array(text.utf8), format, name: "x")
    }

    private func codes(_ text: String, _ format: PackFormat) -> [String] {
        let file = read(text, format)
        return (file.mistakes + file.unread.flatMap(\.mistakes)).map(\.code)
    }

    @Test func aQuizAppsFields() {
        func list(_ field: String) -> String {
            #"[{"question": "Who?", "options": ["I", "you"], "answerIndex": 1, \#(field)"explanation": "So."}]"#
        }
        let plain = read(list(""), .quiz).questions
        for feature in QuizAppReader.contract.harmless {
            #expect(read(list("\"\(feature.name)\": true, "), .quiz).questions == plain, "\(feature.name)")
        }
        for name in QuizAppReader.contract.refused.map(\.name) + ["colour"] {
            #expect(codes(list("\"\(name)\": \"a\", "), .quiz) == ["unknown-field"], "\(name)")
        }
        for name in ["id", "topic", "difficulty"] {
            #expect(read(list("\"\(name)\": \"easy\", "), .quiz).questions != plain, "\(name)")
        }
    }

    @Test func aTablesColumns() {
        func table(_ column: String) -> String { "prompt,option_1,option_2,correct,\(column)\nWho?,I,you,2,7\n" }
        let plain = read("prompt,option_1,option_2,correct\nWho?,I,you,2\n", .csv).questions
        for feature in PackTable.contract.harmless {
            #expect(read(table(feature.name), .csv).questions == plain, "\(feature.name)")
        }
        for feature in PackTable.contract.refused {
            let file = read(table(feature.name), .csv)
            #expect(file.mistakes.map(\.what) == [feature.reason], "\(feature.name)")
        }
        #expect(codes(table("colour"), .csv) == ["unknown-column"])
        #expect(Set(PackTable.contract.understood) == Set(PackTable.columns))
        #expect(PackTable.headings.values.allSatisfy(PackTable.columns.contains))
    }

    /// A sample of each feature of GIFT that is not understood.
    private static let gift: [String: String] = [
        "essay": "Who?{}", "description": "This is a text.", "several options with =": "Who?{=I =you ~they}",
        "different points": "Who?{~%60%I ~%40%you ~they}", "partial points": "Who?{=I ~%50%you}",
        "several right numbers": "How many?{#=1 =2}", "* for any word": "Who?{=I*}",
        "other HTML tags": "[html]<img src=\"a\">Who?{=I ~you}",
    ]
    private static let ignored: [String: String] = [
        "other tags": "// [tag:unit-7b] [tag:colour-red]\nWho?{=I#So. ~you}",
        "other comments": "// Hello.\nWho?{=I#So. ~you}",
        "feedback on wrong answers": "Who?{=I#So. ~you#No.}", "answers for 0 %": "Who?{=I#So. ~%0%you}",
    ]

    @Test func featuresOfGIFT() throws {
        for feature in GIFTReader.contract.refused {
            let sample = try #require(Self.gift[feature.name], "\(feature.name)")
            let file = read(sample, .gift)
            #expect(
                file.questions.isEmpty && file.unread.map { $0.mistakes.map(\.code) } == [["not-read"]],
                "\(feature.name)")
        }
        let plain = read("Who?{=I#So. ~you}", .gift).questions.map { $0.question(.init(topic: "t", difficulty: .easy)) }
        for feature in GIFTReader.contract.harmless {
            let sample = try #require(Self.ignored[feature.name], "\(feature.name)")
            let questions = read(sample, .gift).questions.map { $0.question(.init(topic: "t", difficulty: .easy)) }
            #expect(questions == plain, "\(feature.name)")
        }
    }

    @Test func linesOfAiken() {
        let plain = "Who?\nA. I\nB) you\nANSWER: B\n"
        #expect(
            read(plain, .aiken).questions.map(\.key) == [.multipleChoice(.init(options: ["I", "you"], correct: 1))])
        #expect(
            read(plain.replacing("A. I", with: "\nA. I\n"), .aiken).questions.map(\.key)
                == read(plain, .aiken).questions.map(\.key))
        #expect(codes(plain.replacing("ANSWER: B", with: "ANSWER: A, B"), .aiken) == ["key"])
        #expect(codes(plain.replacing("B) you", with: "you"), .aiken).contains("marks"))
    }

    /// A pack has no fields that are not its own, and loses none.
    @Test func fieldsOfAPack() throws {
        let all = SampleQuestions.honey.with {
            ($0.writtenBy, $0.item, $0.speech) = ("llama", "honey", "It went down well.")
        }
        let bytes = JSONFile.encode(QuestionPack(id: "p", title: "P", questions: [all]))
        #expect(read(String(decoding: bytes, as: UTF8.self), .json).questions.map { $0.question() } == [all])
        let odd = String(decoding: bytes, as: UTF8.self).replacing("\"topic\"", with: "\"colour\": 1, \"topic\"")
        #expect(codes(odd, .json) == ["json"])
    }

    /// The documentation shows what the readers declare.
    @Test func theDocumentationShowsTheContracts() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/practice.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let contracts = PackFormat.allCases.map { ($0.rawValue, $0.contract) } + [("html", HTMLContract.contract)]
        for (name, contract) in contracts {
            guard let contract else { continue }
            let section =
                (["### \(name)", ""] + contract.lines.map { "- \($0)" }).joined(separator: "\n") + "\n"
            #expect(text.contains(section), "docs/practice.md should have\n\(section)")
        }
    }
}
