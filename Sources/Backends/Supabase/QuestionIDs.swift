import Foundation
import SystemSupport
import UploadQueue

/// Which row of `questions` a question of the exam is, by its part and its place there; and the way back (D11).
///
/// The template is the user's: the exam's own paper has other ids. A template is read once in a program's life, and again
/// where something is missing in it.
actor QuestionIDs {
    /// A question's place in the exam.
    struct Place: Hashable, Sendable {
        var part: Int
        /// 1, 2, 3 … in the part.
        var order: Int
    }

    private let rows: SupabaseRows
    private let template: UUID
    private var ids: [Place: UUID] = [:]

    init(of template: UUID, in rows: SupabaseRows) {
        self.template = template
        self.rows = rows
    }

    /// - Throws: `refused` where the template has no such question, or hides it; what the service says otherwise.
    func id(of place: Place) async throws(DeliveryFailure) -> UUID {
        if let id = ids[place] { return id }
        try await load()
        if let id = ids[place] { return id }
        let what =
            ids.isEmpty ? "question at all that this user may read" : "question \(place.order) of part \(place.part)"
        throw DeliveryFailure(
            .refused, code: "noQuestion", message: "the test template \(template.name) has no \(what)")
    }

    /// nil where the template has no question of that id.
    func place(of id: UUID) async throws(DeliveryFailure) -> Place? {
        if let found = ids.first(where: { $0.value == id }) { return found.key }
        try await load()
        return ids.first { $0.value == id }?.key
    }

    private func load() async throws(DeliveryFailure) {
        struct Question: Decodable {
            var id: UUID
            var partNumber, questionOrder: Int
        }
        let questions = try await rows.all(
            Question.self, "questions",
            where: "test_template_id=eq.\(template.name)&select=id,part_number,question_order"
                + "&order=part_number.asc,question_order.asc")
        ids = Dictionary(
            questions.map { (Place(part: $0.partNumber, order: $0.questionOrder), $0.id) },
            uniquingKeysWith: { first, _ in first })
    }
}
