import ExamCore
import Foundation
import Glibc
import SessionFolders
import TestSupport
import Testing
import VirtualDevices

/// A disk that fills up while the candidate speaks. One sentence says how to continue, and nothing is lost.
@Suite(
    .serialized,
    .needs(SoundServer.Kind.pulseAudio.obstacle))
struct FullDisk {
    @Test(.onlyInCheck, .needs(SmallDisk.obstacle), .endsIfItHangs)
    func speechIsKeptAndTheExamResumesWhenThereIsRoom()
        async throws
    {
        let disk = try SmallDisk(kibibytes: 1_024)
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seated = try ToolSeat(server, home: home.path, session: disk.path + "/session")
        let candidate = seated.candidate()
        defer { candidate.leave() }
        let tool = try seated.run(["--part", "1"])
        #expect(await PocketExam.awaitLine("hearing where", in: seated.folder), "\(tool.complaints)")
        disk.fill(leaving: 8_192)

        #expect(await tool.end() == 74)
        let kept = "what was recorded until then is kept in \(seated.folder.path)"
        let advice = "Once it can be written again, continue: oracy resume \(seated.folder.path)"
        #expect(tool.complaints.count { !$0.contains("oracy check") } == 1)
        let sentence = tool.complaints.last ?? ""
        #expect(sentence.contains("no space left on device"), "\(sentence)")
        #expect(sentence.hasSuffix("; \(kept). \(advice)"), "\(sentence)")
        let frozen = try seated.folder.frozenExam()
        let script = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).script
        let stored = StoredSession(folder: seated.folder, script: try #require(script))
        let committed = try stored.check(after: [])
        #expect(committed.map(\.take.question) == ["name"])
        // The voice began at half a second, and the recording up to then was on disk.
        #expect(try stored.sampleCount("takes/part1_q2.wav") > 4_000)

        let tooEarly = try seated.resume()
        #expect(await tooEarly.end() == 74)
        #expect(tooEarly.complaints.count == 1 && tooEarly.complaints[0].hasSuffix(advice), "\(tooEarly.complaints)")
        let still = try stored.check(after: committed)

        disk.clear()
        let again = try seated.resume()
        #expect(await again.end() == 0, "\(again.complaints)")
        try stored.checkCompleted(["name", "where", "library"], after: still)
    }

    @Test(.needs(SmallDisk.obstacle), .endsIfItHangs) func anExamThatCannotBeStoredDoesNotBegin() async throws {
        let disk = try SmallDisk(kibibytes: 64)
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seated = try ToolSeat(server, home: home.path, session: disk.path + "/session")
        disk.fill(leaving: 0)
        let tool = try seated.run(on: .init(environment: ["XDG_DATA_HOME": disk.path]))
        #expect([73, 74].contains(await tool.end()))
        #expect(tool.complaints.count == 1 && tool.complaints[0].contains("no space left"), "\(tool.complaints)")
    }
}
