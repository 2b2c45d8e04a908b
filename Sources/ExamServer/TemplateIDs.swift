import Foundation
import UploadQueue

/// The ids of templates and their questions (D11): made of what they are, so that every node and every database has the same.
enum TemplateIDs {
    /// Of a format with a paper.
    static func template(_ format: String, _ paper: String) -> UUID {
        DeliveryID.make("template/\(format)/\(paper)", of: namespace)
    }

    /// Of a question, by its id in the paper: the same whatever seed or card chose it.
    static func question(_ question: String, of template: UUID) -> UUID {
        DeliveryID.make("question/\(question)", of: template)
    }

    private static let namespace = UUID(uuidString: "3f6e2b1c-6a5c-8d1e-9b0a-6f7261637901")!
}
