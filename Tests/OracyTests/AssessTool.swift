import ExamKit
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import Testing

/// `oracy assess`: who is asked, what is shown, kept and erased.
@Suite struct AssessTool {
    private let home: MeasuredHome
    private let folder: SessionFolder

    init() throws {
        home = try MeasuredHome()
        folder = try home.session("2026-11-20T18:05:00Z")
    }

    private func tool(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(arguments, home: home.home.path)
    }

    /// Speaks as OpenAI does: a transcript, and a judgement of it.
    private static func service(_ asked: Counter) throws -> HTTPServer {
        try HTTPServer { request in
            asked.count.withLock { $0 += 1 }
            let text: String
            if request.path.hasSuffix("/audio/transcriptions") {
                text = "{\"text\":\"I go there every day and he don't like it.\"}"
            } else {
                let said = """
                    {"criteria":{"grammar":{"band":5.5,"because":"b","quotes":["he don't"]},"vocabulary":{"band":null},"topicRelevance":\
                    {"band":7,"quotes":["every day"]}},"mistakes":[{"quote":"he don't","start":0,"correction":"he doesn't","type":"grammar",\
                    "category":"agreement"},{"quote":"made up","correction":"x"}],"strengths":["You speak on."],"improvements":[],\
                    "suspect_instructions":false}
                    """
                let content = String(decoding: (try? JSONEncoder().encode(said)) ?? Data(), as: UTF8.self)
                text = "{\"choices\":[{\"message\":{\"content\":\(content)},\"finish_reason\":\"stop\"}]}"
            }
            return HTTPResponse(status: 200, headers: ["content-type": "application/json"], body: Array(text.utf8))
        }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
        var now: Int { count.withLock { $0 } }
    }

    @Test func whatIsSaidIsKeptShownAndErased() throws {
        let asked = Counter()
        let server = try Self.service(asked)
        defer { server.stop() }
        #expect(try tool("assess").code == 66, "nobody is set up")
        for arguments in [
            ["assess", "with", "transcriber", server.url + "/v1", "--model", "whisper-1", "--id", "whisper"],
            ["assess", "with", "language-model", server.url + "/v1", "--model", "m", "--id", "llama"],
        ] {
            let set = try Tool.run(arguments, home: home.home.path)
            #expect(set.code == 0, "\(set.errors)")
        }
        let list = try tool("assess", "list").output
        #expect(list.contains("whisper") && list.contains("llama") && list.contains("stays on this machine"))

        let take = try #require(try folder.readManifest()?.takes.first)
        let tried = try tool("assess", "--try", "\(folder.path)/\(take.file)")
        #expect(tried.code == 0 && tried.output.hasSuffix("Nothing was sent.\n") && asked.now == 0, "\(tried.errors)")

        let first = try tool("assess", "last")
        #expect(first.code == 0, "\(first.errors)\(first.output)")
        #expect(first.output.contains("part2_q1  whisper: 10 words"))
        #expect(first.output.contains("grammar 5.5") && first.output.contains("3 quotes left out"))
        #expect(asked.now == 4)
        // All is known: nobody is asked.
        let second = try tool("assess", "last")
        #expect(second.code == 0 && second.output.contains("Everything was said before.") && asked.now == 4)

        let results = try tool("results", "last").output
        #expect(results.contains("marks    from llama") && results.contains("llama, a machine"))
        #expect(results.contains("\"he don't\" → \"he doesn't\"") && results.contains("heard by whisper"))
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(try tool("results", "last", "--json").output.utf8))
                as? [String: Any])
        #expect((json["said"] as? [Any])?.count == 2)
        #expect(try tool("report", "last").code == 0)
        let page = try String(contentsOfFile: folder.path + "/report.html", encoding: .utf8)
        #expect(page.contains("as whisper heard it") && page.contains("<del>he don"))

        for file in ["findings.json", "calls.jsonl"] {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(file)")
            #expect(facts[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        let erased = try tool("sessions", "erase", "last", "--yes")
        #expect(erased.code == 0 && erased.output.contains("calls.jsonl") && erased.output.contains("findings.json"))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    /// Somebody else's machine is told nothing before its name was agreed to, and what it was sent is told when a session is erased.
    @Test func aThirdPartyNeedsAConsentThatNamesIt() throws {
        #expect(try tool("assess", "with", "transcriber", "http://cloud.invalid/v1", "--model", "m").code == 0)
        let without = try tool("assess", "last")
        #expect(without.code == 69 && without.output.contains("nobody agreed that anything is sent to cloud.invalid"))
        #expect(try tool("assess", "list").output.contains("would send to cloud.invalid: not agreed yet"))
        let stranger = try tool("assess", "last", "--consent-to", "other.invalid")
        #expect(stranger.code == 65 && stranger.errors.contains("there are cloud.invalid"))
        #expect(try tool("assess", "withdraw", "cloud.invalid").code == 66)
        #expect(
            try tool("assess", "with", "transcriber", "http://cloud.invalid/v1", "--model", "m", "--id", "x y").code
                == 65)
        #expect(try tool("assess", "without", "transcriber").code == 0)
        #expect(try tool("assess", "without", "transcriber").code == 66)
    }

    @Test func aBudgetIsAskedForAndShown() throws {
        let asked = Counter()
        let server = try Self.service(asked)
        defer { server.stop() }
        #expect(try tool("assess", "with", "transcriber", server.url + "/v1", "--model", "m").code == 0)
        #expect(try tool("assess", "budget", "--minutes", "0").code == 0)
        let result = try tool("assess", "last")
        #expect(result.code == 75 && result.output.contains("today's budget of 0 minutes is spent") && asked.now == 0)
        #expect(try tool("assess", "list").output.contains("today: 0.0 minutes of 0"))
        #expect(try tool("assess", "budget").code == 0)
        #expect(try tool("assess", "last").code == 0)
        #expect(asked.now == 1)
    }
}
