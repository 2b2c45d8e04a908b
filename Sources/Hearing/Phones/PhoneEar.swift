package import Assessment
import HearingWorker
import Synchronization
package import SystemSupport

/// Hears the phones of recordings in this process, without words. Exams use `Hearer` instead: it has its own process,
/// and if that dies, the exam continues.
package final class PhoneEar: Sendable {
    private let model: Mutex<PhoneModel>

    /// Loads the installed recogniser of phones.
    ///
    /// - Throws: `Problem`: `missing` if none is installed, `unavailable` if it cannot be used.
    package init(_ files: WordsFiles? = .find()) throws(Problem) {
        guard let phones = files?.start.phones else {
            throw Problem(.missing, "no recogniser of phones is installed; run oracy words install --phones")
        }
        do throws(HearingReply.Unusable) {
            model = Mutex(try PhoneModel(phones))
        } catch {
            throw Problem(.unavailable, "the recogniser of phones: \(error.why)")
        }
    }

    /// Returns the phones of a recording, heard in the pieces in which an exam's answers are heard. Nil if there are
    /// none, or if the recogniser fails.
    ///
    /// - Parameter samples: 16 kHz, mono, full scale ±1.
    package func hear(_ samples: [Float], in timeline: SoundTimeline) -> HeardPhones? {
        phones(of: samples, in: timeline)?.heard
    }

    /// Returns the phones of a recording, and how a text was read in it. Nil if there are no phones, if the recogniser
    /// fails, or if the text has no words to compare.
    package func hear(
        _ text: String, in samples: [Float], _ timeline: SoundTimeline, by pronunciations: Pronunciations
    ) -> (phones: HeardPhones, reading: HeardReading)? {
        guard let (heard, numbers) = phones(of: samples, in: timeline) else { return nil }
        return HeardReading(of: text, heard: numbers, by: pronunciations).map { (heard, $0) }
    }

    private func phones(of samples: [Float], in timeline: SoundTimeline) -> (heard: HeardPhones, numbers: [Int])? {
        var whole: (heard: HeardPhones, numbers: [Int])?
        for piece in timeline.hearingPieces() where piece.length >= 0.1 {
            let range = Int(piece.start * 16_000)..<min(Int(piece.end * 16_000), samples.count)
            guard let heard = model.withLock({ $0.phones(of: Array(samples[range])) }) else { return nil }
            let placed = heard.heard.moved(by: piece.start)
            whole = whole.map { ($0.heard.followed(by: placed), $0.numbers + heard.numbers) } ?? (placed, heard.numbers)
        }
        return whole
    }
}
