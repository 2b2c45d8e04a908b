public import SystemSupport

/// The assessors and their budget: a user's `assessors.json`, or the file given to a server.
public struct AssessorSettings: Codable, Equatable, Sendable {
    public static let layoutVersion = 1

    public var version = AssessorSettings.layoutVersion
    /// The assessors in order. If there are several recognisers, the words of the first are judged.
    public var assessors: [AssessorEntry]
    /// A day's budget. Absent for no limit.
    public var budget: AssessorBudget?
    /// False if the recogniser on this machine is not used. Absent if it is used wherever it is installed.
    public var words: Bool?
    /// The `language-model` entry that writes papers on a server. Absent if the server writes none.
    public var writer: AssessorEntry?

    public init(assessors: [AssessorEntry] = [], budget: AssessorBudget? = nil) {
        self.assessors = assessors
        self.budget = budget
    }

    /// Reads the settings.
    ///
    /// - Throws: `Problem`: `missing`, or `malformed` with the line or the field.
    public init(file path: String) throws(Problem) {
        self = try JSONFile.decode(
            AssessorSettings.self, "assessors' file", version: Self.layoutVersion, from: PrivateFile.read(path),
            name: path)
        if let mistake { throw Problem(.malformed, "\(path): \(mistake)") }
    }

    /// Replaces the file. Only its owner can read it.
    ///
    /// - Throws: `Problem.unwritable`.
    public func write(to path: String) throws(Problem) {
        try PrivateFile.createFolder(path.folder)
        try PrivateFile.replace(path, with: JSONFile.encode(self))
    }

    /// Whether the recogniser on this machine is used without an entry of its own: if it is not switched off, and no
    /// other recogniser is set up.
    package var hearsHere: Bool {
        words != false && !assessors.contains { $0.kind == .transcriber || $0.kind == .words }
    }

    /// The first mistake in the settings, with its field and without a full stop. Nil if they are valid.
    public var mistake: String? {
        for (number, entry) in assessors.enumerated() {
            if let mistake = entry.mistake { return "assessors[\(number)].\(mistake)" }
            if assessors[..<number].contains(where: { $0.id == entry.id }) {
                return "assessors[\(number)].id: \"\(entry.id)\" is another one's already"
            }
        }
        if let writer, writer.kind != .languageModel { return "writer.kind: should be language-model" }
        if let mistake = writer?.mistake { return "writer.\(mistake)" }
        for (name, limit) in [("minutes", budget?.minutes), ("money", budget?.money)] {
            if let limit, !(limit >= 0 && limit.isFinite) { return "budget.\(name): should be 0 or more" }
        }
        if let share = budget?.share, !(share > 0 && share <= 1) {
            return "budget.share: should be above 0, and 1 at most"
        }
        return nil
    }
}
