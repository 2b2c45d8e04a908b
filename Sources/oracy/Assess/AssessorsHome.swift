import Assessors
import FoundationEssentials
import Glibc
import HTTPClient
import Hearing
import StudyFolders
import SystemSupport

/// A user's assessors, the consents to send data to third parties, and today's usage.
///
/// ```
/// assessors.json            the assessors to ask (docs/assessors.md)
/// assessor-consents.json    third parties that the user agreed to, by name
/// assessors-spent.json      today's minutes and money
/// ```
struct AssessorsHome {
    var folder = UserFolders.data
    /// The path of another settings file, for tests and for machines that are set up centrally. It replaces the user's
    /// choice.
    var chosenElsewhere = UserFolders.environment("ORACY_ASSESSORS")

    private var file: String { chosenElsewhere ?? folder + "/assessors.json" }
    private var consentsFile: String { folder + "/assessor-consents.json" }

    var spending: SpendingFile { SpendingFile(path: folder + "/assessors-spent.json") }

    /// - Throws: The errors of `AssessorSettings.init(file:)`. If the file is missing, the settings are empty.
    func settings() throws(Problem) -> AssessorSettings {
        if chosenElsewhere == nil, access(file, F_OK) != 0 { return AssessorSettings() }
        return try AssessorSettings(file: file)
    }

    /// - Throws: `Problem`: `malformed` if the settings are invalid; `unwritable`.
    func write(_ settings: AssessorSettings) throws(Problem) {
        if let chosenElsewhere {
            throw Problem(.occupied, "ORACY_ASSESSORS names \(chosenElsewhere): change that file, or unset it")
        }
        if let mistake = settings.mistake { throw Problem(.malformed, mistake) }
        try settings.write(to: file)
    }

    /// Returns every assessor in the settings, after the recogniser on this machine if it is used without an entry.
    ///
    /// - Throws: `Problem` if a key is missing or the settings are invalid.
    func seats() throws(Problem) -> [AnswerAssessing.Seat] {
        let client = UploadsHome.client()
        var seats: [AnswerAssessing.Seat] = []
        let settings = try settings()
        if settings.hearsHere, let words = try WordsHere.installed() { seats.append(.init(HeardHere(words))) }
        for entry in settings.assessors {
            let assessor = try entry.assessor(client: client, in: file.folder)
            seats.append(.init(assessor, prices: entry.prices))
            entry.complainOfExposedKey(in: file.folder)
        }
        return seats
    }

    // MARK: Consent

    struct Agreed: Codable {
        var words: String
        /// ISO 8601 in UTC.
        var givenAt: String
    }

    /// The consents by third party.
    func consents() throws(Problem) -> [String: Agreed] {
        guard access(consentsFile, F_OK) == 0 else { return [:] }
        return try UserFile.read([String: Agreed].self, from: consentsFile)
    }

    func agree(to recipient: String) throws(Problem) {
        var all = try consents()
        all[recipient] = Agreed(words: Self.words(recipient), givenAt: WallTime.now.utc)
        try UserFile.write(all, to: consentsFile)
    }

    /// - Returns: Whether the user had agreed before.
    func withdraw(from recipient: String) throws(Problem) -> Bool {
        var all = try consents()
        guard all.removeValue(forKey: recipient) != nil else { return false }
        try UserFile.write(all, to: consentsFile)
        return true
    }

    /// The text that the user agrees to. It names no person and no id.
    static func words(_ recipient: String) -> String {
        """
        To assess your answers, Oracy sends their recordings or words to \(recipient),
        without your name. Oracy cannot control what happens to them there.
        You can withdraw at any time: oracy assess withdraw \(recipient)
        """
    }
}

extension AssessorEntry {
    /// Tells the user if all users of this machine can read the key.
    func complainOfExposedKey(in folder: String) {
        if let file = key?.file { SecretFile.complainIfExposed(file.path(in: folder)) }
    }
}

/// A file with a key that the user names.
enum SecretFile {
    /// Tells the user if all users of this machine can read the file.
    static func complainIfExposed(_ path: String) {
        guard OtherUsers.canRead(path) else { return }
        complain("warning: \(path) contains a key, and all users of this machine can read it: chmod 600")
    }
}
