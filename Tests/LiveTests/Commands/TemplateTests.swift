import Foundation
import LoopbackServers
import SessionFolders
import SupabaseStandIn
import TestSupport
import Testing
import VirtualDevices

extension Commands {
    /// `oracy run --template`: spoken questions of a project, and the project's results for the answers.
    @Suite(.serialized, .needs(StandInProject.obstacle)) struct Template {
        @Test(.endsIfItHangs) func aProjectsQuestionIsSatLiveAndItsResultIsShown() async throws {
            let project = try StandInProject(isSeeded: false)
            let server = try project.serve()
            defer { server.stop() }
            project.addNeighbourhoods(sounds: ["\(Sounds.fixtures)/answers/short.flac"])
            project.sql("DELETE FROM questions WHERE part_number = 1 AND question_order > 1")
            let booth = try Booth()
            let chosen = try await booth.run(
                "uploads", "to", "supabase", server.url, "--key", StandInProject.key, "--email", StandInAuth.email)
            #expect(chosen.code == 0, "\(chosen.errors)")
            let door = try booth.start(["account", "sign-in"], typing: true)
            door.type(StandInAuth.password)
            #expect(await door.end() == 0, "\(door.errors)")

            let tool = try booth.start(["run", "--template", "neigh", "--part", "1", "--consent", "--plain"])
            let folder = try await booth.newSession()
            let question = StandInProject.question(1, 1)
            let candidate = RecordedCandidate(
                at: .first, of: booth.server, log: folder.log,
                answers: [question: "\(Sounds.fixtures)/answers/sentence-1.flac"])
            defer { candidate.leave() }
            #expect(await tool.says("waiting for results"), "\(tool.output)\n\(tool.errors)")
            let rows = project.sql(
                """
                SELECT s.status, s.completed_responses::text, r.question_id::text, (r.duration_seconds >= 2)::text
                FROM test_sessions s JOIN responses r ON r.test_session_id = s.id
                """)
            #expect(rows == [["completed", "1", question, "true"]])
            project.sql("UPDATE responses SET fluency_score = 6.5; UPDATE test_sessions SET status = 'evaluated'")
            #expect(await tool.end() == 0, "\(tool.errors)")
            #expect(tool.output.contains("part 1, question 1        -      6.5"), "\(tool.output)")
        }
    }
}
