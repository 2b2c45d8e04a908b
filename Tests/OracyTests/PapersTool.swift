import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import Synchronization
import Testing
import Waiting

/// `oracy papers`: a model writes items, a person reviews them, and papers use them.
@Suite struct PapersTool {
    private let home: Home

    init() throws { home = try Home() }

    private func tool(_ arguments: String..., typing text: String? = nil) throws -> Tool.Result {
        try Tool.run(["papers"] + arguments, home: home.path, input: text.map { try PseudoTerminal(typing: $0) })
    }

    private static let questions = [
        ("Where did you last see a bee?", "remember", "What was it doing?"),
        ("How often do you eat honey at home?", "remember", "What do you eat it with?"),
        ("How did you feel about bees as a child?", "understand", "What has changed since then?"),
        ("What would you like to ask someone who keeps a hive?", "apply", "Why does that interest you?"),
        ("How would you make a small garden more pleasant for bees?", "apply", "Which plants would you choose?"),
    ]

    private static func bees(_ count: Int = 5) -> String {
        let own = questions.prefix(count).map { text, bloom, followUp in
            "{\"text\": \"\(text)\", \"bloom\": \"\(bloom)\", \"followUp\": \"\(followUp)\"}"
        }
        return """
            {"title": "Bees", "difficulty": "Easy", "keywords": ["bee", "honey", "hive"], "lead": "Let us talk about bees.",
             "questions": [\(own.joined(separator: ", "))]}
            """
    }

    private final class Asked: Sendable {
        let bodies = Mutex<[String]>([])
        var now: Int { bodies.withLock { $0.count } }
    }

    /// Returns a server that writes well about bees the third time, and never about anything else.
    private static func service(_ asked: Asked, stopping: (@Sendable (Int) -> Void)? = nil) throws -> HTTPServer {
        try HTTPServer { request in
            if request.path.hasSuffix("/models") {
                return answer("{\"data\": [{\"id\": \"m-2\"}, {\"id\": \"m-1\"}]}")
            }
            let body = String(decoding: request.bytes, as: UTF8.self)
            let bees = asked.bodies.withLock { bodies in
                bodies.append(body)
                return bodies.count { $0.contains(#"\"topic\" : \"bees\""#) }
            }
            stopping?(asked.now)
            let isBees = body.contains(#"\"topic\" : \"bees\""#)
            let said =
                !isBees ? "I would rather not." : bees == 1 ? "{\"title\": " : bees == 2 ? Self.bees(4) : Self.bees()
            let content = String(decoding: (try? JSONEncoder().encode(said)) ?? Data(), as: UTF8.self)
            return answer("{\"choices\":[{\"message\":{\"content\":\(content)},\"finish_reason\":\"stop\"}]}")
        }
    }

    private static func answer(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["content-type": "application/json"], body: Array(text.utf8))
    }

    private func write(_ server: HTTPServer) throws -> Tool.Result {
        try tool(
            "new", "--from", "openai", "--model", "m-1", "--address", server.url + "/v1", "--topic", "bees", "--topic",
            "rain",
            "--items", "2")
    }

    @Test func passagesPicturesAndChoicesAreShown() throws {
        let shown = try ["retell-lecture-pencil", "persuade-empty-room", "scene-station-hall"].map {
            try tool("show", $0).output
        }
        #expect(shown[0].contains("  Heard: ") && shown[1].contains("    B, ") && shown[2].contains("  The picture: "))
    }

    /// Two commands at a time would overwrite each other's state.
    @Test func onlyOneModelWritesAtATime() throws {
        let asked = Asked()
        let server = try Self.service(asked)
        defer { server.stop() }
        let folder = home.path + "/.local/share/oracy"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = open(folder + "/bank-writing.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        let refused = try write(server)
        #expect(refused.code == 73 && refused.errors.contains("another oracy command is using the model"))
        let count = asked.bodies.withLock { $0.count }
        #expect(count == 0, "the model was not asked")
        close(file)
        #expect(try write(server).code == 0)
    }

    @Test func twoRepairsAndAFallbackAreCountedAndADraftIsKept() throws {
        let asked = Asked()
        let server = try Self.service(asked)
        defer { server.stop() }
        #expect(try tool("review").code == 66)
        let written = try write(server)
        #expect(written.code == 0, "\(written.errors)\(written.output)")
        #expect(written.output.contains("1 of 2  bees: \"Bees\", written in 3 attempts"))
        #expect(
            written.output.contains(
                "2 of 2  rain from the bank replaces it: m-1 broke rules 5 times, most recently json"))
        #expect(
            written.output.contains("2 items wanted: 1 written, 1 from the bank, 0 failed\n8 attempts, 6 repairs, "))
        #expect(written.output.contains("responses that broke a rule: json 5, counts 1, cut 1"))
        #expect(asked.now == 8 && asked.bodies.withLock { $0[2].contains("there are 4; there should be 5") })
        #expect(try tool("new", "--resume").code == 66, "there is nothing to resume")

        let path = home.path + "/.local/share/oracy/bank-drafts/bees.json"
        let draft = try String(contentsOfFile: path, encoding: .utf8)
        #expect(draft.contains("\"writtenBy\" : \"m-1\""))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let shown = try tool("review").output
        #expect(shown.contains("== bees") && shown.contains("written by m-1") && shown.contains("no flaws"))
        let listed = try tool("list").output.split(separator: "\n")
        #expect(!listed.contains { $0.hasPrefix("bees") }, "it was not kept yet")

        #expect(try tool("review", "--keep").code == 64)
        #expect(
            try tool("review", "bees", "--keep").output
                == "bees is in your bank now, and can be drawn for your papers.\n")
        #expect(try tool("review", "bees", "--keep").code == 66)
        #expect(try tool("list").output.contains("bees") && tool("lint").output.contains("no flaws"))
        let drawn = try tool("new", "--topic", "bees", "--seed", "1", "--output", home.path)
        let paper = try #require(drawn.output.split(separator: " ").first.map(String.init))
        #expect(try tool("show", paper).output.contains("partly written by m-1"), "\(drawn)")
    }

    @Test func aDraftThatBreaksARuleIsNotKept() throws {
        let item = """
            {"version": 1, "kind": "frame", "id": "bees", "section": "topics", "writtenBy": "m-1", \(Self.bees(4).dropFirst())
            """
        try home.write(item, to: ".local/share/oracy/bank-drafts/bees.json")
        #expect(try tool("review").output.contains("questions: counts: there are 4; there should be 5"))
        let kept = try tool("review", "bees", "--keep")
        #expect(kept.code == 65 && kept.errors.contains("counts: there are 4"))
        #expect(try tool("review", "bees", "--drop").output == "bees was dropped.\n")
        #expect(try tool("review").code == 66)
    }

    /// y keeps, n drops, q leaves the rest. Any other key repeats the question.
    @Test func itemsAreReviewedOneAfterAnother() throws {
        for (id, word) in [("bees-1", "bee"), ("bees-2", "wasp"), ("bees-3", "moth")] {
            let own = Self.bees().replacing("bee", with: word).replacing("\"Bees\"", with: "\"Insects\"")
            let other = own.replacing("you", with: word == "bee" ? "you" : "your neighbour")
            try home.write(
                "{\"version\": 1, \"kind\": \"frame\", \"id\": \"\(id)\", \"section\": \"topics\", \"writtenBy\": \"m-1\", \(other.dropFirst())",
                to: ".local/share/oracy/bank-drafts/\(id).json")
        }
        let files = { (folder: String) in
            (try? FileManager.default.contentsOfDirectory(atPath: "\(home.path)/.local/share/oracy/\(folder)"))?
                .sorted() ?? []
        }
        let first = try tool("review", typing: "what?\nn\nq\n")
        #expect(first.code == 0 && first.output.contains("bees-1 was dropped."), "\(first)")
        #expect(first.output.components(separatedBy: "Keep it?").count == 4 && !first.output.contains("== bees-3"))
        #expect(files("bank-drafts") == ["bees-2.json", "bees-3.json"] && files("bank") == [])
        let second = try tool("review", "bees-3", typing: "q\n")
        #expect(second.code == 0 && files("bank-drafts").count == 2)
        // A draft that violates a rule can't be kept with y either.
        let third = try tool("review", typing: "y\n")
        #expect(third.code == 65 || files("bank") == ["bees-2.json"], "\(third)")
    }

    /// Generation that is stopped at any question continues there, with the same result.
    @Test(arguments: [1, 2, 3, 5]) func stoppedWorkContinues(_ stop: Int) throws {
        let asked = Asked()
        let tool = Mutex<pid_t?>(nil)
        let server = try Self.service(asked) { now in
            guard now == stop else { return }
            // The answer comes after the asking program has gone.
            let id = Patience.poll { tool.withLock { $0 } }
            if let id { kill(id, stop == 3 ? SIGKILL : SIGINT) }
            _ = Patience.poll { id.map { kill($0, 0) == 0 } ?? false ? nil : true }
        }
        defer { server.stop() }
        let first = try Tool.run(
            [
                "papers", "new", "--from", "openai", "--model", "m-1", "--address", server.url + "/v1", "--topic",
                "bees",
                "--topic", "rain", "--items", "2",
            ], home: home.path
        ) { id in tool.withLock { $0 = id } }
        #expect(first.code == (stop == 3 ? SIGKILL : 75), "\(first)")
        let file = home.path + "/.local/share/oracy/bank-writing.json"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let second = try self.tool("new", "--resume")
        #expect(second.code == 0, "\(second)")
        #expect(second.output.contains("2 items wanted: 1 written, 1 from the bank, 0 failed"), "\(second)")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try self.tool("review").output.contains("== bees"))
    }

    @Test func unavailableModelsAreNamed() throws {
        let mlx = try tool("new", "--from", "mlx", "--model", "m")
        #expect(mlx.code == 69 && mlx.errors.hasPrefix("oracy: MLX needs a Mac with Apple silicon"))
        #expect(try tool("new", "--from", "openai").code == 64)
        let cloud = try tool("new", "--from", "openai", "--model", "m", "--address", "https://cloud.invalid/v1")
        #expect(cloud.code == 77 && cloud.errors.contains("--consent-to cloud.invalid"))
        let other = try tool(
            "new", "--from", "openai", "--model", "m", "--address", "https://cloud.invalid/v1", "--consent-to",
            "else.invalid")
        #expect(other.code == 65 && other.errors.contains("it would be cloud.invalid"))
        let asked = Asked()
        let server = try Self.service(asked)
        defer { server.stop() }
        let models = try tool("models", "--openai", server.url + "/v1", "--ollama", "http://127.0.0.1:1")
        #expect(models.code == 0 && models.output.contains("/v1  m-1, m-2") && models.output.contains("no answer: "))
        #expect(models.output.hasSuffix("mlx     not available on this platform\n") && asked.now == 0, "\(models)")
    }
}
