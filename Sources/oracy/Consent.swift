import ArgumentParser
import Backends
import ExamKit
import Glibc

/// A person's consent to being recorded: asked before the first recording, kept, and copied into every session.
enum Consent {
    /// What is asked for; a change of these words asks again.
    ///
    /// - Parameter place: where answers are sent; nil: nowhere.
    static func words(_ folder: String, sentTo place: String?) -> String {
        let sending =
            place.map { "a copy of each answer is sent to \($0), where others may hear it" }
            ?? "nothing is sent anywhere"
        return """
            Oracy records what you say in an exam. The recordings stay on this computer, in \(folder), \
            readable by you alone; \(sending). You can listen to them, export or erase them at any time \
            (oracy sessions).
            """
    }

    /// The consent that was given before, or is given now.
    ///
    /// - Parameters:
    ///   - given: by an option of the command.
    ///   - again: another person sits here now.
    /// - Throws: `ExitCode`: 77 where it is refused, 64 where nobody can be asked.
    static func obtain(given: Bool, again: Bool, for folder: String) throws -> SessionRecord.Consent {
        let words = words(folder, sentTo: try UploadsHome().destination()?.place)
        let path = UserFolders.data + "/consent.json"
        if !again, let earlier = try? UserFile.read(SessionRecord.Consent.self, from: path), earlier.words == words {
            return earlier
        }
        if !given {
            guard isatty(STDIN_FILENO) == 1 else {
                complain("there is no terminal to ask for consent at: add --consent to agree to be recorded")
                throw ExitCode.validationFailure
            }
            print(words.wrapped(to: 76).joined(separator: "\n"))
            guard try ask("Do you agree? (y/n) ") else {
                print("Then nothing is recorded, and there is no exam.")
                throw ExitCode(77)
            }
        }
        let consent = SessionRecord.Consent(words: words, givenAt: WallTime.now.utc)
        try UserFile.write(consent, to: path)
        return consent
    }

    /// Asks until the answer is yes or no; the end of input is no.
    static func ask(_ question: String) throws -> Bool {
        while true {
            print(question, terminator: "")
            fflush(nil)
            guard let answer = readLine()?.lowercased() else { return false }
            if ["y", "yes"].contains(answer) { return true }
            if ["n", "no"].contains(answer) { return false }
        }
    }
}
