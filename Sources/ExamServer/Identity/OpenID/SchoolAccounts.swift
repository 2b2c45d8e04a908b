import ExamNode
import HTTPClient
public import SystemSupport

/// The configuration of sign-ins by schools' own services (OpenID Connect): the file named by `--sign-in`
/// (docs/school.md).
public struct SchoolAccounts: Sendable {
    let settings: SchoolSettings
    /// The schools' services by their ids.
    let providers: [String: SchoolProvider]

    /// Reads the file, and the secrets that it names. Asks no service.
    ///
    /// - Throws: `Problem`: `missing`, or `malformed` with the line or the field.
    public init(file path: String) throws(Problem) {
        try self.init(SchoolSettings(file: path), in: path.folder)
    }

    /// Reads the secrets.
    ///
    /// - Parameter folder: the folder to which relative paths of secrets refer.
    init(
        _ settings: SchoolSettings, in folder: String,
        patience: SchoolProvider.Patience = SchoolProvider.Patience()
    ) throws(Problem) {
        if let mistake = settings.mistake { throw Problem(.malformed, mistake) }
        self.settings = settings
        var providers: [String: SchoolProvider] = [:]
        for school in settings.schools {
            let secret = try school.secret.map { (key) throws(Problem) in try key.read(for: school.id, in: folder) }
            providers[school.id] = SchoolProvider(school, secret: secret, patience: patience)
        }
        self.providers = providers
    }

    /// Returns the paths of the files of secrets that a file of schools names.
    ///
    /// - Throws: the errors of `init(file:)`.
    package static func keyFiles(named path: String) throws(Problem) -> [String] {
        try SchoolSettings.keyFiles(named: path)
    }

    /// Asks each school's service for its description.
    ///
    /// - Throws: `Problem.unavailable` with each service that cannot be used.
    package func tryOut() async throws(Problem) {
        var faults: [String] = []
        for school in settings.schools {
            do throws(SchoolFailure) {
                _ = try await providers[school.id]?.description()
            } catch {
                faults.append("\(school.id): \(error.sentence ?? error.refusal.rawValue)")
            }
        }
        guard faults.isEmpty else { throw Problem(.unavailable, faults.joined(separator: "; ")) }
    }

    /// Whether browsers reach this server by https.
    var isEncrypted: Bool { settings.address.hasPrefix("https:") }

    /// The seconds for which a person stays signed in.
    var span: Double { Double(settings.hours ?? 12) * 3_600 }

    /// Returns the address to which a school sends browsers back.
    func redirect(of school: String) -> String { "\(settings.address)/v1/sign-in/\(school)/callback" }
}
