import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import Papers

/// Tests that the built-in bank is large enough and keeps every rule.
@Suite struct BankTests {
    private let bank = ItemBank.builtIn

    /// Reads each file strictly, and checks that the program contains each file.
    @Test func everyFileIsReadAndEmbedded() throws {
        for (file, bytes) in PackageResources.all {
            let name = String(file.dropLast(".json".count))
            let item = try ItemBank.item(from: bytes, name: name)
            #expect(item.id == name)
            // Writing the item again gives the same item.
            #expect(try ItemBank.item(from: JSONFile.encode(item), name: name) == item)
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/Papers/Bank/Items")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == PackageResources.all.map(\.name).sorted())
        #expect(bank.items.count == files.count)
    }

    @Test func noRuleObjectsToAnyItem() {
        for item in bank.items {
            let findings = item.findings
            #expect(findings.isEmpty, "\(item.id): \(findings.map(\.sentence))")
        }
    }

    @Test func noTwoTextsAreNearlyTheSame() {
        let duplicates = bank.duplicates
        #expect(duplicates.isEmpty, "\(duplicates.prefix(5))")
    }

    @Test func thereIsEnoughOfEach() {
        let frames = bank.items.filter { if case .frame = $0 { true } else { false } }
        let cards = bank.items.filter { if case .card = $0 { true } else { false } }
        #expect(frames.count { ["topics", "home-or-work"].contains($0.section) } >= 36 && cards.count >= 60)
        for difficulty in Paper.Difficulty.allCases {
            #expect(cards.count { $0.about.difficulty == difficulty } >= 12)
            #expect(frames.count { $0.about.difficulty == difficulty } >= 8)
        }
        let ids = bank.items.flatMap { item -> [String] in
            if case .card(let card) = item { card.discussions.map(\.id) + [item.id] } else { [item.id] }
        }
        #expect(Set(ids).count == ids.count, "ids are unique, because turns and recordings are named by them")
    }

    @Test(arguments: [
        ("nurse in Leeds", ["technical-nursing"]), ("Junior iOS engineer", ["technical-mobile-apps"]),
        ("software engineers", ["technical-software"]), ("sales", ["technical-sales"]), ("IELTS 7", []), ("", []),
    ])
    func aRoleIsAskedAboutItsField(role: String, fields: [String]) {
        #expect(bank.items(for: role, in: "technical") == fields)
    }

    @Test func aDozenFieldsHaveInterviewQuestions() {
        #expect(bank.items.count { $0.section == "technical" } >= 12)
    }

    @Test func twoItemsOfOneNameAreRefused() throws {
        #expect(throws: Problem.self) { try ItemBank([SampleItems.frame, SampleItems.frame]) }
        let wrong = Data(#"{"version": 1, "kind": "poem", "id": "x"}"#.utf8)
        let problem = #expect(throws: Problem.self) { try ItemBank.item(from: Array(wrong), name: "x.json") }
        #expect(problem?.sentence.contains("x.json") == true)
    }
}
