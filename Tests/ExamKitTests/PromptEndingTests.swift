import AudioFiles
import Foundation
import Testing

@testable import ExamKit
@testable import SessionFolders

/// The end of a prompt.
@Suite struct PromptEndingTests {
    private static let sound = (0..<16_000).map { Float($0 % 2 == 0 ? 0.1 : -0.1) }

    @Test(arguments: [0, 320, 4_800, 8_000, 48_000]) func promptsEndATenthOfASecondAfterTheirLastSound(silence: Int) {
        let ended = PromptEnding.filled(Self.sound + Array(repeating: 0, count: silence))
        #expect(ended == Self.sound + Array(repeating: 0, count: 1_600))
    }

    @Test func aRecordingIsCutIfThatIsWorthACopy() {
        func cut(_ silence: Int) -> Int? { PromptEnding.cut(Self.sound + Array(repeating: 0, count: silence))?.count }
        #expect([0, 1_600, 2_500].map(cut) == [nil, nil, nil])
        #expect([3_000, 48_000].map(cut) == [17_600, 17_600])
    }

    @Test func hissAndSilenceAreNotSound() {
        let hiss = (0..<8_000).map { Float($0 % 2 == 0 ? 0.001 : -0.001) }  // −60 dB of full scale.
        #expect(PromptEnding.cut(Self.sound + hiss)?.count == 17_600)
        #expect(PromptEnding.cut(hiss) == nil && PromptEnding.filled(hiss) == hiss)
        #expect(PromptEnding.cut([]) == nil && PromptEnding.filled([]) == [])
    }

    /// The recordings that come with Oracy end like spoken ones.
    @Test func recordedPromptsEndLikeSpokenOnes() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../AudioFixtures/prompts"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != Beep.fileName }
        #expect(names.count > 200)
        for name in names {
            let reader = try BlockReader(path: "\(folder)/\(name)")
            var samples: [Float] = []
            while let block = try reader.next() { samples += block.samples }
            samples = Array(samples.prefix(reader.sampleCount))
            // Opus changes the level of faint sound, so that it may be on either side of the limit.
            #expect(abs(PromptEnding.filled(samples).count - samples.count) <= 960, "\(name)")
        }
    }
}
