public import Foundation

/// A paper made for a user. The request, the state of the writing and the paper are JSON whose contents the store does
/// not read.
public struct OwnPaper: Equatable, Sendable, Identifiable {
    public enum State: String, Sendable { case writing, ready, failed }

    public var id: UUID
    public var format: String
    public var title: String
    public var request: String
    /// Whether a model writes it.
    public var isByModel: Bool
    public var writing: String?
    /// The paper. Nil while it is being written, and if that failed.
    public var paper: String?
    /// The wishes that could not be fulfilled, as JSON.
    public var shortfalls: String?
    /// The reason for failure in one sentence.
    public var failure: String?
    /// `2026-11-21T09:12:29Z`. Nil before it is stored.
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

/// A worker's claim to write a paper. It belongs to the worker until the lease ends.
public struct PaperClaim: Sendable {
    public var paper: OwnPaper
    public var user: UUID
    var worker: UUID
}
