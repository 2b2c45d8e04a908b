public import SystemSupport

/// Who assesses, and what it may cost: `assessors.json` of a user, or the file that a server is given.
public struct AssessorSettings: Codable, Equatable, Sendable {
    public static let layoutVersion = 1

    public var version = AssessorSettings.layoutVersion
    /// In order: of several recognisers the first one's words are judged.
    public var assessors: [AssessorEntry]
    /// A day's; absent: any.
    public var budget: AssessorBudget?
    /// The model that writes papers on a server, a `language-model`; absent: none.
    public var writer: AssessorEntry?

    public init(assessors: [AssessorEntry] = [], budget: AssessorBudget? = nil) {
        self.assessors = assessors
        self.budget = budget
    }

    /// - Throws: `Problem`: `missing`; `malformed` with the line or the field.
    public init(file path: String) throws(Problem) {
        self = try JSONFile.decode(
            AssessorSettings.self, "assessors' file", version: Self.layoutVersion, from: PrivateFile.read(path),
            name: path)
        if let mistake { throw Problem(.malformed, "\(path): \(mistake)") }
    }

    /// Replaces the file, for its owner alone.
    ///
    /// - Throws: `Problem.unwritable`.
    public func write(to path: String) throws(Problem) {
        try PrivateFile.createFolder(path.folder)
        try PrivateFile.replace(path, with: JSONFile.encode(self))
    }

    /// The first thing that is wrong, with its field and without a full stop; nil where nothing is.
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
