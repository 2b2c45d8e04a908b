/// The changes of ids from one version of the built-in lessons to the next, so that a renamed item keeps its memory.
public struct LessonMigration: Equatable, Sendable {
    /// The version after the changes.
    public let version: Int
    /// The old and new ids as `PACK/ITEM`.
    public let renamed: [(from: String, to: String)]

    /// Creates a migration.
    ///
    /// - Parameter renamed: the ids that changed. An item without a successor is not listed: its memory is kept but no
    ///   longer asked.
    public init(to version: Int, renamed: [(from: String, to: String)]) {
        self.version = version
        self.renamed = renamed
    }

    /// Raise it whenever the id of a built-in lesson or pack changes.
    public static let dataVersion = 1

    /// In the order of their versions.
    public static let all: [LessonMigration] = []

    /// Returns the lines to add to a practice log to match the present data. Empty if the log is up to date or a newer
    /// program wrote it.
    public static func events(
        for history: PracticeHistory, all: [LessonMigration] = all, version: Int = dataVersion
    ) -> [PracticeEvent] {
        // A log without a version line is older than all versions.
        let before = history.dataVersion ?? (history.memories.isEmpty ? version : 0)
        var known = Set(history.memories.keys)
        var events: [PracticeEvent] = []
        for (from, to) in all.filter({ $0.version > before && $0.version <= version }).flatMap(\.renamed)
        where known.remove(from) != nil {
            known.insert(to)
            events.append(.renamed(memory: from, to: to))
        }
        return history.dataVersion ?? 0 >= version ? [] : events + [.data(version: version)]
    }

    public static func == (a: LessonMigration, b: LessonMigration) -> Bool {
        a.version == b.version && a.renamed.elementsEqual(b.renamed) { $0 == $1 }
    }
}
