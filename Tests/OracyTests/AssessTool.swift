import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import SessionFolders
import Synchronization
import Testing
import Waiting

/// `oracy assess`: requests to assessors, and their results on the screen, on disk and after erasing.
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

    /// Returns a server like OpenAI's: it sends a transcript, and a judgement of it.
    ///
    /// - Parameter instead: Returns another answer; nil to keep the usual one.
    private static func service(
        _ asked: Counter, instead: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
    ) throws -> HTTPServer {
        try HTTPServer { request in
            asked.requests.withLock { $0.append(request) }
            if let other = instead(request) { return other }
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
        let requests = Mutex<[HTTPRequest]>([])
        var now: Int { requests.withLock { $0.count } }
        var keys: [String] { requests.withLock { $0.compactMap { $0.header("idempotency-key") } } }
    }

    /// Sets up a recogniser and a language model at one address.
    private func setUp(_ server: HTTPServer) throws {
        for arguments in [
            ["assess", "with", "transcriber", server.url + "/v1", "--model", "whisper-1", "--id", "whisper"],
            ["assess", "with", "language-model", server.url + "/v1", "--model", "m", "--id", "llama"],
        ] {
            let set = try Tool.run(arguments, home: home.home.path)
            #expect(set.code == 0, "\(set.errors)")
        }
    }

    @Test func findingsAreKeptShownAndErased() throws {
        let asked = Counter()
        let server = try Self.service(asked)
        defer { server.stop() }
        #expect(try tool("assess").code == 66, "no assessor is set up")
        try setUp(server)
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
        // Everything is known, so no one is asked.
        let second = try tool("assess", "last")
        #expect(second.code == 0 && second.output.contains("All answers were assessed before.") && asked.now == 4)

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

    /// A third party receives nothing before the user has agreed to its name. Erasing a session reports what it
    /// received.
    @Test func aThirdPartyNeedsAConsentThatNamesIt() throws {
        #expect(try tool("assess", "with", "transcriber", "http://cloud.invalid/v1", "--model", "m").code == 0)
        let without = try tool("assess", "last")
        #expect(
            without.code == 69
                && without.output.contains("the candidate has not agreed to send anything to cloud.invalid"))
        #expect(try tool("assess", "list").output.contains("would send to cloud.invalid: not agreed yet"))
        let stranger = try tool("assess", "last", "--consent-to", "other.invalid")
        #expect(stranger.code == 65 && stranger.errors.contains("they use cloud.invalid"))
        #expect(try tool("assess", "withdraw", "cloud.invalid").code == 66)
        #expect(
            try tool("assess", "with", "transcriber", "http://cloud.invalid/v1", "--model", "m", "--id", "x y").code
                == 65)
        #expect(try tool("assess", "without", "transcriber").code == 0)
        #expect(try tool("assess", "without", "transcriber").code == 66)
    }

    /// The tool is killed during the answer to its first, second, third or fourth question. Earlier answers are kept
    /// for good, and that one question is asked again with the same key.
    @Test(arguments: 1...4) func anyDeathLeavesEachQuestionAnsweredOnce(_ death: Int) throws {
        let asked = Counter()
        let victim = Mutex<pid_t?>(nil)
        let server = try Self.service(asked) { _ in
            if asked.now == death {
                // The tool has been started, and its process id follows in a moment.
                if let id = Patience.poll({ victim.withLock { $0 } }) { kill(id, SIGKILL) }
            }
            return nil
        }
        defer { server.stop() }
        try setUp(server)
        let killed = try Tool.run(["assess", "last"], home: home.home.path) { id in victim.withLock { $0 = id } }
        #expect(killed.code == SIGKILL && asked.now == death)
        let next = try tool("assess", "last")
        #expect(next.code == 0, "\(next.errors)\(next.output)")
        var keys = asked.keys
        #expect(keys.count == 5 && Set(keys).count == 4)
        #expect(keys[death - 1] == keys[death], "the answer that was lost in the kill")
        // A kill may come after the last answer but before its findings are written. They are made from the stored
        // answers.
        try FileManager.default.removeItem(atPath: folder.path + "/findings.json")
        #expect(try tool("assess", "last").code == 0)
        keys = asked.keys
        #expect(keys.count == 5)
        #expect(try tool("results", "last").output.contains("marks    from llama"))
    }

    /// An unavailable service leaves a named gap. It doesn't hold up the others, and is asked again.
    @Test func absentServersAreNamed() throws {
        let asked = Counter()
        let isAway = Mutex(true)
        let server = try Self.service(asked) { request in
            guard request.path.hasSuffix("/chat/completions"), isAway.withLock({ $0 }) else { return nil }
            return HTTPResponse(status: 503, headers: ["retry-after": "900"])
        }
        defer { server.stop() }
        try setUp(server)
        let first = try tool("assess", "last")
        #expect(first.code == 75 && first.output.contains("part2_q1  whisper: 10 words"), "\(first.errors)")
        #expect(first.output.contains("not assessed\n  llama: m answers 503"))
        let results = try tool("results", "last")
        #expect(results.code == 0 && results.output.contains("heard by whisper"))
        let words = results.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("pronunciation: it was not marked") && words.contains("fillers: the transcript may"))
        #expect(try tool("report", "last").code == 0)
        isAway.withLock { $0 = false }
        let second = try tool("assess", "last")
        #expect(second.code == 0 && second.output.contains("grammar 5.5"), "\(second.errors)")
        #expect(asked.requests.withLock { all in all.count { $0.path.hasSuffix("/audio/transcriptions") } } == 1)
    }

    /// The first example of docs/assessors.md.
    @Test func theDocumentsCommandsDoWhatTheySay() throws {
        let document = try String(contentsOfFile: Tool.fixtures + "/../docs/assessors.md", encoding: .utf8)
        let block = try #require(
            document.components(separatedBy: "```sh\n").dropFirst().first?.components(separatedBy: "```")[0])
        let commands = block.split(separator: "\n").map { line in
            line.prefix { $0 != "#" }.split(separator: " ").dropFirst().map(String.init)
        }
        #expect(commands.map(\.first) == ["assess", "assess", "assess", "assess", "results"])
        for command in commands.prefix(2) { #expect(try Tool.run(command, home: home.home.path).code == 0) }
        let take = try #require(try folder.readManifest()?.takes.first)
        #expect(commands[2] == ["assess", "--try", "answer.wav"])
        let tried = try tool("assess", "--try", "\(folder.path)/\(take.file)").output
        #expect(tried.contains("POST http://localhost:8080/inference"))
        #expect(tried.contains("POST http://localhost:11434/api/chat") && tried.hasSuffix("Nothing was sent.\n"))
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
