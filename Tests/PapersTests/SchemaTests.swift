import ExamCore
import Foundation
import Learning
import SystemSupport
import TestSupport
import Testing

@testable import Papers

/// Tests that the schemas for editors agree with the readers on every file that comes with Oracy, and on each such file
/// with one fault.
@Suite struct SchemaTests {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        .path

    private struct Case {
        var schema, about: String
        var document: [String: Any]
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(top)/\(folder)").filter { $0.hasSuffix(".json") }
            .sorted()
            .map { "\(top)/\(folder)/\($0)" }
    }

    private static func isRead(_ one: Case) -> Bool {
        guard let data = try? JSONSerialization.data(withJSONObject: one.document) else { return false }
        let bytes = Array(data)
        switch one.schema {
        case "paper": return (try? JSONFile.decode(Paper.self, "paper", version: 1, from: bytes, name: "x")) != nil
        case "format":
            return (try? JSONFile.decode(ExamFormat.self, "format", version: 1, from: bytes, name: "x")) != nil
        case "lessons": return (try? LessonCategory.read(from: bytes, name: "x")) != nil
        case "question-pack": return (try? QuestionPack.read(from: bytes, name: "x")) != nil
        case "profile": return (try? LearnerProfile.read(from: bytes, name: "x")) != nil
        case "plan": return (try? StudyPlan.read(from: bytes, name: "x")) != nil
        case "prep": return (try? PrepPack.read(from: bytes, name: "x")) != nil
        default: return (try? ItemBank.item(from: bytes, name: "x")) != nil
        }
    }

    /// Returns a profile with all fields, a plan for it, and related files, as Oracy writes them.
    private static func plans() throws -> [Case] {
        let week = StudyDay(year: 2026, month: 11, day: 23)
        let profile = LearnerProfile(
            name: "Mei", stage: "graduate", targetRole: "nurse", timeBudgetHoursPerDay: 1.5,
            availableDays: [.monday, .thursday, .sunday], constraints: ["not before 18:00", "I like mornings"],
            goalBand: 6.5, testDate: week.advanced(by: 40), format: .interview)
        let missed = MissedTask(
            PlanTask(id: "x", title: "4/3/2", link: .speak(.fourThreeTwo), minutes: 10, reason: "It was missed."),
            missedOn: week.advanced(by: -3))
        let plan = StudyPlan(for: profile, PlanEvidence(), week: week, carrying: [missed])
        let prep = PrepPack(for: profile, plan: plan, starterQuestions: ["Why this job?"])
        return try [("profile", profile.json), ("plan", plan.json), ("prep", prep.json)].map { schema, bytes in
            let value = try JSONSerialization.jsonObject(with: Data(bytes))
            return Case(schema: schema, about: schema, document: try #require(value as? [String: Any]))
        }
    }

    /// Returns copies of a document with one field missing, of another type, or unknown, at each place of the document.
    private static func flawed(_ value: Any, at path: String = "") -> [(about: String, value: Any)] {
        var found: [(String, Any)] = []
        if let object = value as? [String: Any] {
            found.append(("\(path).zz is unknown", object.merging(["zz": 1]) { $1 }))
            for (key, inner) in object.sorted(by: { $0.key < $1.key }) {
                let place = "\(path).\(key)"
                found.append(("\(place) is gone", object.filter { $0.key != key }))
                let other: Any = inner is String ? 7 : inner is [Any] ? ["x": 1] : inner is [String: Any] ? ["x"] : "x"
                found.append(("\(place) is of another kind", object.merging([key: other]) { $1 }))
                found += flawed(inner, at: place).map { about, new in (about, object.merging([key: new]) { $1 }) }
            }
        } else if let list = value as? [Any], let first = list.first {
            // The other elements are of the same kind.
            found += flawed(first, at: "\(path)[0]").map { about, new in (about, [new] + list.dropFirst()) }
        }
        return found
    }

    /// Returns the questions in the example of docs/practice.md: one of each kind.
    private static func documentedQuestions() throws -> [[String: Any]] {
        let page = try String(contentsOfFile: "\(top)/docs/practice.md", encoding: .utf8)
        let text = try #require(page.firstMatch(of: /```json\n([^`]*)```/)).1
        let pack = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let questions = try #require(pack?["questions"] as? [[String: Any]])
        #expect(questions.count == 7)
        #expect(try QuestionPack.read(from: Array(text.utf8), name: "practice.md").findings.isEmpty)
        return questions
    }

    /// Returns a lesson with the fewest items, because all items are alike.
    private static func shortened(_ lessons: [String: Any]) -> [String: Any] {
        guard var first = (lessons["lessons"] as? [[String: Any]])?.first, let items = first["items"] as? [Any] else {
            return lessons
        }
        first["items"] = Array(items.prefix(4))
        return lessons.merging(["lessons": [first]]) { $1 }
    }

    @Test(.needs(Trials.obstacle(to: "jsonschema"))) func schemasAndReadersAgree() async throws {
        let folder = try TemporaryFolder()
        var cases: [Case] = []
        var sections: Set<String> = []
        for (schema, place) in [
            ("format", "Sources/ExamKit/Formats"), ("paper", "Sources/ExamKit/Papers"),
            ("bank-item", "Sources/Papers/Bank/Items"), ("lessons", "Sources/Learning/Lessons/BuiltIn"),
        ] {
            for file in try Self.files(place) {
                let value = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
                let document = try #require(value as? [String: Any])
                cases.append(Case(schema: schema, about: file, document: document))
                let named = document.merging(["$schema": "../schemas/\(schema).schema.json"]) { $1 }
                cases.append(Case(schema: schema, about: "\(file) with its schema", document: named))
                // One item of each section is enough, because they have the same fields.
                if schema == "bank-item", !sections.insert(document["section"] as? String ?? "card").inserted {
                    continue
                }
                cases += Self.flawed(schema == "lessons" ? Self.shortened(document) : document).map {
                    Case(schema: schema, about: "\(file)\($0.about)", document: $0.value as? [String: Any] ?? [:])
                }
            }
        }
        for question in try Self.documentedQuestions() {
            let pack: [String: Any] = ["version": 1, "id": "p", "title": "P", "questions": [question]]
            cases.append(Case(schema: "question-pack", about: "docs/practice.md", document: pack))
            cases += Self.flawed(pack).map {
                Case(
                    schema: "question-pack", about: "docs/practice.md\($0.about)",
                    document: $0.value as? [String: Any] ?? [:])
            }
        }
        for one in try Self.plans() {
            cases.append(one)
            let named = one.document.merging(["$schema": "../schemas/\(one.schema).schema.json"]) { $1 }
            cases.append(Case(schema: one.schema, about: "\(one.about) with its schema", document: named))
            cases += Self.flawed(one.document).map {
                Case(
                    schema: one.schema, about: "\(one.about)\($0.about)", document: $0.value as? [String: Any] ?? [:])
            }
        }
        var lines = Data()
        var (read, refused) = (0, 0)
        for one in cases {
            let isRead = Self.isRead(one)
            if isRead { read += 1 } else { refused += 1 }
            lines += try JSONSerialization.data(withJSONObject: [
                "schema": one.schema, "about": one.about, "isRead": isRead, "document": one.document,
            ])
            lines += Data("\n".utf8)
        }
        #expect(read > 200 && refused > 1_000, "\(read) \(refused)")
        let path = folder.path + "/cases"
        try lines.write(to: URL(filePath: path))
        let (status, said) = await Trials.python("schemas.py", ["\(Self.top)/docs/schemas", path])
        #expect(status == 0, "\(said.suffix(1000))")
        print("schemas: \(said.trimmingCharacters(in: .newlines)) documents, of which \(refused) are refused")
    }
}
