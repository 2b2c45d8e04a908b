import Assessment
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Assessors

/// Foreign grammar checkers, and which of their findings are used.
@Suite struct GrammarTests {
    /// A text with a mistake, and with characters of one and two UTF-16 units.
    private static let text = "😀 Zoë and me: he go to school"

    // MARK: - Harper

    @Suite(.needs(Trials.obstacle(to: "harper"))) struct Harper {
        private let checker = HarperChecker(python: Trials.folder + "/bin/python", time: .seconds(600))

        private struct Sentence {
            var text: String
            /// The range of the mistake in Unicode scalars. Nil if the sentence is right.
            var wrong: Range<Int>?

            init(_ line: Substring) {
                let scalars = Array(line.dropFirst(2).unicodeScalars)
                text = String(String.UnicodeScalarView(scalars.filter { $0 != "[" && $0 != "]" }))
                if let first = scalars.firstIndex(of: "["), let last = scalars.firstIndex(of: "]") {
                    wrong = first..<last - 1
                }
            }
        }

        /// At least 9 of 25 mistakes are found at their place, and none is found in 30 right sentences.
        @Test func realMistakesAreFoundAndNoOthers() async throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "sentences.txt")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                !$0.hasPrefix("#")
            }
            let sentences = lines.map(Sentence.init)
            #expect(sentences.count { $0.wrong != nil } == 25 && sentences.count { $0.wrong == nil } == 30)
            // All sentences at once, a paragraph each, because Harper takes a second to start.
            let mistakes = try await checker.check(sentences.map(\.text).joined(separator: "\n\n")).mistakes
            var (found, madeUp, start) = (0, 0, 0)
            for sentence in sentences {
                let end = start + sentence.text.unicodeScalars.count
                let here = mistakes.filter { (start..<end).contains($0.start ?? -1) }
                if let wrong = sentence.wrong {
                    found += here.contains { ($0.start! - start..<$0.end! - start).contains(wrong.lowerBound) } ? 1 : 0
                } else {
                    madeUp += here.count
                }
                start = end + 2
            }
            print("Harper: \(found) of 25 mistakes found, \(madeUp) false alarms in 30 sentences")
            #expect(found >= 9 && madeUp == 0)
        }

        @Test func placesAreThoseOfTheText() async throws {
            let text = "😀 Zoë says he go to a old school"
            let check = try await checker.check(text)
            #expect(check.source.hasPrefix("harper-py 0.") && check.sentTo == nil)
            let scalars = Array(text.unicodeScalars)
            for mistake in check.mistakes {
                let place = try #require(mistake.start)..<#require(mistake.end)
                #expect(String(String.UnicodeScalarView(scalars[place])) == mistake.original)
            }
            let first = try #require(check.mistakes.first { $0.original == "go" })
            #expect(first.correction == "goes" && first.type == "grammar" && first.category == "agreement")
        }

        /// Capitals, commas, spelling and joined words are about writing, not about speech.
        @Test func spellingAndPunctuationAreNotMistakes() async throws {
            let check = try await checker.check("i live in my home town and i recieve freinds their")
            #expect(check.mistakes.allSatisfy { $0.category == "word choice" || $0.type == "grammar" })
            #expect(!check.mistakes.contains { ["i", "recieve", "freinds", "home town"].contains($0.original) })
        }
    }

    @Test(arguments: ["/nowhere/python", "/bin/false", "/bin/cat"]) func aPythonWithoutHarperIsReportedInOneSentence(
        _ python: String
    ) async {
        await #expect(throws: Problem.self) { try await HarperChecker(python: python).check("he go") }
    }

    @Test func aHangingCheckerIsStopped() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.file([UInt8]("#!/bin/sh\nexec sleep 600\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        await #expect(throws: Problem.self) {
            try await HarperChecker(python: program, time: .milliseconds(300)).check("he go")
        }
    }

    // MARK: - LanguageTool

    /// Returns a match as LanguageTool 6.5 describes it, without fields that are not read.
    private static func match(_ offset: Int, _ length: Int, _ value: String, category: String = "GRAMMAR") -> String {
        """
        {"message":"m","offset":\(offset),"length":\(length),"replacements":[{"value":"\(value)"},{"value":"x"}],\
        "rule":{"id":"R","issueType":"grammar","category":{"id":"\(category)","name":"Grammar"}}}
        """
    }

    private static func answer(_ matches: [String]) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["content-type": "application/json"],
            body: Array(
                "{\"software\":{\"name\":\"LanguageTool\",\"version\":\"6.5\"},\"matches\":[\(matches.joined(separator: ","))]}"
                    .utf8))
    }

    @Test func placesAreCountedInUTF16AndTheFormIsTheWire() async throws {
        let asked = Mutex<[HTTPRequest]>([])
        // "go" is at 20 in UTF-16: the smiling face is two units, ë is one.
        let offset = Self.text.utf16.count - "go to school".utf16.count
        let server = try HTTPServer { request in
            asked.withLock { $0.append(request) }
            return Self.answer([Self.match(offset, 2, "goes"), Self.match(0, 2, "casing", category: "CASING")])
        }
        defer { server.stop() }
        let check = try await LanguageToolChecker(address: server.url + "/").check(Self.text + " + 1&2=3")
        #expect(check.source == "LanguageTool 6.5" && check.sentTo == server.url)
        let mistake = try #require(check.mistakes.first)
        #expect(check.mistakes.count == 1 && mistake.original == "go" && mistake.correction == "goes")
        #expect(mistake.start == Self.text.unicodeScalars.count - "go to school".count)

        let request = try #require(asked.withLock { $0.first })
        #expect(request.method == "POST" && request.url == server.url + "/v2/check")
        guard case .bytes(let bytes) = request.body else {
            Issue.record("nothing was sent")
            return
        }
        let form = String(decoding: bytes, as: UTF8.self)
        let fields = form.split(separator: "&").map { $0.split(separator: "=", omittingEmptySubsequences: false) }
        #expect(fields.allSatisfy { $0.count == 2 })
        let text = fields.first { $0[0] == "text" }?[1].removingPercentEncoding
        #expect(text == Self.text + " + 1&2=3" && !form.contains("+"))
        #expect(form.contains("language=en-GB") && form.contains("CASING"))
    }

    /// Invalid matches are dropped: outside the text, in the middle of a character, or overlapping.
    @Test func placesOutsideTheTextAreDropped() async throws {
        let server = try HTTPServer { _ in
            Self.answer(
                [(-1, 2), (0, 0), (1, 1), (999, 1), (3, 999), (Int(Int32.max), 5), (5, 3), (6, 4)].map {
                    Self.match($0, $1, "z")
                })
        }
        defer { server.stop() }
        let check = try await LanguageToolChecker(address: server.url).check(Self.text)
        #expect(check.mistakes.map(\.original) == ["ë a"])
    }

    @Test(arguments: [
        HTTPResponse(status: 500), HTTPResponse(status: 302, headers: ["location": "/elsewhere"]),
        HTTPResponse(status: 200, body: Array("<html>".utf8)),
        HTTPResponse(status: 200, body: Array("{\"matches\":[]}".utf8)),
        HTTPResponse(status: 200, body: [UInt8](repeating: 32, count: 2 << 20)),
    ]) func anUnexpectedAnswerIsReportedInOneSentence(_ response: HTTPResponse) async throws {
        let server = try HTTPServer { _ in response }
        defer { server.stop() }
        let checker = try LanguageToolChecker(address: server.url)
        do {
            _ = try await checker.check("he go")
            Issue.record("the answer was accepted as the result of a check")
        } catch {
            #expect(error.kind == .unavailable && error.sentence.contains(server.url))
            #expect(!error.sentence.contains("he go"))
        }
    }

    @Test func aMissingServerIsReportedInOneSentence() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        let checker = try LanguageToolChecker(address: server.url)
        server.stop()
        await #expect(throws: Problem.self) { try await checker.check("he go") }
        for address in ["ftp://host", "host", "https://host?x=1", ""] {
            #expect(throws: Problem.self) { try LanguageToolChecker(address: address) }
        }
        await #expect(throws: Problem.self) {
            try await checker.check(String(repeating: "a ", count: LanguageCheckLimits.characters))
        }
    }
}
