import ExamCore
import ExamKit
import Papers
import Testing

@testable import oracy

/// The package oracy-voice has the recordings of all texts that a built-in exam in English can have.
@Suite struct SpokenBankTests {
    private static let formats = ExamFormat.builtInNames.compactMap { try? ExamFormat.builtIn($0) }.filter {
        $0.language?.hasPrefix("en") ?? true
    }

    @Test func everyPromptOfADrawnExamIsInIt() throws {
        let texts = Set(try SpokenBank.texts())
        var drawn = 0
        for format in Self.formats where ItemBank.builtIn.canFill(format) {
            for seed in 0..<5 as Range<UInt64> {
                let paper = try ItemBank.builtIn.draw(
                    PaperRequest(format: format.id, seed: seed), for: format, seen: []
                ).paper
                let script = try #require(ExamScript.assemble(format, paper).script)
                for clip in script.clips where clip != .beep && clip.audio == nil {
                    #expect(texts.contains(clip.text), "\(format.id): \(clip.text)")
                }
                drawn += 1
            }
        }
        #expect(drawn >= 10)
    }

    @Test func everyTextIsInEnglishAndThereOnce() throws {
        let texts = try SpokenBank.texts()
        #expect(texts.count > 2_000)
        #expect(Set(texts).count == texts.count)
        for text in texts {
            // Han characters begin with U+4E00.
            #expect(!text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }, "\(text)")
        }
    }
}
