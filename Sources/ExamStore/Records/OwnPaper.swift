public import Foundation

/// A paper that a user had made. What it was asked for by, the state of its writing and the paper itself are JSON of whoever makes papers.
public struct OwnPaper: Equatable, Sendable, Identifiable {
    public enum State: String, Sendable { case writing, ready, failed }

    public var id: UUID
    public var format: String
    public var title: String
    public var request: String
    /// Whether a model writes it.
    public var isByModel: Bool
    public var writing: String?
    /// nil while it is written, and where that failed.
    public var paper: String?
    /// What could not be as it was wanted; JSON.
    public var shortfalls: String?
    /// Why it failed, in one sentence.
    public var failure: String?
    /// `2026-11-21T09:12:29Z`; nil before it is kept.
    public var createdAt: String?

    public var state: State { paper != nil ? .ready : failure != nil ? .failed : .writing }

    public init(
        id: UUID, format: String, title: String, request: String, isByModel: Bool, writing: String? = nil,
        paper: String? = nil, shortfalls: String? = nil
    ) {
        self.id = id
        self.format = format
        self.title = title
        self.request = request
        self.isByModel = isByModel
        self.writing = writing
        self.paper = paper
        self.shortfalls = shortfalls
    }

    static let columns = "id, format, title, request, by_model, writing, paper, shortfalls, failure, created_at"

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), format: try row.value("format"), title: try row.value("title"),
            request: try row.value("request"), isByModel: try row.value("by_model"),
            writing: try row.optional("writing"), paper: try row.optional("paper"),
            shortfalls: try row.optional("shortfalls"))
        failure = try row.optional("failure")
        createdAt = try row.value("created_at")
    }
}

/// The writing of a paper that a worker has claimed: its own until the lease ends.
public struct PaperClaim: Sendable {
    public var paper: OwnPaper
    public var user: UUID
    var worker: UUID
}
