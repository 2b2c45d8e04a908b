/// What became of the ids of built-in lessons from one version of the data to the next (F3): what was learned goes along.
public struct LessonMigration: Equatable, Sendable {
    /// The version that it leads to.
    public let version: Int
    /// `PACK/ITEM`, as it was and as it is.
    public let renamed: [(from: String, to: String)]

    /// - Parameter renamed: an item that has no successor is not named; what was learned of it is kept, and no longer asked for.
    public init(to version: Int, renamed: [(from: String, to: String)]) {
        self.version = version
        self.renamed = renamed
    }

    /// Raised whenever an id of a built-in lesson or pack changes.
    public static let dataVersion = 1

    /// In order.
    public static let all: [LessonMigration] = []

    /// The lines that a practice log lacks to be one of the present data: none where it is up to date, or was written by a newer program.
    public static func events(
        for history: PracticeHistory, all: [LessonMigration] = all, version: Int = dataVersion
    ) -> [PracticeEvent] {
        // A log without a line began before there was any version.
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
