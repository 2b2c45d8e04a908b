import CPostgres
import GRDB

/// A placeholder until the store is merged.
public final class ExamStore: Sendable {
    public init() {}
}
