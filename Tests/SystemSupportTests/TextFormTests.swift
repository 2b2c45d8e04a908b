import Foundation
import Testing

@testable import SystemSupport

/// The forms of times, ids and tables in files.
@Suite struct TextFormTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_795_252_349, "2026-11-21T09:12:29Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (4_102_444_799, "2099-12-31T23:59:59Z"),
    ]) func aMomentIsReadAsItIsWritten(_ seconds: Int, _ text: String) {
        #expect(WallTime(secondsSince1970: seconds).utc == text)
        #expect(WallTime(utc: text)?.secondsSince1970 == seconds)
    }

    @Test(arguments: ["", "2026-11-21", "2026-11-21T09:12:29", "2026-02-30T09:12:29Z", "2026-11-21T09:12:29+01:00"])
    func anotherFormIsNotAMoment(_ text: String) {
        #expect(WallTime(utc: text) == nil)
    }

    @Test func idsAreWrittenInLowerCase() throws {
        let id = try #require(UUID(uuidString: "9D9E7A3B-0B5C-4B84-9D6C-7F0C2E6E1A11"))
        #expect(id.name == "9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11")
        #expect(try String(decoding: JSONEncoder().encode([LowercaseID(id)]), as: UTF8.self) == "[\"\(id.name)\"]")
    }

    @Test func theSteadyClockDoesNotGoBack() {
        var last = SteadyClock.now
        for _ in 0..<1_000 {
            let now = SteadyClock.now
            #expect(now >= last)
            last = now
        }
        #expect(SteadyClock.boot == SteadyClock.boot && SteadyClock.boot.count == 36)
    }

    @Test func aTableIsReadWithItsPlaces() throws {
        let text = "\u{FEFF}name,value\r\n\"a, \"\"b\"\"\nc\",1.5\n\nlast,2"
        let table = try CSVRows(Array(text.utf8), file: "t.csv")
        #expect(table.names == ["name", "value"])
        #expect(table.rows.map(\.fields) == [["a, \"b\"\nc", "1.5"], ["last", "2"]])
        #expect(table.rows.map(\.line) == [2, 5])
        #expect(try table.column("value") == 1 && table.number(table.rows[0], 1, in: 0...2) == 1.5)
        #expect(throws: Problem(.malformed, "t.csv:1: has no column \"x\"; it has name, value")) {
            try table.column("x")
        }
        #expect(throws: Problem(.malformed, "t.csv:5: value: \"2\" is not a number from 0 to 1")) {
            try table.number(table.rows[1], 1, in: 0...1)
        }
    }

    @Test(arguments: [
        ("", "t.csv: is empty; its first line should"), ("a,b\n1", "t.csv:2: has 1 fields; the first line has 2"),
        ("a\n\"b", "t.csv:2: a quotation mark is not closed"),
    ]) func anInvalidTableIsRefusedWithItsLine(_ text: String, _ words: String) {
        let problem = #expect(throws: Problem.self) { try CSVRows(Array(text.utf8), file: "t.csv") }
        #expect(
            problem?.kind == .malformed && problem?.sentence.hasPrefix(words) == true, "\(problem.debugDescription)")
    }
}
