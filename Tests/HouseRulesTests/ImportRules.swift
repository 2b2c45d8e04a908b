import Foundation
import Testing

/// Each file names the modules that it uses, and no others.
extension HouseRules {
    /// An import that exports another module hides what the files behind it depend on.
    @Test func noFileExportsAnImport() throws {
        for (path, text) in try Self.allSwift() {
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                #expect(!line.hasPrefix("@_exported"), "\(path):\(number + 1) exports an import")
            }
        }
    }

    /// Compares names only: an import is unused if the file mentions none of the names that its module declares.
    @Test func everyImportIsUsed() throws {
        var modules = try Dictionary(
            uniqueKeysWithValues: Self.mayImport.keys.map { target in
                (target.replacing("-", with: "_"), DeclaredNames(in: try Self.files(of: target).map(\.text)))
            })
        // A plug-in imports SwiftPM's modules only.
        modules["EmbedText"] = nil
        var found = 0
        for (path, text) in try Self.allSwift() {
            let names = UsedNames(in: text)
            for imported in names.imports {
                guard let module = modules[imported.module] else { continue }
                found += 1
                #expect(names.use(module, asTestable: imported.isTestable), "\(path) doesn't use \(imported.module)")
            }
        }
        #expect(found > 3_000, "the imports are not found")
    }

    @Test func theRuleSeesAnUnusedImport() {
        let module = DeclaredNames(in: [
            "public struct Drill {\n    public var next: Int { hidden }\n    private var hidden = 1\n        let step = 2\n}",
            "public enum Grade {\n    case right, wrong(Int)\n}",
        ])
        func uses(_ code: String, asTestable: Bool = false) -> Bool {
            UsedNames(in: "import Learning\n" + code).use(module, asTestable: asTestable)
        }
        #expect(
            UsedNames(in: "@testable import Learning\npublic import Papers").imports.map(\.module) == [
                "Learning", "Papers",
            ])
        for code in ["Drill()", "a.next", "a = .wrong(1)", "return .right", "\"\\(a.next)\"", "a.rawValue"] {
            #expect(uses(code), "\(code)")
        }
        for code in ["// Drill", "let next = 1", "a.hidden", "right()", "step + 1", "Drills()"] {
            #expect(!uses(code), "\(code)")
        }
        #expect(uses("step + 1", asTestable: true))
    }

    /// All Swift files of the package and of its examples, with their paths.
    static func allSwift() throws -> [(path: String, text: String)] {
        try ["Sources", "Tests", "Examples/Sources"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: package.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }
                .map {
                    (
                        "\(folder)/\($0)",
                        try String(contentsOf: package.appending(path: "\(folder)/\($0)"), encoding: .utf8)
                    )
                }
        }
    }
}

/// The names that a module declares, as far as other files can use them.
struct DeclaredNames {
    /// The names outside of any type.
    var outermost: Set<Substring> = []
    /// The names of types' members, and of enums' cases.
    var members: Set<Substring> = []
    /// Also the names inside of functions.
    var all: Set<Substring> = []

    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "typealias", "func", "var", "let", "case", "associatedtype",
    ]

    init(in files: [String]) {
        for line in files.lazy.flatMap({ $0.utf8.split(separator: UInt8(ascii: "\n")) }) { read(Substring(line)) }
    }

    private mutating func read(_ line: Substring) {
        let words = UsedNames.words(of: line).map(\.word)
        guard let place = words.firstIndex(where: Self.kinds.contains), place + 1 < words.count else { return }
        guard !words[..<place].contains("private"), !words[..<place].contains("fileprivate") else { return }
        // `case a, b(Int)`: the payloads' names come along.
        let names = words[place] == "case" ? words[(place + 1)...] : words[(place + 1)...(place + 1)]
        all.formUnion(names)
        let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
        if indentation == 0 { outermost.formUnion(names) }
        let isPublic = words[..<place].contains("public") || words[..<place].contains("package")
        if indentation == 4 || isPublic || words[place] == "case" { members.formUnion(names) }
    }
}

/// The imports of a file, and the names in its code.
struct UsedNames {
    var imports: [(module: String, isTestable: Bool)] = []
    var words: Set<Substring> = []
    /// The names after a dot.
    var members: Set<Substring> = []

    init(in text: String) {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            let found = Self.words(of: line)
            if let place = found.firstIndex(where: { $0.word == "import" }), place + 1 < found.count,
                found[..<place].allSatisfy({ Self.beforeImport.contains($0.word) })
            {
                let isOfOneName = found.count > place + 2 && !found[place + 2].isMember
                let module = found[isOfOneName ? place + 2 : place + 1].word
                imports.append((String(module), found.contains { $0.word == "testable" }))
                continue
            }
            for (word, isMember) in found {
                words.insert(word)
                if isMember { members.insert(word) }
            }
        }
    }

    private static let beforeImport: Set<Substring> = ["public", "package", "internal", "testable", "preconcurrency"]
    /// Members that the compiler makes.
    private static let made: Set<Substring> = ["rawValue", "allCases"]

    func use(_ module: DeclaredNames, asTestable isTestable: Bool) -> Bool {
        !words.isDisjoint(with: module.outermost) || !members.isDisjoint(with: module.members)
            || !members.isDisjoint(with: Self.made) || isTestable && !words.isDisjoint(with: module.all)
    }

    /// Returns the names of a line, and whether a dot stands before them. Leaves out comments; counts words in
    /// literals.
    static func words(of line: Substring) -> [(word: Substring, isMember: Bool)] {
        var found: [(word: Substring, isMember: Bool)] = []
        var start: Substring.Index?
        var before: UInt8 = 0
        var last: UInt8 = 0
        for (place, byte) in zip(line.utf8.indices, line.utf8) {
            let isName =
                byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
                || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
            if isName, start == nil {
                start = place
                before = last
            } else if !isName, let from = start {
                found.append((line[from..<place], before == UInt8(ascii: ".")))
                start = nil
            }
            if byte == UInt8(ascii: "/"), last == byte { return found }
            if byte != UInt8(ascii: "`") { last = byte }
        }
        if let start { found.append((line[start...], before == UInt8(ascii: "."))) }
        return found
    }
}
