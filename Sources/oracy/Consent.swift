import ArgumentParser
import Backends
import Glibc
import SessionFolders
import SystemSupport

/// A person's consent to being recorded. It is asked for before the first recording, kept, and copied into every
/// session.
enum Consent {
    /// Returns the text that the person agrees to. If the text changes, the person is asked again.
    ///
    /// - Parameter place: The destination of answers; nil if they aren't sent anywhere.
    static func words(_ folder: String, sentTo place: String?) -> String {
        let sending =
            place.map {
                "a copy of each answer is sent to \($0), where other people may hear it, but what you say to introduce "
                    + "yourself (name, country, identity check) is not"
            }
            ?? "nothing is sent anywhere"
        return """
            Oracy records what you say in an exam. The recordings stay on this computer, in \(folder), \
            readable by you alone; \(sending). You can listen to them, export or erase them at any time \
            (oracy sessions).
            """
    }

    /// Returns the earlier consent, or asks for it now.
    ///
    /// - Parameters:
    ///   - given: Whether an option of the command gives the consent.
    ///   - again: Whether another person is using the computer now.
    /// - Throws: `ExitCode`: 77 if the person refuses, 64 if there is no terminal to ask at.
    static func obtain(given: Bool, again: Bool, for folder: String) throws -> SessionRecord.Consent {
        let words = words(folder, sentTo: try UploadsHome().destination()?.place)
        let path = UserFolders.data + "/consent.json"
        if !again, let earlier = try? UserFile.read(SessionRecord.Consent.self, from: path), earlier.words == words {
            return earlier
        }
        if !given {
            guard isatty(STDIN_FILENO) == 1 else {
                complain("cannot ask for your consent without a terminal; add --consent to agree")
                throw ExitCode.validationFailure
            }
            print(words.wrapped(to: terminalColumns - 4).joined(separator: "\n"))
            guard try ask("Do you agree? (y/n) ") else {
                print("Nothing was recorded. An exam needs your consent.")
                throw ExitCode(77)
            }
        }
        let consent = SessionRecord.Consent(words: words, givenAt: WallTime.now.utc)
        try UserFile.write(consent, to: path)
        return consent
    }

    /// Asks until the answer is yes or no. The end of input counts as no.
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
