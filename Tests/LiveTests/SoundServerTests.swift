import Foundation
import Glibc
import TestSupport
import Testing
import VirtualDevices
import Waiting

/// The kinds of servers that this machine has.
let kinds = Thoroughness.some(of: SoundServer.Kind.allCases.filter { $0.obstacle == nil }, oneIn: 2)

/// The lifecycle of the server itself. Each test has a server of its own, and several run at the same time.
@Suite(.endsIfItHangs) struct SoundServerTests {
    @Test(arguments: kinds) func stopLeavesNoProcessAndNoFolder(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let folder = folder(of: server)
        // The leash, and one daemon or three.
        #expect(processes(in: folder).count == (kind == .pulseAudio ? 2 : 4))
        server.stop()
        #expect(processes(in: folder) == [])
        #expect(!FileManager.default.fileExists(atPath: folder))
        server.stop()
    }

    @Test(arguments: kinds) func lastReferenceStopsIt(_ kind: SoundServer.Kind) throws {
        var server: SoundServer? = try SoundServer(kind)
        let folder = folder(of: try #require(server))
        server = nil
        #expect(processes(in: folder) == [])
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(arguments: kinds) func aKilledTestTakesItsServerAlong(_ kind: SoundServer.Kind) async throws {
        let note = "/tmp/oracy-sound-note-\(UUID().uuidString)"
        defer { unlink(note) }
        // Runs this very program as a process of its own. The library's exit tests wait for any child, and a test with
        // a sound server has other children, for which they would wait in vain.
        let child = Process()
        child.executableURL = URL(filePath: "/proc/self/exe")
        child.arguments = ["--testing-library", "swift-testing", "--filter", "killedWithItsServer"]
        child.environment = ProcessInfo.processInfo.environment.merging(
            [Self.note: note, Self.kind: kind.rawValue]) { _, new in new }
        child.standardOutput = FileHandle.nullDevice
        child.standardError = FileHandle.nullDevice
        try child.run()
        child.waitUntilExit()
        #expect(child.terminationReason == .uncaughtSignal && child.terminationStatus == SIGKILL)
        let address = try String(contentsOfFile: note, encoding: .utf8)
        let folder = String(address.dropFirst("unix:".count).dropLast("/native".count))
        #expect(await Patience.wait { processes(in: folder).isEmpty }, "\(processes(in: folder))")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    private static let note = "ORACY_TEST_NOTE"
    private static let kind = "ORACY_TEST_KIND"

    /// The test that is killed. Runs only as the child of the test above.
    @Test(.child(of: ProcessInfo.processInfo.environment[note]))
    func killedWithItsServer() throws {
        let environment = ProcessInfo.processInfo.environment
        let server = try SoundServer(try #require(environment[Self.kind].flatMap(SoundServer.Kind.init)))
        server.freeze()
        try server.address.write(toFile: environment[Self.note]!, atomically: true, encoding: .utf8)
        kill(getpid(), SIGKILL)
    }

    @Test(arguments: kinds) func devicesAreThereWithTheRightDefaults(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        #expect(try server.pactl("get-default-sink") == "loudspeaker\n")
        #expect(try server.pactl("get-default-source") == "microphone\n")
        let other = try server.addSeat("anna")
        let sources = try server.pactl("list", "sources").components(separatedBy: "Source #")
        for seat in [Seat.first, other] {
            let microphone = try #require(sources.first { $0.contains("Name: \(seat.microphone)\n") })
            #expect(microphone.contains("Monitor of Sink: n/a"))
            #expect(microphone.contains("1ch 48000Hz"))
            let sinks = try server.pactl("list", "short", "sinks")
            #expect(sinks.contains("\t\(seat.loudspeaker)\t") && sinks.contains("\t\(seat.mouth)\t"))
        }
    }

    @Test(arguments: kinds) func aKilledServerComesBackWithItsSeats(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let address = server.address
        _ = try server.addSeat("anna")
        for _ in 1...3 {
            let took = try ContinuousClock().measure {
                server.kill()
                #expect(throws: CommandFailure.self) { try server.pactl("info") }
                try server.restart()
            }
            print("\(kind.rawValue): killed and back in \(took)")
            #expect(server.address == address)
            #expect(try server.pactl("get-default-source") == "microphone\n")
            #expect(try server.pactl("list", "short", "sources").contains("\tanna-microphone\t"))
        }
    }

    @Test(arguments: kinds) func freezeSilencesPactlAndThawRevivesIt(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        server.freeze()
        #expect {
            try server.pactl("info", within: .milliseconds(700))
        } throws: { error in
            if case CommandFailure.unanswered = error { true } else { false }
        }
        server.thaw()
        #expect(try server.pactl("get-default-sink") == "loudspeaker\n")
        server.freeze()
        server.kill()
        try server.restart()
        #expect(try server.pactl("get-default-sink") == "loudspeaker\n")
        // A frozen server can be stopped, too.
        server.freeze()
        server.stop()
    }

    @Test func aMissingServerSaysWhatToInstall() throws {
        for kind in SoundServer.Kind.allCases where kind.obstacle != nil {
            #expect(try #require(kind.obstacle).contains("apt-get install"))
            #expect(throws: Unavailable.self) { try SoundServer(kind) }
        }
    }

    private func folder(of server: SoundServer) -> String {
        String(server.address.dropFirst("unix:".count).dropLast("/native".count))
    }

    /// Returns the processes that have the folder in their arguments or their environment.
    private func processes(in folder: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { pid in
            guard Int(pid) != nil, Int(pid) != Int(getpid()) else { return false }
            return ["cmdline", "environ"].contains { file in
                let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/\(file)") ?? Data()
                return String(decoding: bytes, as: UTF8.self).contains(folder)
            }
        }
    }
}
