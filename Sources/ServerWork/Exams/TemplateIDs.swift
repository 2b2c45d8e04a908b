package import Foundation
import UploadQueue

/// The ids of templates and their questions. They are derived from the names, so that they are the same on every node
/// and in every database.
package enum TemplateIDs {
    /// Returns the id of a format with a paper.
    package static func template(_ format: String, _ paper: String) -> UUID {
        DeliveryID.make("template/\(format)/\(paper)", of: namespace)
    }

    /// Returns the id of a question by its id in the paper. It does not depend on the seed or card that selected the
    /// question.
    package static func question(_ question: String, of template: UUID) -> UUID {
        DeliveryID.make("question/\(question)", of: template)
    }

    private static let namespace = UUID(uuidString: "3f6e2b1c-6a5c-8d1e-9b0a-6f7261637901")!
}
