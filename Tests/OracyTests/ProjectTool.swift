import Foundation
import LoopbackServers
import SupabaseStandIn
import TestSupport
import Testing

/// A self-hosted project from the point of view of the tool's user: its questions, an exam, its rows, its results.
@Suite(.needs(StandInProject.obstacle)) struct ProjectTool {
    private let home: Home
    private let project: StandInProject
    private let server: HTTPServer

    init() throws {
        home = try Home()
        project = try StandInProject(isSeeded: false)
        server = try project.serve()
        let prompts = Tool.fixtures + "/prompts"
        let sounds = try FileManager.default.contentsOfDirectory(atPath: prompts).filter { $0.hasSuffix(".opus") }
        project.addNeighbourhoods(sounds: sounds.sorted().prefix(8).map { "\(prompts)/\($0)" })
    }

    private func oracy(_ words: String..., typing text: String? = nil) throws -> Tool.Result {
        try Tool.run(words, home: home.path, input: text.map { try PseudoTerminal(typing: $0) })
    }

    private func signIn(as email: String = StandInAuth.email) throws {
        _ = try oracy("uploads", "to", "supabase", server.url, "--key", StandInProject.key, "--email", email)
        #expect(try oracy("account", "sign-in", typing: StandInAuth.password + "\n").code == 0)
    }

    /// Saves the template, and replays an exam with its questions.
    private func holdExam(_ name: String) throws -> String {
        let folder = "\(home.path)/\(name)"
        #expect(try oracy("templates", "save", "neighbourhoods", folder).output.contains("8 recordings"))
        try home.write(
            """
            {"version": 1, "about": "A template's exam.", "format": "format.json", "paper": "paper.json", "turns": {},
             "otherwise": {"answer": [{"wait": 0.5}, {"say": "\(Tool.fixtures)/answers/home-4.flac"}]}}
            """, to: "\(name)/scenario.json")
        let replay = try oracy("replay", folder, "--output", folder + "/session")
        #expect(replay.code == 0 && replay.output.contains("part 2, question 1"), "\(replay)")
        return folder + "/session"
    }

    @Test(.endsIfItHangs) func anExamGoesFromTheProjectsQuestionsToItsResults() async throws {
        defer { server.stop() }
        let denied = try oracy("templates")
        #expect(denied.code == 66 && denied.errors.contains("no destination is set"))
        try signIn()
        let list = try oracy("templates")
        #expect(list.code == 0 && list.output.hasPrefix("Neighbourhoods (Medium)\n  Where one lives"))
        #expect(try oracy("templates", "fetch", "Neigh").output == "\"Neighbourhoods\": 3 parts, up to 8 answers\n")
        let session = try holdExam("first")
        #expect(try oracy("uploads", "add", session).output.contains("8 answers queued"))
        #expect(try oracy("uploads", "flush").code == 0)
        // The rows in the project's own types.
        let rows = project.sql(
            """
            SELECT s.status, s.test_template_id::text, s.completed_responses::text, s.expected_responses::text,
              s.all_responses_uploaded::text, count(r.question_id)::text, bool_and(r.duration_seconds > 0)::text,
              bool_and(q.part_number * 100 + q.question_order = r.processing_order)::text
            FROM test_sessions s JOIN responses r ON r.test_session_id = s.id JOIN questions q ON q.id = r.question_id
            GROUP BY s.id
            """)
        #expect(rows == [["completed", StandInProject.template, "8", "8", "true", "8", "true", "true"]])
        #expect(project.objects().count == 8)
        #expect(try oracy("uploads", "results", session, "--deadline", "0").code == 75)
        // Evaluated without any mark.
        project.sql("UPDATE test_sessions SET status = 'evaluated'")
        let unscored = try oracy("uploads", "results", session)
        #expect(unscored.code == 0 && unscored.output.isEmpty && unscored.errors.contains("was not scored there"))
        project.sql(
            """
            UPDATE test_sessions SET overall_band_score = 6.5, fluency_score = 6;
            UPDATE responses SET fluency_score = 6, transcript = 'I lives in a town.',
              azure_response = '{"mistakes": [{"original": "lives", "correction": "live", "type": "grammar"}]}'
            WHERE processing_order = 101
            """)
        let results = try oracy("uploads", "results", session)
        for words in [
            "exam", "6.5", "part 1, question 1: What is the area where you live like?", "\"lives\" → \"live\"",
        ] {
            #expect(results.output.contains(words), "\(results)")
        }
        let json = try JSONSerialization.jsonObject(
            with: Data(try oracy("uploads", "results", session, "--json").output.utf8))
        #expect(((json as? [String: Any])?["scores"] as? [String: Double])?["overall"] == 6.5)
        #expect(project.with { $0.complaints } == [])
    }

    /// Two people with their own accounts at one project, on one machine.
    @Test(.endsIfItHangs) func twoAccountsOfOneProjectEachHaveTheirOwnSession() async throws {
        defer { server.stop() }
        try signIn()
        let session = try holdExam("shared")
        _ = try oracy("uploads", "add", session)
        #expect(try oracy("uploads", "flush").code == 0)
        _ = try oracy("uploads", "to", "supabase", server.url, "--key", StandInProject.key, "--email", "b@example.org")
        #expect(try oracy("uploads", "add", session).output.contains("8 answers queued"))
        let unknown = try oracy("uploads", "flush")
        #expect(unknown.code == 77 && unknown.errors.contains("you are not signed in"), "\(unknown)")
        #expect(try oracy("account", "sign-up", typing: "a long password\na long password\n").code == 0)
        let flush = try oracy("uploads", "flush")
        #expect(flush.code == 0, "\(flush)")
        let owners = project.sql(
            """
            SELECT u.email, count(r.id)::text FROM test_sessions s JOIN auth.users u ON u.id = s.user_id
            JOIN responses r ON r.test_session_id = s.id GROUP BY u.email ORDER BY u.email
            """)
        #expect(owners == [["b@example.org", "8"], [StandInAuth.email, "8"]])
        #expect(try oracy("account", "sign-out").output == "Signed out.\n")
        #expect(try oracy("account").code == 77)
    }

    @Test(.endsIfItHangs) func fetchedTemplatesAreUsedOffline() async throws {
        try signIn()
        #expect(try oracy("templates", "fetch", "Neighbourhoods").code == 0)
        server.stop()
        let list = try oracy("templates")
        #expect(
            list.code == 0 && list.output.contains("Neighbourhoods") && list.errors.contains("was fetched just now"))
        let fetch = try oracy("templates", "fetch", "Neighbourhoods")
        #expect(fetch.code == 0 && fetch.errors.contains("these questions were fetched just now"), "\(fetch)")
        let account = try oracy("account")
        #expect(account.code == 69)
    }

    @Test(.endsIfItHangs) func aTemplateThatCannotBeSatIsRefusedInOneSentence() async throws {
        defer { server.stop() }
        try signIn()
        let unknown = try oracy("run", "--template", "Nowhere", "--plain")
        #expect(unknown.code == 66 && unknown.errors.contains("which offers \"Neighbourhoods\""), "\(unknown)")
        project.sql("DELETE FROM questions WHERE part_number = 2")
        let partless = try oracy("run", "--template", "Neighbourhoods", "--plain")
        #expect(partless.code == 65 && partless.errors.contains("sections.part-2: is missing; part 2 needs it"))
        #expect(try oracy("run", "--template", "x", "--paper", "bridges").code == 64)
        project.put(
            .init(bytes: Array("no sound".utf8), etag: "\"other\"", mediaType: "audio/ogg"),
            at: "neighbourhoods/part1_q1.opus", in: "audio-question-set")
        let broken = try oracy("templates", "fetch", "Neighbourhoods")
        #expect(broken.code == 65 && broken.errors.split(separator: "\n").count < 4, "\(broken)")
    }
}
