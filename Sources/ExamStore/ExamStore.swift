import CPostgres
import GRDB
public final class ExamStore: Sendable {
    public init() {}
    public func ping() async throws(StoreError) {}
}
