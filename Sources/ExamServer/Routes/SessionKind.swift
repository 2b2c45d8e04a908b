import ExamStore
import Hummingbird
import ServerWork
import Study

/// The requested sessions of a list: `?kind=exam`.
enum SessionKind: String {
    case exam, drill

    /// Reads the query. Nil for all sessions.
    ///
    /// - Throws: `APIProblem` 400.
    init?(_ request: Request) throws(APIProblem) {
        guard let text = request.uri.queryParameters["kind"] else { return nil }
        guard let kind = Self(rawValue: String(text)) else { throw .malformed("kind: must be exam or drill.") }
        self = kind
    }

    /// The kind of a session with this paper.
    init(ofPaper paper: String) { self = SpokenDrill.paperIDs.contains(paper) ? .drill : .exam }

    var papers: PaperFilter {
        switch self {
        case .exam: .exams
        case .drill: .only(SpokenDrill.paperIDs)
        }
    }
}
