import Foundation
import Testing

/// Tests return early only with a complaint.
extension HouseRules {
    /// A test that can't run is skipped by `.needs` or `.enabled(if:)`. Anything unexpected is recorded as an issue.
    @Test func noTestReturnsEarlyAndPasses() throws {
        let tests = Self.package.appending(path: "Tests")
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) {
            guard path.hasSuffix(".swift"), !path.hasPrefix("Support/") else { continue }
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            let scan = SilentReturnScan(of: text)
            count += scan.testCount
            for line in scan.lines { Issue.record("\(path):\(line) ends a test and says nothing") }
        }
        #expect(count > 1_000, "the tests are not found")
    }

    @Test func theRuleSeesAnEarlyReturn() {
        func lines(_ body: String) -> [Int] { SilentReturnScan(of: "@Test func a() {\n\(body)\n}").lines }
        #expect(lines("guard let a = b else { return }") == [2])
        #expect(lines("guard let a = b,\n  case .c = d\nelse {\n  return\n}") == [5])
        #expect(lines("for a in b {\n  if a == c { return }\n}") == [3])
        #expect(lines("guard let a = b else {\n  Issue.record(\"none\")\n  return\n}") == [])
        #expect(lines("server { request in\n  guard request.isGood else { return }\n}") == [])
        #expect(lines("func ask() {\n  guard isSo else { return }\n}") == [])
        #expect(lines("let a = b.map { return }") == [])
        let arguments =
            "@Test(arguments: [{ $0 + 1 }]) func a(_ b: (Int) -> Int)\n  async throws {\n  if c { return }\n}"
        #expect(SilentReturnScan(of: arguments).lines == [3])
        #expect(SilentReturnScan(of: "func a() {\n  guard let b else { return }\n}").lines == [])
    }
}

/// Finds `return`s in the bodies of tests that are only inside `if`, `guard`, `for` and the like, in a block without an
/// expectation.
///
/// Reads code in the layout of `swift format`. A condition of an `if` on several lines counts as a closure.
struct SilentReturnScan {
    private(set) var lines: [Int] = []
    private(set) var testCount = 0

    private enum Kind { case test, flow, other }

    private var blocks: [(kind: Kind, complains: Bool)] = []
    private var isTest = false
    private var isBodyNext = false
    private var parentheses = 0

    init(of text: String) {
        for (number, line) in SwiftCode(of: text).lines.enumerated() { read(line, number + 1) }
    }

    private mutating func read(_ line: String, _ number: Int) {
        var (head, rest) = ("", line[...])
        while let character = rest.first {
            if character.isLetter || character == "@" || character == "#" || character == "_" {
                let word = String(rest.prefix(1) + rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                rest = rest.dropFirst(word.count)
                take(word, before: rest, number)
                head += word
                continue
            }
            rest.removeFirst()
            switch character {
            case "{":
                open(after: head)
                head = ""
            case "}":
                close()
                head = "}"
            case "(": parentheses += 1
            case ")": parentheses -= 1
            default: break
            }
            if character != "{", character != "}" { head.append(character) }
        }
    }

    private mutating func take(_ word: String, before rest: Substring, _ number: Int) {
        switch word {
        case "@Test": isTest = true
        case "func" where isTest: (isTest, isBodyNext, parentheses) = (false, true, 0)
        case "#expect", "#require", "Issue":
            for place in blocks.indices { blocks[place].complains = true }
        case "return":
            let after = rest.drop { $0 == " " }
            guard after.isEmpty || after.first == "}", let own = blocks.last, own.kind == .flow, !own.complains,
                blocks.last(where: { $0.kind != .flow })?.kind == .test
            else { return }
            lines.append(number)
        default: break
        }
    }

    private mutating func open(after head: String) {
        if isBodyNext, parentheses == 0 {
            isBodyNext = false
            testCount += 1
            blocks.append((.test, false))
            return
        }
        let words = head.split { !$0.isLetter }.map(String.init)
        let flow: Set = ["if", "else", "guard", "for", "while", "switch", "do", "catch", "repeat", "defer"]
        let isFlow = words.first.map(flow.contains) ?? false || words.last == "else"
        blocks.append((isFlow ? .flow : .other, false))
    }

    private mutating func close() { _ = blocks.popLast() }
}
