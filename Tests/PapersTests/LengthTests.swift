import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import Papers

/// Tests of the expected length of an exam, of shorter papers, and of the questions to leave out.
@Suite struct LengthTests {
    private static func format(_ name: String) throws -> ExamFormat {
        let top = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
        return try JSONFile.decode(
            ExamFormat.self, "format", version: 1,
            from: PrivateFile.read("\(top)/Sources/ExamKit/Formats/\(name).json"),
            name: name)
    }

    /// About as long as real tests of that kind, in minutes.
    @Test(arguments: [
        ("ielts-style", 11...14), ("toefl-2026", 5...9), ("pte-style", 13...24), ("celpip-style", 14...22),
        ("aptis-style", 9...14), ("hskk-style", 12...22),
    ]) func aPaperTakesAsLongAsItsTest(_ name: String, _ minutes: ClosedRange<Int>) throws {
        let format = try Self.format(name)
        for seed in 0..<5 {
            let drawn = try ItemBank.builtIn.draw(PaperRequest(format: name, seed: UInt64(seed)), for: format)
            let own = drawn.seconds / 60
            #expect(own >= Double(minutes.lowerBound) && own <= Double(minutes.upperBound), "\(own)")
            #expect(
                drawn.seconds < format.hardCap.duration / .seconds(1) && drawn.shortfalls.isEmpty, "\(drawn.shortfalls)"
            )
        }
    }

    @Test func aShorterPaperAsksFewerQuestionsAndIsStillAnExam() throws {
        let format = try Self.format("ielts-style")
        var (before, counts) = (Int.max, Set<Int>())
        for minutes in (8...13).reversed() {
            let request = PaperRequest(format: format.id, minutes: minutes, seed: 3)
            let drawn = try ItemBank.builtIn.draw(request, for: format)
            #expect(drawn.seconds <= Double(minutes) * 66, "\(drawn.seconds) for \(minutes)")
            let count = drawn.paper.sections.values.joined().reduce(0) { $0 + $1.questions.count }
            #expect(count <= before && drawn.paper.sections.values.joined().allSatisfy { !$0.questions.isEmpty })
            (before, _) = (count, counts.insert(count))
            #expect(ExamScript.assemble(format, drawn.paper).script != nil)
            // The paper has exactly as many questions as the blueprint.
            let slots = drawn.blueprint.frames.reduce(0) { $0 + $1.slots.count }
            #expect(slots == count, "\(slots) \(count)")
        }
        #expect(counts.count >= 4, "\(counts)")
    }

    @Test func aPaperHasAtMostTheWantedQuestionsAndEachItemKeepsOne() throws {
        func counts(_ name: String, _ questions: Int) throws -> [Int] {
            let request = PaperRequest(format: name, questions: questions, seed: 3)
            let drawn = try ItemBank.builtIn.draw(request, for: Self.format(name))
            return drawn.paper.sections.values.joined().map(\.questions.count)
        }
        #expect(try counts("questions", 2) == [2])
        #expect(try counts("questions", 100).reduce(0, +) > 2)
        let whole = try counts("ielts-style", 100)
        #expect(try counts("ielts-style", 1) == whole.map { _ in 1 })
        #expect(try counts("ielts-style", 7).reduce(0, +) == 7)
    }

    @Test func lengthsThatAreTooShortOrTooLongAreReported() throws {
        let format = try Self.format("ielts-style")
        let thrown = #expect(throws: DrawFailure.self) {
            try ItemBank.builtIn.draw(PaperRequest(format: format.id, minutes: 3, seed: 1), for: format)
        }
        #expect(thrown?.frame == "length" && thrown?.sentence.hasSuffix("minutes, more than 3.") == true)
        let long = try ItemBank.builtIn.draw(PaperRequest(format: format.id, minutes: 40, seed: 1), for: format)
        #expect(
            long.shortfalls.map(\.sentence) == [
                "length: the format has questions for only about \(Int((long.seconds / 60).rounded())) minutes."
            ])
    }

    @Test func avoidedItemsNeverCome() throws {
        let format = try Self.format("ielts-style")
        for seed in 0..<200 {
            let request = PaperRequest(
                format: format.id, topics: ["rain"], avoid: ["rain", "Weather", "music"], seed: UInt64(seed))
            let drawn = try ItemBank.builtIn.draw(request, for: format)
            for id in drawn.items {
                let words = Set([id] + ItemBank.builtIn[id]!.about.keywords)
                #expect(words.isDisjoint(with: ["rain", "weather", "music"]), "\(id)")
            }
        }
        let all = PaperRequest(format: format.id, avoid: ItemBank.builtIn.items.map(\.id), seed: 1)
        let thrown = #expect(throws: DrawFailure.self) { try ItemBank.builtIn.draw(all, for: format) }
        #expect(thrown?.sentence.contains("or is to be avoided") == true)
    }

    /// People's own items may leave a part half empty.
    @Test func aHalfEmptyPartIsReported() throws {
        let format = try Self.format("ielts-style")
        let paper = try ItemBank.builtIn.draw(PaperRequest(format: format.id, seed: 1), for: format).paper
        var thin = paper
        thin.sections["discussion"] = thin.sections["discussion"]?.map { frame in
            var frame = frame
            frame.questions = [frame.questions[0]]
            return frame
        }
        #expect(ExpectedTime(paper, of: format).halfEmptyParts.isEmpty)
        #expect(ExpectedTime(thin, of: format).halfEmptyParts.map(\.number) == [3])
    }
}
