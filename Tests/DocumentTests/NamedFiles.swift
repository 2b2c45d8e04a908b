import Foundation
import Testing

/// Files and links that documents name exist.
@Suite struct NamedFiles {
    /// Checks names in code quotes: a path from the root, from Sources/ or from Tests/, or a file's name alone.
    @Test(arguments: ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/formats-and-papers.md", "docs/measured.md"])
    func everyFileThatIsNamedIsThere(document: String) throws {
        let names = Set(
            ["", "Sources/", "Tests/"].flatMap { top in
                (try? FileManager.default.contentsOfDirectory(atPath: "\(House.root)/\(top)")) ?? []
            }
        ).subtracting([".build"])
        let all = ["Sources", "Tests", "docs", "AudioFixtures"].flatMap { House.files(under: $0, ending: "") }
        let known = Set(all.map { String($0.split(separator: "/").last!) } + names)
        var checked = 0
        for quoted in try House.text(document).matches(of: #/`([^`\n]+)`/#).map({ String($0.output.1) }) {
            guard quoted.wholeMatch(of: #/[A-Za-z0-9_.+-]+(/[A-Za-z0-9_.+-]+)*/?/#) != nil else { continue }
            let first = String(quoted.split(separator: "/")[0])
            if quoted.contains("/") {
                // Other words with a slash don't begin with a folder's name.
                guard names.contains(first) else { continue }
                #expect(["", "Sources/", "Tests/"].contains { House.exists($0 + quoted) }, "\(document): \(quoted)")
            } else {
                let endings = [".swift", ".md", ".js", ".py", ".json", ".css"]
                guard endings.contains(where: quoted.hasSuffix), !Self.ofSessions.contains(quoted) else { continue }
                #expect(known.contains(quoted), "\(document): \(quoted)")
            }
            checked += 1
        }
        #expect(checked > 1, "\(document) names hardly anything")
    }

    /// Files of sessions, users and other packages, which don't belong to the project.
    private static let ofSessions: Set = [
        "main.swift", "manifest.json", "exam.json", "session.json", "consent.json", "microphone.json",
        "assessment.json",
        "openapi.json", "my-test.json", "my-format.json", "my-paper.json",
    ]

    @Test func everyLinkLeadsSomewhere() throws {
        var checked = 0
        for document in House.documents {
            let folder = document.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            for link in try House.text(document).matches(of: #/\]\(([^)\s]+)\)/#).map({ String($0.output.1) }) {
                guard !link.contains("://") else { continue }
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let path = parts[0].isEmpty ? document : URL(filePath: "/" + folder + parts[0]).standardized.path
                let file = path.hasPrefix("/") ? String(path.dropFirst()) : path
                #expect(House.exists(file), "\(document): \(link)")
                if parts.count > 1, file.hasSuffix(".md") {
                    #expect(try Self.anchors(of: file).contains(parts[1]), "\(document): \(link) has no such heading")
                }
                checked += 1
            }
        }
        #expect(checked > 40)
    }

    /// Returns the anchors of a document's headings, as GitHub makes them.
    private static func anchors(of document: String) throws -> Set<String> {
        Set(
            try House.text(document).components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map { heading in
                let words = heading.drop { $0 == "#" }.dropFirst().lowercased()
                return String(words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) })
                    .replacing(" ", with: "-")
            })
    }

    /// ARCHITECTURE.md has one section for each target, and no others.
    @Test func architectureHasASectionForEachTarget() throws {
        let sections = try House.text("ARCHITECTURE.md").matches(of: #/\n### `([A-Za-z-]+)`/#).map {
            String($0.output.1)
        }
        let targets = try FileManager.default.contentsOfDirectory(atPath: "\(House.root)/Sources")
            .filter { $0 != "C" && !$0.hasPrefix(".") }
        #expect(Set(sections) == Set(targets))
        #expect(sections.count == Set(sections).count)
    }

    /// `make` alone lists the targets, and every listed target exists.
    @Test func makeListsItsTargets() throws {
        let makefile = try House.text("Makefile")
        let listed = makefile.matches(of: #/\n## make ([a-z-]+) /#).map { String($0.output.1) }
        let targets = Set(makefile.matches(of: #/\n([a-z-]+):/#).map { String($0.output.1) })
        #expect(listed.count > 8 && Set(listed).isSubset(of: targets), "\(listed)")
        #expect(makefile.contains("\n.DEFAULT_GOAL := help\n"))
    }

    @Test func readmeIsShort() throws {
        let lines = try House.text("README.md").components(separatedBy: "\n").count
        #expect(lines < 130, "README has \(lines) lines")
    }

    /// The reasons are in docs/decisions.
    @Test func architectureIsShort() throws {
        let size = try House.text("ARCHITECTURE.md").utf8.count
        #expect(size <= 30_000, "ARCHITECTURE has \(size) bytes")
    }

    /// Decisions are numbered without gaps, and have the same three sections.
    @Test func decisionsAreIndexedAndAlike() throws {
        let records = House.files(under: "docs/decisions", ending: ".md").filter { !$0.hasSuffix("/README.md") }
        let index = try House.text("docs/decisions/README.md")
        #expect(records.count > 100)
        for (place, record) in records.enumerated() {
            let name = String(record.split(separator: "/").last!)
            let digits = String(place + 1)
            #expect(name.hasPrefix(String(repeating: "0", count: 4 - digits.count) + digits + "-"), "\(record)")
            let lines = try House.text(record).components(separatedBy: "\n")
            let title = try #require(lines.first).dropFirst(2)
            #expect(index.contains("[\(title)](\(name))"), "\(record) is missing in the index")
            let sections = lines.filter { $0.hasPrefix("## ") }
            #expect(sections == ["## Context", "## Decision", "## Consequences"], "\(record)")
        }
    }
}
