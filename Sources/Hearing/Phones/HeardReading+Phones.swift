package import Assessment
import HearingWorker

extension HeardReading {
    /// The most words of a text. A longer one is not meant to be read aloud.
    private static let mostWords = 400

    /// Compares a text with the phones that were heard. Nil for a text without words, or with too many.
    ///
    /// - Parameter heard: the numbers of the phones in the whole recording, in order.
    package init?(of text: String, heard: [Int], by pronunciations: Pronunciations) {
        let words = HeardReading.words(of: text)
        guard (1...Self.mostWords).contains(words.count) else { return nil }
        let comparison = PhoneComparison(heard: heard, words: words.map(pronunciations.phones))
        self.init(words: words, shares: comparison.shares, distance: comparison.distance)
    }
}
