import ExamCore
import ExamKit
import ExamStore
import Foundation
import HTTPTypes
import Papers
import SystemSupport

/// What somebody who makes an exam asks of its questions.
struct PaperWish: Sendable {
    /// A paper of the catalogue; nil: one that is drawn.
    var paper: String?
    var topics: [String]
    var difficulty: Paper.Difficulty?
    /// nil: as long as the format has it.
    var minutes: Int?
    /// nil: any.
    var seed: UInt64?

    var isForDrawn: Bool { !topics.isEmpty || difficulty != nil || minutes != nil || seed != nil }

    func request(for format: ExamFormat) -> PaperRequest {
        PaperRequest(
            format: format.id, topics: topics, difficulty: difficulty, minutes: minutes,
            seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
    }
}

/// Which questions an exam has: those of the paper that was named; else of one that is drawn, with nothing of the user's last exams.
struct PaperChoice: Sendable {
    let services: Services
    let catalogue: ExamCatalogue
    var making: PaperMaking { PaperMaking(catalogue: catalogue) }

    /// How many exams are looked at: whoever sits more in a month has the others again.
    private static let mostEarlier = 60

    /// - Throws: `APIProblem` 400 with the field; `StoreError`.
    func paper(_ wish: PaperWish, for format: ExamFormat, of user: UUID) async throws -> Paper {
        if let name = wish.paper {
            if wish.isForDrawn {
                throw APIProblem.malformed(
                    "paper: has its own questions; leave out topics, difficulty, minutes and seed.")
            }
            if let id = UUID(uuidString: name) { return try await own(id, of: user) }
            guard let paper = catalogue.paper(name) else {
                throw APIProblem.malformed("paper: there is none of that name.")
            }
            return paper
        }
        // Whoever runs a server with papers of their own has them sat.
        if !wish.isForDrawn, let own = catalogue.own(for: format) { return own }
        guard wish.isForDrawn || ItemBank.builtIn.canFill(format) else {
            guard let paper = catalogue.fitting(format).first else {
                throw APIProblem.malformed("paper: none goes with this format.")
            }
            return paper
        }
        let seen = try await seen(by: user)
        do throws(DrawFailure) {
            return try ItemBank.builtIn.draw(wish.request(for: format), for: format, seen: seen).paper
        } catch {
            throw APIProblem.malformed("format: \(error.sentence)")
        }
    }

    /// A paper that this user had made.
    private func own(_ id: UUID, of user: UUID) async throws -> Paper {
        guard let own = try await services.owned(by: user).paper(id) else {
            throw APIProblem.malformed("paper: you have no paper with this id.")
        }
        guard let paper = try own.document() else {
            throw APIProblem(
                .conflict, "paper-not-ready", "The paper is not ready",
                "It is being written, or that failed: look at it first.",
                retryAfter: own.state == .writing ? 5 : nil)
        }
        return paper
    }

    /// The items of the exams that a user began in the last weeks, as their sessions were frozen.
    func seen(by user: UUID) async throws(StoreError) -> [SeenItem] {
        struct Frozen: Decodable {
            struct Paper: Decodable { var origin: ExamCore.Paper.Origin? }
            var paper: Paper
        }
        var seen: [SeenItem] = []
        let now = WallTime.now
        for session in try await services.owned(by: user).sessions(limit: Self.mostEarlier) {
            guard let began = WallTime(utc: session.startedAt) else { continue }
            let days = max(0, now.secondsSince1970 - began.secondsSince1970) / 86_400
            if days >= SeenRules.standard.days { break }
            guard let bytes = try await services.store.service.files(of: session.id)["exam.json"],
                let frozen = try? JSONDecoder().decode(Frozen.self, from: Data(bytes))
            else { continue }
            seen += (frozen.paper.origin?.items ?? []).map { SeenItem(item: $0, days: days) }
        }
        return seen
    }
}
