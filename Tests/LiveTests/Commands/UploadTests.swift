import Foundation
import SessionFolders
import TestSupport
import Testing
import VirtualDevices
import Waiting

/// A live exam whose answers are uploaded. They arrive during the exam, and a destination that goes away costs nothing.
@Suite(
    .serialized,
    .needs(SoundServer.Kind.pulseAudio.obstacle))
struct UploadTests {
    @Test(.endsIfItHangs) func answersArriveWhileTheExamIsHeld() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seated = try ToolSeat(server, home: home.path)
        let answers = home.path + "/answers"
        #expect(await (try seated.start(["uploads", "to", "folder", answers])).end() == 0)
        let candidate = seated.candidate()
        defer { candidate.leave() }
        let tool = try seated.run()
        #expect(await PocketExam.awaitLine("openTake part1_q3", in: seated.folder), "\(tool.complaints)")
        #expect(await Patience.wait { arrived(in: answers).contains { $0.hasSuffix("part1_q1.opus") } })
        #expect(!arrived(in: answers).contains("complete.json"), "the exam is still held")
        #expect(tool.code == nil, "the exam ended before its first answer had arrived")
        #expect(await tool.end() == 0, "\(tool.complaints)")
        let manifest = try #require(try seated.folder.readManifest())
        #expect(manifest.takes.count == 5)
        #expect(arrived(in: answers).count { $0.hasSuffix(".opus") } == 5)
        #expect(arrived(in: answers).contains("complete.json"))
        let said = try String(contentsOfFile: tool.output, encoding: .utf8)
        #expect(said.contains("everything has arrived at \(answers)"), "\(said.suffix(300))")
    }

    @Test(.onlyInCheck, .endsIfItHangs) func aDestinationThatGoesAwayDoesNotHoldUpTheExam() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seated = try ToolSeat(server, home: home.path)
        let answers = home.path + "/answers"
        #expect(await (try seated.start(["uploads", "to", "folder", answers])).end() == 0)
        try FileManager.default.moveItem(atPath: answers, toPath: answers + ".away")
        let candidate = seated.candidate()
        defer { candidate.leave() }
        let tool = try seated.run()
        // The log has the times of the replay. After the exam, the tool waits half a minute for the folder.
        #expect(await tool.end() == 0, "\(tool.complaints)")
        try PocketExam.expectTheReplaysLog(in: seated.folder)
        let said = try String(contentsOfFile: tool.output, encoding: .utf8)
        #expect(said.contains("7 uploads still waiting"), "\(said.suffix(300))")
        #expect(!FileManager.default.fileExists(atPath: answers), "nothing was made in its place")
        try FileManager.default.moveItem(atPath: answers + ".away", toPath: answers)
        #expect(await (try seated.start(["uploads", "watch"])).end() == 0)
        #expect(arrived(in: answers).count { $0.hasSuffix(".opus") } == 5)
    }

    /// Returns the names of all files in a folder.
    private func arrived(in folder: String) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.compactMap { $0.split(separator: "/").last.map(String.init) }
    }
}
