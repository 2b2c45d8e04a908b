import Assessors
import ExamKit
import FoundationEssentials
import Glibc

/// Whom a user has set up to assess answers, what may be sent to whom, and what they took today.
///
/// ```
/// assessors.json            whom to ask (docs/assessors.md)
/// assessor-consents.json    third parties that the user agreed to, by name
/// assessors-spent.json      today's minutes and money
/// ```
struct AssessorsHome {
    var folder = UserFolders.data
    /// What a test, or a machine that is set up for many, has instead of the user's choice: the path of such a file.
    var chosenElsewhere = UserFolders.environment("ORACY_ASSESSORS")

    private var file: String { chosenElsewhere ?? folder + "/assessors.json" }
    private var consentsFile: String { folder + "/assessor-consents.json" }

    var spending: SpendingFile { SpendingFile(path: folder + "/assessors-spent.json") }

    /// - Throws: `Problem`: as `AssessorSettings.init(file:)`; nobody is set up where there is no file.
    func settings() throws(Problem) -> AssessorSettings {
        if chosenElsewhere == nil, access(file, F_OK) != 0 { return AssessorSettings() }
        return try AssessorSettings(file: file)
    }

    /// - Throws: `Problem`: `malformed` where they are none, `unwritable`.
    func write(_ settings: AssessorSettings) throws(Problem) {
        if let chosenElsewhere {
            throw Problem(.occupied, "ORACY_ASSESSORS names \(chosenElsewhere): change that file, or unset it")
        }
        if let mistake = settings.mistake { throw Problem(.malformed, mistake) }
        try settings.write(to: file)
    }

    /// Everybody who is set up.
    ///
    /// - Throws: `Problem` where a key is missing or the settings are wrong.
    func seats() throws(Problem) -> [AnswerAssessing.Seat] {
        let client = UploadsHome.client()
        var seats: [AnswerAssessing.Seat] = []
        for entry in try settings().assessors {
            let assessor = try entry.assessor(client: client, in: file.folder)
            seats.append(.init(assessor, prices: entry.prices))
        }
        return seats
    }

    // MARK: Consent

    struct Agreed: Codable {
        var words: String
        /// ISO 8601 in UTC.
        var givenAt: String
    }

    /// By third party.
    func consents() throws(Problem) -> [String: Agreed] {
        guard access(consentsFile, F_OK) == 0 else { return [:] }
        return try UserFile.read([String: Agreed].self, from: consentsFile)
    }

    func agree(to recipient: String) throws(Problem) {
        var all = try consents()
        all[recipient] = Agreed(words: Self.words(recipient), givenAt: WallTime.now.utc)
        try UserFile.write(all, to: consentsFile)
    }

    /// - Returns: false where nobody had agreed.
    func withdraw(from recipient: String) throws(Problem) -> Bool {
        var all = try consents()
        guard all.removeValue(forKey: recipient) != nil else { return false }
        try UserFile.write(all, to: consentsFile)
        return true
    }

    /// What is agreed to; without a name, or an id, of whoever speaks.
    static func words(_ recipient: String) -> String {
        """
        To assess your answers, their recordings or the words in them are sent to \(recipient), without your name. What becomes of them \
        there is not in Oracy's hands. You can take this back at any time: oracy assess withdraw \(recipient)
        """
    }
}
