import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Papers
import ServerWork
import SystemSupport

/// The wishes for the questions of an exam.
struct PaperWish: Sendable {
    /// A paper of the catalogue. Nil to draw one.
    var paper: String?
    var topics: [String]
    var difficulty: Paper.Difficulty?
    /// The minutes. Nil for the format's own length.
    var minutes: Int?
    /// The most questions. Nil for the format's own number.
    var questions: Int?
    /// The seed for drawing. Nil for a random one.
    var seed: UInt64?

    var isForDrawn: Bool { !topics.isEmpty || difficulty != nil || minutes != nil || questions != nil || seed != nil }

    func request(for format: ExamFormat) -> PaperRequest {
        PaperRequest(
            format: format.id, topics: topics, difficulty: difficulty, minutes: minutes, questions: questions,
            seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
    }
}

/// Selects an exam's questions: those of the named paper, or of a drawn one that avoids the items of the user's recent
/// exams.
struct PaperChoice: Sendable {
    let services: Services
    let catalogue: ExamCatalogue

    /// Returns the paper.
    ///
    /// - Throws: `APIProblem` 400 with the field, `StoreError`.
    func paper(_ wish: PaperWish, for format: ExamFormat, of user: UUID) async throws -> Paper {
        if let name = wish.paper {
            if wish.isForDrawn {
                throw APIProblem.malformed(
                    "paper: has its own questions; leave out topics, difficulty, minutes, questions and seed.")
            }
            if let id = UUID(uuidString: name) { return try await own(id, of: user) }
            guard let paper = catalogue.paper(name) else {
                throw APIProblem.malformed("paper: no paper has this name.")
            }
            return paper
        }
        // An operator with custom papers wants them to be used.
        if !wish.isForDrawn, let own = catalogue.own(for: format) { return own }
        guard wish.isForDrawn || ItemBank.builtIn.canFill(format) else {
            guard let paper = catalogue.fitting(format).first else {
                throw APIProblem.malformed("paper: none goes with this format.")
            }
            return paper
        }
        return try await drawn(wish, for: format, of: user)
    }

    /// Returns a paper drawn from the bank.
    ///
    /// - Throws: `APIProblem` 400 with the field, `StoreError`.
    func drawn(_ wish: PaperWish, for format: ExamFormat, of user: UUID) async throws -> Paper {
        let seen = try await services.seenItems(by: user)
        do throws(DrawFailure) {
            return try ItemBank.builtIn.draw(wish.request(for: format), for: format, seen: seen).paper
        } catch {
            throw APIProblem.malformed("format: \(error.sentence)")
        }
    }

    /// Returns one of this user's own papers.
    private func own(_ id: UUID, of user: UUID) async throws -> Paper {
        guard let own = try await services.owned(by: user).paper(id) else {
            throw APIProblem.malformed("paper: you have no paper with this id.")
        }
        guard let paper = try own.document() else {
            throw APIProblem(
                .conflict, "paper-not-ready", "The paper is not ready",
                "The paper is still being written, or writing it failed. Fetch it to see its state.",
                retryAfter: own.state == .writing ? 5 : nil)
        }
        return paper
    }
}
