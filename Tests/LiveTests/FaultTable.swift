import AudioFiles
import ExamCore
import ExamKit
import Foundation
import SessionFolders
import Synchronization
import SystemSupport
import TestSupport
import Testing
import Waiting

@testable import PulseRoom
@testable import VirtualDevices

/// The troubles that may interrupt an exam, each on a sound server of its own. The trouble gets its name, and the exam
/// continues from there, or is saved.
@Suite(
    .needs(SoundServer.Kind.pulseAudio.obstacle))
struct FaultTable {
    /// A fault, and its expected effects.
    private struct Fault: Sendable {
        /// The words in the log after which the fault happens.
        var after: [String]
        var happens: @Sendable (SoundServer) throws -> Void
        var mends: @Sendable (SoundServer) throws -> Void
        /// The allowed names of the trouble.
        var names: Set<Exam.Trouble>
        /// The end of the first attempt at the answer in progress. Nil if no answer was in progress.
        var ends: String?
        /// The time from the fault to its repair.
        var lasts = Duration.seconds(1)
        /// Prepares the devices before the exam begins.
        var before: @Sendable (SoundServer) throws -> Void = { _ in }
    }

    private func hold(_ fault: Fault, kind: SoundServer.Kind = .pulseAudio) async throws -> [LogLine] {
        try await Lanes.shared.drive { try await befall(fault, kind) }
    }

    private func befall(_ fault: Fault, _ kind: SoundServer.Kind) async throws -> [LogLine] {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let folder = try SessionFolder.create(at: home.path + "/session")
        try fault.before(server)
        let result = try await PocketExam.hold(PocketExam.sitting(), in: folder, at: .first, of: server) { _ in
            #expect(
                await Patience.wait {
                    PocketExam.log(folder).contains { line in fault.after.allSatisfy(line.contains) }
                })
            // The fault happens some time after the line's event.
            try await Task.sleep(for: .milliseconds(300))
            try fault.happens(server)
            let happened = SteadyClock.now
            #expect(await PocketExam.awaitLine("deviceLost", in: folder))
            print("noticed after \(SteadyClock.now - happened)")
            try await Task.sleep(for: fault.lasts)
            try fault.mends(server)
            #expect(await PocketExam.awaitLine("deviceBack", in: folder))
        }
        #expect(result.outcome == .completed)
        let log = try LogLine.all(of: folder.log)
        let names = log.compactMap { $0.event.hasPrefix("deviceLost ") ? String($0.event.dropFirst(11)) : nil }
        #expect(names.count == 1 && fault.names.map(\.rawValue).contains(names[0]), "\(names)")
        try checkTakes(result, lost: fault.ends != nil)
        return log
    }

    /// Checks that every question has one finished answer, and that a lost attempt is stored beside it, playable.
    private func checkTakes(_ result: SessionResult, lost: Bool) throws {
        #expect(
            result.takes.filter { $0.end == "finished" }.map(\.question) == [
                "name", "where", "library", "place-card", "towns",
            ])
        let broken = result.takes.filter { $0.end == "deviceLost" }
        #expect(broken.count == (lost ? 1 : 0))
        for take in result.takes {
            let samples = try Sounds.samples("\(result.folder.path)/\(take.file)").count
            #expect(abs(samples - take.duration.duration.milliseconds * 16) <= 320, "\(take.file)")
        }
    }

    @Test(.onlyInCheck) func theServerIsKilledWhileTheExaminerSpeaks() async throws {
        let log = try await hold(
            Fault(
                after: ["\"play library\""], happens: { $0.kill() }, mends: { try $0.restart() },
                names: [.serverGone]))
        #expect(log.count { $0.do.contains("play library") } == 2, "the words are said again from their beginning")
    }

    @Test func theServerIsKilledInAnAnswer() async throws {
        let log = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"], happens: { $0.kill() }, mends: { try $0.restart() },
                names: [.serverGone], ends: "deviceLost"))
        #expect(log.count { $0.do.contains("play where") } == 2, "the question is asked again")
        #expect(log.contains { $0.do.contains("openTake part1_q2_a2") })
    }

    @Test(.onlyInCheck) func theServerIsKilledInPreparation() async throws {
        let log = try await hold(
            Fault(
                after: ["\"phase\":\"preparing"], happens: { $0.kill() }, mends: { try $0.restart() },
                names: [.serverGone]))
        let began = try #require(log.first { $0.phase == "preparing place-card" }).at
        let lost = try #require(log.first { $0.event.hasPrefix("deviceLost") }).at
        let back = try #require(log.first { $0.event == "deviceBack" }).at
        let ended = try #require(log.first { $0.phase == "speaking begin" }).at
        #expect(
            abs((ended - began) - (back - lost) - 3) < 0.1,
            "preparation lasts three seconds besides the time without a device")
    }

    @Test func theMicrophoneIsUnpluggedInAnAnswer() async throws {
        _ = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"], happens: { try $0.unplugMicrophone() },
                mends: { try $0.plugMicrophone() }, names: [.microphoneGone], ends: "deviceLost"))
    }

    @Test(.onlyInCheck) func theMicrophoneIsSuspendedInAnAnswer() async throws {
        _ = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"], happens: { try $0.suspendMicrophone() },
                mends: { try $0.resumeMicrophone() }, names: [.microphoneSuspended], ends: "deviceLost"))
    }

    @Test(.onlyInCheck) func theMicrophoneIsMutedInAnAnswer() async throws {
        _ = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"], happens: { try $0.muteMicrophone() },
                mends: { try $0.unmuteMicrophone() }, names: [.microphoneMuted], ends: "deviceLost"))
    }

    @Test(.onlyInCheck) func theMicrophonesVolumeIsZeroInAnAnswer() async throws {
        _ = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"],
                happens: { try $0.pactl("set-source-volume", "microphone", "0") },
                mends: { try $0.pactl("set-source-volume", "microphone", "100%") }, names: [.microphoneMuted],
                ends: "deviceLost"))
    }

    /// The button of a headset: zeros follow a noise floor, and the sound server reports nothing.
    @Test func theMicrophoneIsSwitchedOffByItsOwnButton() async throws {
        let floor = Mutex<Command?>(nil)
        let begin: @Sendable (SoundServer) throws -> Void = { server in
            var dice = SplitMix64(seed: 4)
            let hiss = (0..<(60 * 16_000)).map { _ in Float.random(in: -0.001...0.001, using: &dice) }
            let file = "\(server.den.folder)/\(UUID().uuidString).wav"
            try Sounds.write(hiss, to: file)
            let command = try server.den.begin("paplay", ["--device=mouth", file], environment: server.environment)
            floor.withLock { $0 = command }
        }
        _ = try await hold(
            Fault(
                after: ["preparing place-card"], happens: { _ in floor.withLock { $0?.process.kill() } },
                mends: begin, names: [.microphoneMuted], before: begin))
        floor.withLock { $0?.process.kill() }
    }

    /// One channel of a stereo microphone has the wrong polarity, so their mean would be silence.
    @Test func aStereoMicrophoneWithAnInvertedChannelIsHeard() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        try server.pactl("load-module", "module-null-sink", "sink_name=pair", "rate=48000", "channels=2", "norewinds=1")
        try server.pactl(
            "load-module", "module-remap-source", "master=pair.monitor", "source_name=stereo", "channels=2")
        let folder = try TemporaryFolder()
        let tone = Sounds.tone(seconds: 20)
        try Sounds.write(tone, to: folder.path + "/left.wav")
        try Sounds.write(tone.map(-), to: folder.path + "/right.wav")
        let files = ["left.wav", "right.wav", "both.wav"].map { "\(folder.path)/\($0)" }
        let joined = try server.den.begin("sox", ["-M"] + files, environment: server.environment)
        #expect(await Patience.wait { joined.process.status != nil })
        let player = try server.den.begin(
            "paplay", ["--device=pair", folder.path + "/both.wav"], environment: server.environment)
        defer { player.process.kill() }
        var settings = PulseAudioRoom.Settings()
        settings.server = server.address
        settings.microphone = "stereo"
        let room = try await PulseAudioRoom(settings)
        defer { room.close() }
        var loudest: Float = 0
        // The tone lasts twenty seconds, and half a second of it is enough.
        var blocks = 0
        while loudest < 0.05, blocks < 1_000, let moment = await room.next() {
            guard case .heard(let block) = moment.what else { continue }
            blocks += 1
            loudest = max(loudest, block.samples.map(abs).max() ?? 0)
        }
        #expect(loudest >= 0.05)
    }

    /// There are real microphones, too, so the message is to choose one, not to plug one in.
    @Test func aDefaultThatIsAMonitorIsReported() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        try server.pactl("set-default-source", "loudspeaker.monitor")
        var settings = PulseAudioRoom.Settings()
        settings.server = server.address
        await #expect(throws: Exam.Trouble.monitorIsDefault) { _ = try await PulseAudioRoom(settings) }
        settings.microphone = "microphone"
        let room = try await PulseAudioRoom(settings)
        #expect(room.microphone == "microphone")
        room.close()
    }

    @Test(.onlyInCheck) func theServerStandsStillInAnAnswer() async throws {
        _ = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"], happens: { $0.freeze() }, mends: { $0.thaw() },
                names: [.microphoneStalled], ends: "deviceLost"))
    }

    @Test func theLoudspeakerIsMutedWhileTheExaminerSpeaks() async throws {
        _ = try await hold(
            Fault(
                after: ["\"play library\""], happens: { try $0.pactl("set-sink-mute", "loudspeaker", "1") },
                mends: { try $0.pactl("set-sink-mute", "loudspeaker", "0") }, names: [.loudspeakerMuted]))
    }

    /// The suspension lasts so long that the clip would begin three times if the exam did not wait.
    @Test(.onlyInCheck) func theLoudspeakerIsSuspendedWhileTheExaminerSpeaks() async throws {
        let log = try await hold(
            Fault(
                after: ["\"play library\""], happens: { try $0.pactl("suspend-sink", "loudspeaker", "1") },
                mends: { try $0.pactl("suspend-sink", "loudspeaker", "0") }, names: [.loudspeakerSuspended],
                lasts: .seconds(5)))
        #expect(log.count { $0.do.contains("play library") } == 2)
    }

    @Test(.onlyInCheck, .needs(SoundServer.Kind.pipeWire.obstacle))
    func theSameHoldsOnPipeWire() async throws {
        _ = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"], happens: { $0.kill() }, mends: { try $0.restart() },
                names: [.serverGone], ends: "deviceLost"), kind: .pipeWire)
        _ = try await hold(
            Fault(
                after: ["voiceBegan", "hearing where"], happens: { try $0.unplugMicrophone() },
                mends: { try $0.plugMicrophone() }, names: [.microphoneGone, .microphoneMoved], ends: "deviceLost"),
            kind: .pipeWire)
    }

    @Test func aDeviceThatStaysAwaySavesTheSessionAndItIsResumed() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let folder = try SessionFolder.create(at: home.path + "/session")
        let sitting = try await PocketExam.sitting()
        let left = try await PocketExam.hold(sitting, in: folder, at: .first, of: server, deviceTimeout: .seconds(2)) {
            _ in
            #expect(await PocketExam.awaitLine("voiceBegan", "hearing where", in: folder))
            try server.unplugMicrophone()
        }
        #expect(left.outcome == nil)
        #expect(left.takes.map(\.end) == ["finished", "deviceLost"])
        try server.plugMicrophone()
        let result = try await PocketExam.hold(
            PreparedExam(resuming: folder), in: folder, at: .first, of: server, resuming: true)
        #expect(result.outcome == .completed)
        try checkTakes(result, lost: true)
        #expect(throws: Never.self) { try SessionLog.replay(folder.log, script: sitting.script) }
    }

    @Test func withoutAServerNothingBegins() async throws {
        var settings = PulseAudioRoom.Settings()
        settings.server = "unix:/tmp/no-such-socket"
        do {
            _ = try await PulseAudioRoom(settings)
            Issue.record("a room opened without a server")
        } catch {
            #expect(error as? Exam.Trouble == .noServer)
        }
    }

    /// Without a microphone the default source is the loudspeaker's monitor, and the examiner would be recorded.
    @Test func aMonitorIsNotUsedAsAMicrophone() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        try server.unplugMicrophone()
        try server.pactl("set-default-source", "loudspeaker.monitor")
        var settings = PulseAudioRoom.Settings()
        settings.server = server.address
        do {
            _ = try await PulseAudioRoom(settings)
            Issue.record("a room opened with a loudspeaker for a microphone")
        } catch {
            #expect(error as? Exam.Trouble == .noMicrophone)
        }
    }

    /// A server that accepts connections and never answers. libpulse itself would wait half a minute.
    @Test func aHungServerIsGivenUp() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        server.freeze()
        defer { server.thaw() }
        var settings = PulseAudioRoom.Settings()
        settings.server = server.address
        let patient = try server.den.begin("pactl", ["info"], environment: server.environment)
        defer { patient.process.kill() }
        do {
            _ = try await PulseAudioRoom(settings)
            Issue.record("a room opened with a hung server")
        } catch {
            #expect(error as? Exam.Trouble == .noServer)
        }
        #expect(patient.process.status == nil, "a program that leaves it to libpulse still waits")
    }
}
