import ExamCore
import Papers
import SystemSupport
import Testing
import XMLFiles

@testable import Learning

/// Tests that the reader of Moodle XML does with each element and attribute what its contract declares.
@Suite struct MoodleContractTests {
    private let whole: XMLNode

    init() throws { whole = try XMLReader.read(Array(MoodleSample.all.utf8)) }

    private func read(_ node: XMLNode) -> QuestionFile { QuestionFile(node, name: "x.xml") }

    /// Puts something unknown into each place of the sample, one after another. Each is refused with its name and line,
    /// and keeps out no other question.
    @Test func somethingUnknownIsRefusedInEveryPlace() {
        var count = 0
        for (node, with) in whole.changes() {
            var changed = node
            changed.content.append(.element(XMLNode("odd", line: node.line)))
            expectOneMistake(read(with(changed)), at: node, "<odd>, \"\", not-read")
            changed = node
            changed.attributes["odd"] = "1"
            expectOneMistake(read(with(changed)), at: node, "<\(node.name) odd>, \"1\", not-read")
            count += 2
        }
        #expect(count > 200)
    }

    /// Puts words between the elements of each element that has any.
    @Test func wordsOutsideOfTextsAreRefusedInEveryPlace() {
        for (node, with) in whole.changes() where !node.children.isEmpty {
            var changed = node
            changed.content.append(.text("Or not?"))
            expectOneMistake(read(with(changed)), at: node, "has text outside its")
        }
    }

    /// Doubles each element. Only those of which Moodle reads all may be there twice.
    @Test func elementsThatAreThereTwiceAreRefused() throws {
        let several: Set<String> = ["question", "answer", "hint", "tag", "unit", "subquestion"]
        for (node, with) in whole.changes() {
            for child in node.children where !several.contains(child.name) {
                var changed = node
                changed.content.append(.element(child))
                let file = read(with(changed))
                if MoodleContract.contract.ignores(child.name) {
                    #expect(file.told == [] && file.questions == read(whole).questions, "\(child.name)")
                } else {
                    expectOneMistake(file, at: child, "is there twice")
                }
            }
        }
    }

    private func expectOneMistake(_ file: QuestionFile, at node: XMLNode, _ what: String) {
        #expect(file.told.count == 1 && file.told[0].contains(what), "\(node.name): \(file.told)")
        #expect(file.told.first?.hasPrefix("x.xml:\(node.line), ") == true, "\(file.told)")
        // Mistakes of the file and of categories cost no question, the others cost their own.
        #expect(file.questions.count + file.unread.count == MoodleSample.count && file.unread.count <= 1)
    }

    /// The sample has everything that is declared, and what is harmless can go without a change.
    @Test func harmlessPartsChangeNothing() {
        let expected = read(whole).questions
        let withoutLines = { (questions: [ReadQuestion]) in
            questions.map { $0.question(.init(difficulty: .hard, explanation: "e")) }
        }
        var names: Set<String> = ["name of a category", "tolerance of words"]
        for (node, with) in whole.changes() {
            names.insert(node.name)
            for (name, value) in node.attributes {
                names.formUnion(["\(node.name)@\(name)", "\(name)=\"\(value)\""])
                guard MoodleContract.contract.ignores("\(node.name)@\(name)") else { continue }
                var changed = node
                changed.attributes[name] = nil
                #expect(withoutLines(read(with(changed)).questions) == withoutLines(expected), "\(node.name) \(name)")
            }
            var changed = node
            changed.content.removeAll {
                if case .element(let inner) = $0 { MoodleContract.contract.ignores(inner.name) } else { false }
            }
            if changed != node {
                #expect(withoutLines(read(with(changed)).questions) == withoutLines(expected), "\(node.name)")
            }
        }
        let declared = MoodleContract.contract.understood + MoodleContract.contract.harmless.map(\.name)
        for name in declared { #expect(names.contains(name), "\(name) is declared, but not in the sample") }
    }

    @Test func refusedPartsAreRefusedWithTheirReason() throws {
        for feature in MoodleContract.contract.refused {
            guard feature.name.hasPrefix("type=") else {
                #expect(MoodleContract.contract.remedy(feature.name) == feature.reason)
                continue
            }
            let type = feature.name.split(separator: "\"")[1]
            let file = try MoodleSample.file(MoodleSample.quiz(String(type), ""))
            #expect(file.told == ["x.xml:2, <question type>, \"\(type)\", not-read: \(feature.reason)"])
        }
        // A file is refused wherever Moodle stores one.
        for (node, with) in whole.changes() where node.children.contains(where: { $0.name == "text" }) {
            var changed = node
            changed.content.append(.element(XMLNode("file", ["name": "a.png"], [.text("aGk=")], line: node.line)))
            expectOneMistake(read(with(changed)), at: node, "<file>, \"\", not-read: pictures, sounds and files")
        }
    }
}
