import Foundation
import Testing

/// The folders inside a target form layers: no two of them use each other, not even by way of others.
@Suite struct FolderRules {
    /// The targets with folders that still use each other, with the number of folders in their largest cycle. The
    /// numbers may only fall.
    static let cycles = [
        "AddOns": 2, "Assessment": 7, "AudioFiles": 2, "Backends": 10, "ExamKit": 2, "ExamServer": 15, "ExamStore": 6,
        "Hearing": 2, "Learning": 4, "UploadQueue": 2, "oracy": 20, "oracy-bench": 4, "oracy-server": 4,
    ]

    @Test func foldersFormLayers() throws {
        for target in HouseRules.mayImport.keys.sorted() {
            let folders = try FolderUses(of: HouseRules.files(of: target))
            let largest = folders.cycles.map(\.count).max() ?? 0
            let allowed = Self.cycles[target] ?? 0
            #expect(largest <= allowed, "\(target):\n\(folders.told)")
            #expect(largest == allowed, "\(target): lower the number in the list to \(largest)")
        }
    }

    @Test func theRuleSeesACycle() {
        let files = [
            ("T/A/One.swift", "struct One {\n    let two: Two\n}"),
            ("T/B/Two.swift", "enum Two {\n    case three(Three)\n}"),
            ("T/C/Three.swift", "struct Three {}\nextension One {}"), ("T/D/Four.swift", "let four = One()"),
            ("T/E/Five.swift", "private struct One {}\n// Two"),
        ]
        let folders = FolderUses(of: files)
        #expect(folders.cycles == [["A", "B", "C"]])
        #expect(folders.uses["D"] == ["A": ["One"]])
        #expect(folders.uses["E"] == nil)
        #expect(folders.told == "A uses B: Two\nB uses C: Three\nC uses A: One")
    }
}

/// The types of each folder that other folders of the same target name.
struct FolderUses {
    /// The names of types, by the folder that uses them and by the folder that declares them. The target's own folder
    /// is "".
    private(set) var uses: [String: [String: Set<String>]] = [:]

    /// Compares names only, and counts words in literals. A file that declares a type of its own with a name doesn't
    /// use another folder's.
    init(of files: [(name: String, text: String)]) {
        let read = files.map { file in
            let lines = file.text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init)
            let types = lines.compactMap(Self.declaredType)
            return (folder: Self.folder(of: file.name), types, words: UsedNames(in: file.text).words)
        }
        var homes: [Substring: String] = [:]
        for (folder, types, _) in read {
            for type in types where !type.isPrivate { homes[type.name] = folder }
        }
        for (folder, types, words) in read {
            for name in words.subtracting(types.map(\.name)) {
                guard let home = homes[name], home != folder else { continue }
                uses[folder, default: [:]][home, default: []].insert(String(name))
            }
        }
    }

    /// The groups of folders that use each other, the largest first.
    var cycles: [[String]] {
        var groups: Set<[String]> = []
        for folder in uses.keys {
            let group = reached(from: folder).filter { reached(from: $0).contains(folder) }.sorted()
            if !group.isEmpty { groups.insert(group) }
        }
        return groups.sorted { ($1.count, $0.joined()) < ($0.count, $1.joined()) }
    }

    /// A line for each pair of folders in a cycle, with the names that join them.
    var told: String {
        cycles.flatMap { group in
            group.flatMap { folder in
                (uses[folder] ?? [:]).filter { group.contains($0.key) }.sorted { $0.key < $1.key }.map { home, names in
                    "\(Self.shown(folder)) uses \(Self.shown(home)): \(names.sorted().joined(separator: ", "))"
                }
            }
        }.joined(separator: "\n")
    }

    private func reached(from folder: String) -> Set<String> {
        var (found, waiting) = (Set<String>(), [folder])
        while let next = waiting.popLast() {
            for home in (uses[next] ?? [:]).keys where found.insert(home).inserted { waiting.append(home) }
        }
        return found
    }

    private static func shown(_ folder: String) -> String { folder.isEmpty ? "(the target's own folder)" : folder }

    /// Returns the first folder below the target.
    private static func folder(of name: String) -> String {
        let parts = name.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    /// Returns the type that a line without indentation declares.
    private static func declaredType(_ line: Substring) -> (name: Substring, isPrivate: Bool)? {
        guard line.first?.isLetter == true || line.first == "@" else { return nil }
        let words = UsedNames.words(of: line).map(\.word)
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        guard let place = words.firstIndex(where: kinds.contains), place + 1 < words.count else { return nil }
        return (words[place + 1], words[..<place].contains("private") || words[..<place].contains("fileprivate"))
    }
}
