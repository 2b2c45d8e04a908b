import AddOns
import FoundationEssentials
import Glibc
import Hearing
import SystemSupport

/// The trial of a new recogniser, before it takes the place of the old one: it must hear a word of a recorded sentence.
enum WordsAttempt {
    /// The sentence is "It is fine, I think."
    private static let word = "fine"

    /// - Parameter folder: the new folder.
    /// - Throws: `Problem`: `unavailable` if the recogniser cannot be used, or does not hear the word; `unwritable` if
    ///   the disk gave back other bytes than were written.
    static func run(in folder: String, _ list: Installation) async throws(Problem) {
        if let path = list.damage(in: folder) {
            throw Problem(
                .unwritable,
                "\(folder)/\(path): the disk returned other bytes than were written; check the disk, then install again"
            )
        }
        let sentence = folder + ".opus"
        defer { unlink(sentence) }
        try PrivateFile.replace(sentence, with: TrialSentence.opus)
        guard let files = WordsFiles(in: folder), let words = try WordsHere.installed(files) else {
            throw Problem(.unavailable, "\(folder): does not look like a recogniser")
        }
        let heard: WordsTrial
        do {
            heard = try await WordsTrial(sentence, words)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.unavailable, "the recogniser cannot be tried: \(error)")
        }
        guard heard.text?.lowercased().contains(word) == true else {
            let said = heard.text.map { "heard \"\($0)\"" } ?? heard.failure ?? "heard nothing"
            throw Problem(.unavailable, "the recogniser was tried on a sentence, and \(said); it was not installed")
        }
    }
}
