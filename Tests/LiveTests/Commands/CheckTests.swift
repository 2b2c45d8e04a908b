import Foundation
import PulseRoom
import SessionFolders
import Testing

@testable import VirtualDevices

/// The output of `oracy check --json`.
private struct Checked: Decodable {
    struct Verdict: Decodable, Equatable {
        var severity: String
        var sentence: String
    }

    var microphone: String
    var report: MicrophoneReport
    var verdicts: [Verdict]
}

/// The file of an accepted check.
private struct Kept: Decodable {
    var version: Int
    var checkedAt: String
    var microphone: String
    var report: MicrophoneReport
}

extension Commands {
    @Suite(.serialized) struct Check {
        /// A room and its sounds.
        private struct Room: Sendable {
            var noise: Double? = -65
            /// The amplification of the recorded voice in dB. Nil for silence.
            var voice: Double? = 0
            var leak: Int?
        }

        /// Runs a check in a room of its own.
        private func check(_ room: Room, _ arguments: String...) async throws -> (RunningTool, Checked, Booth) {
            let booth = try Booth()
            if let noise = room.noise { try booth.fill(noise: noise) }
            if let leak = room.leak { try booth.leak(leak) }
            let tool = try booth.start(["check", "--json"] + arguments)
            #expect(await tool.says("3 of 3  Now say a sentence or two"))
            if let voice = room.voice { try booth.speak("where-from", gain: voice) }
            await tool.end()
            let checked = try JSONDecoder().decode(Checked.self, from: Data(tool.output.utf8))
            #expect(checked.microphone == "microphone")
            return (tool, checked, booth)
        }

        private func expect(_ room: Room, _ severity: String, _ sentence: String) async throws -> MicrophoneReport {
            let (tool, checked, _) = try await check(room)
            #expect(checked.verdicts.map(\.severity) == [severity])
            #expect(checked.verdicts.map(\.sentence) == [sentence])
            #expect(tool.code == (severity == "problem" ? 1 : 0))
            return checked.report
        }

        @Test func eachRoomHasItsVerdict() async throws {
            async let good = expect(
                Room(), "fine", "The microphone is ready: it hears you well, and nothing else.")
            async let silent = expect(
                Room(voice: nil), "problem",
                "No voice was heard. Speak when asked, come closer to the microphone, or turn it up.")
            async let dead = expect(
                Room(noise: nil, voice: nil), "problem",
                "No sound arrives. Unmute the microphone, plug it in, or select another one.")
            async let loud = expect(
                Room(voice: 14), "problem",
                "Your voice is so loud that it distorts. Turn the microphone down or move away from it.")
            _ = try await (silent, dead)
            let (clean, clipped) = try await (good, loud)
            #expect(abs(clean.noiseDBFS + 66) < 2 && abs(clean.speechDBFS! + 24.5) < 1.5, "\(clean)")
            #expect(clean.clippedPart == 0 && clean.leak == nil && clean.suggestedGateDBFS == nil)
            #expect((2...4).contains(clean.speechSeconds))
            #expect(clipped.clippedPart > 0.002 && clipped.peakDBFS > -0.01, "\(clipped)")
        }

        @Test func aNoisyRoomAndALeakAreReported() async throws {
            // The voice has -24.5 dBFS. White noise 4 dB below it has half of its power in the voice band.
            async let noisy = check(Room(noise: -28.5))
            async let much = check(Room(leak: -20), "--accept")
            async let little = check(Room(leak: -30), "--accept")
            async let hardly = check(Room(leak: -48), "--accept")
            try await expectNoise(noisy.1, noisy.0)

            let (muchTool, muchChecked, muchBooth) = try await much
            #expect(
                muchChecked.verdicts.map(\.sentence) == [
                    "The microphone hears the examiner about as well as you. Use headphones."
                ])
            #expect(muchTool.code == 1 && muchChecked.report.suggestedGateDBFS == nil)
            #expect(abs(try #require(muchChecked.report.leak).gainDB + 20) < 1)
            #expect(permissions(muchBooth.data + "/microphone.json") == nil, "a check with a problem is not accepted")

            let (littleTool, littleChecked, littleBooth) = try await little
            #expect(littleChecked.verdicts.map(\.severity) == ["warning"])
            #expect(littleChecked.verdicts[0].sentence.hasPrefix("The microphone hears the examiner a little. "))
            #expect(littleTool.code == 0)
            let gate = try #require(littleChecked.report.suggestedGateDBFS)
            #expect(abs(gate + 50) < 1, "\(gate)")
            try await expectEcho(littleBooth, littleChecked.report)

            let (hardlyTool, hardlyChecked, _) = try await hardly
            #expect(hardlyChecked.verdicts.map(\.severity) == ["fine"], "too quiet to count as a voice")
            #expect(hardlyTool.code == 0 && hardlyChecked.report.suggestedGateDBFS == nil)
            #expect(abs(try #require(hardlyChecked.report.leak).gainDB + 48) < 1.5)
        }

        private func expectNoise(_ checked: Checked, _ tool: RunningTool) throws {
            #expect(
                checked.verdicts.map(\.sentence) == [
                    """
                    The room is too loud for your voice. Close windows, turn fans off, or come closer to the \
                    microphone.
                    """
                ])
            #expect(checked.verdicts[0].severity == "warning" && tool.code == 0)
            #expect(abs(checked.report.speechOverNoiseDB! - 7) < 2, "\(checked.report)")
        }

        /// Checks that an exam after an accepted check waits until the echo of the examiner's last word has died away.
        private func expectEcho(_ booth: Booth, _ report: MicrophoneReport) async throws {
            #expect(permissions(booth.data + "/microphone.json") == "600")
            let file = try Data(contentsOf: URL(filePath: booth.data + "/microphone.json"))
            let kept = try JSONDecoder().decode(Kept.self, from: file)
            #expect(kept.version == 1 && kept.microphone == "microphone" && kept.report == report)
            #expect(kept.checkedAt.hasSuffix("Z") && kept.checkedAt.count == 20)

            let tool = try booth.start(Booth.pocketExam + ["--consent", "--plain"], typing: true)
            let folder = try await booth.newSession()
            #expect(await PocketExam.awaitLine("openTake part1_q1", in: folder))
            #expect(!tool.errors.contains("not checked"))
            tool.type("leave")
            #expect(await tool.end() == 75)
            let log = try LogLine.all(of: folder.log)
            let asked = try #require(log.first { $0.do.contains("play name") }).at
            let ended = try #require(log.first { $0.event == "promptEnded name" }).at
            // It takes 0.78 s in the replay without an echo, and some 60 ms more live.
            let echo = (try #require(report.leak).delayMS + 250) / 1000
            #expect(
                ended - asked > 0.78 + echo - 0.05 && ended - asked < 0.78 + echo + 0.5, "\(ended - asked), \(echo)")
            #expect(
                !log.contains { $0.event.hasPrefix("voiceBegan") },
                "the examiner's voice was not heard as the candidate's")
        }

        @Test func theCheckedMicrophoneIsUsed() async throws {
            let booth = try Booth()
            let anna = try booth.server.addSeat("anna")
            // The voice at the other seat's microphone, which is louder than a room's own noise.
            let check = try booth.start([
                "check", "--accept", "--microphone", anna.microphone, "--loudspeaker", anna.loudspeaker,
            ])
            #expect(await check.says("3 of 3"))
            #expect(check.lines.first == "microphone  anna-microphone")
            let speaking = try booth.server.den.begin(
                "paplay", ["--device=anna-mouth", "\(Sounds.fixtures)/answers/where-from.flac"],
                environment: booth.server.environment)
            #expect(await check.end() == 0)
            #expect(speaking.process.status == 0)
            #expect(check.errors.isEmpty)
            #expect(
                check.lines.contains("good     The microphone is ready: it hears you well, and nothing else."))
            #expect(check.output.hasSuffix("Saved: `oracy run` will use it.\n"))
            #expect(permissions(booth.data + "/microphone.json") == "600")

            let exam = try booth.start(Booth.pocketExam + ["--consent", "--plain"], typing: true)
            let folder = try await booth.newSession()
            #expect(await PocketExam.awaitLine("openTake part1_q1", in: folder))
            let sources = try booth.server.table("sources").filter { $0[1] == anna.microphone }.map { $0[0] }
            let recordings = try booth.server.table("source-outputs").filter { !$0.contains("module-loopback.c") }
            #expect(recordings.map { $0[1] }.contains(sources[0]))
            #expect(!exam.errors.contains("was not found"))
            exam.type("leave")
            #expect(await exam.end() == 75)
            try await expectAnotherMicrophone(booth)
        }

        /// Checks that an exam without its checked microphone says so, and names the one that it uses.
        private func expectAnotherMicrophone(_ booth: Booth) async throws {
            let file = booth.data + "/microphone.json"
            let checked = try String(contentsOfFile: file, encoding: .utf8)
            let gone = checked.replacing("anna-microphone", with: "gone-microphone")
            try Data(gone.utf8).write(to: URL(filePath: file))
            let before = booth.sessions
            let exam = try booth.start(Booth.pocketExam + ["--consent", "--plain"], typing: true)
            let folder = try await booth.newSession(besides: before)
            #expect(await PocketExam.awaitLine("openTake part1_q1", in: folder))
            #expect(
                exam.errors.contains(
                    "the checked microphone (gone-microphone) was not found; the exam uses "),
                "\(exam.errors)")
            exam.type("leave")
            #expect(await exam.end() == 75)
        }

        @Test func aMutedOrLostMicrophoneIsReportedInOneSentence() async throws {
            let muted = try Booth()
            try muted.server.muteMicrophone()
            let lost = try Booth()
            try lost.fill(noise: -65)
            let tool = try lost.start(["check"])
            let refused = try await muted.run("check", "--json")
            #expect(refused.code == 69 && refused.output.isEmpty)
            #expect(refused.errors == "oracy: The microphone is muted. Turn it on\n")
            #expect(await tool.says("2 of 3"))
            try lost.server.unplugMicrophone()
            #expect(await tool.end() == 69)
            #expect(tool.errors == "oracy: The microphone is gone. Plug it in again\n")
            #expect(permissions(lost.data + "/microphone.json") == nil)
            #expect((try? FileManager.default.contentsOfDirectory(atPath: lost.home + "/.cache/oracy")) ?? [] == [])
        }
    }
}
