import HearingWorker
import Synchronization
package import SystemSupport

/// The recogniser of an installation on this machine.
package struct WordsHere: Sendable {
    package let hearing: any PieceHearing
    /// The dictionary for aligning words. If it is nil, their times are rough.
    package let pronunciations: Pronunciations?

    package init(_ hearing: any PieceHearing, pronunciations: Pronunciations? = nil) {
        self.hearing = hearing
        self.pronunciations = pronunciations
    }

    /// The recognisers of this process. Several for the same model would wait for each other.
    private static let known = Mutex<[String: (files: WordsFiles, words: WordsHere)]>([:])

    /// Returns the installed recogniser. The process has one for each installation. Nil if nothing is installed.
    ///
    /// - Parameter files: the installation; nil for the user's or the machine's.
    /// - Throws: `Problem` if the installation is damaged.
    package static func installed(_ files: WordsFiles? = nil) throws(Problem) -> WordsHere? {
        guard let files = files ?? .find() else { return nil }
        if let words = known.withLock({ $0[files.start.model] }), words.files == files { return words.words }
        let words = WordsHere(
            Hearer(files),
            pronunciations: try files.pronunciations.map { (path) throws(Problem) in try Pronunciations(file: path) })
        return known.withLock { known in
            // Another task may have been faster.
            if let other = known[files.start.model], other.files == files { return other.words }
            known[files.start.model] = (files, words)
            return words
        }
    }
}
