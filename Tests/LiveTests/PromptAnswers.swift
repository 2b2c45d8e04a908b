import AudioFiles
import ExamCore
import Foundation
import PulseRoom
import Synchronization
import TestSupport
import Testing
import Waiting

@testable import ExamKit
@testable import SessionFolders
@testable import VirtualDevices

/// Answers that begin during the examiner's last word, or just after it. Their takes have all of them.
@Suite(.needs(SoundServer.Kind.pulseAudio.obstacle))
struct PromptAnswers {
    /// - Parameter offset: The seconds from the prompt's last sound to the answer's first. A busy machine makes them
    ///   longer.
    @Test(.endsIfItHangs, arguments: [-0.2, 0.28]) func aQuickAnswerIsWholeInItsTake(offset: Double) async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let folder = try SessionFolder.create(at: home.path + "/session")
        let sitting = try await PocketExam.sitting()
        let first = try #require(sitting.recordings[sitting.script.turns[0].prompt[0]])
        let lastSound = try duration(ofSoundFile: first.path) - .milliseconds(100)
        // A player is heard after a tenth of a second.
        let silence = max(Double(lastSound.milliseconds) / 1000 + offset - 0.1, 0)
        let file = home.path + "/answer.wav"
        let tone = Sounds.tone(seconds: 1)
        try Sounds.write(Array(repeating: 0, count: Int(16_000 * silence)) + tone, to: file)

        let player = Mutex<Command?>(nil)
        let environment = server.environment
        let result = try await PocketExam.hold(
            sitting, in: folder, at: .first, of: server, answers: [:],
            meanwhile: { controls in
                // The detector may take the tone for a voice, and end the answer with it. Otherwise three seconds are
                // enough.
                let take = folder.takes + "/part1_q1.wav"
                let isOver = await Patience.wait {
                    let size = try? FileManager.default.attributesOfItem(atPath: take)[.size] as? Int
                    return GrowingWAV.sampleCount(ofSize: size ?? 0) > 48_000
                        || PocketExam.log(folder).contains { $0.contains("closeTake part1_q1") }
                }
                #expect(isOver)
                controls.leave()
            },
            shown: { view in
                guard view.exam.activity == .examinerSpeaking else { return }
                player.withLock { player in
                    guard player == nil else { return }
                    player = try? server.den.begin(
                        "paplay", ["--device=mouth", "--latency-msec=20", file], environment: environment)
                }
            })
        player.withLock { $0?.process.kill() }

        let take = try #require(result.takes.first)
        #expect(take.record.leadIn != nil)
        let heard = try Sounds.samples("\(folder.path)/\(take.file)")
        let level = tone.map(abs).max()! / 4
        let loud = stride(from: 0, to: heard.count - 160, by: 160).count { start in
            heard[start..<(start + 160)].contains { abs($0) > level }
        }
        // A sound server without enough processor time plays a block twice, so the tone can be longer, but never
        // shorter. The first and the last block contain only a part of it.
        #expect(loud >= 98, "\(loud) hundredths of a second of the tone are in the take")
    }
}
