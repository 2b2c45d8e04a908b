import ExamCore
import ExamKit
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Papers
import ServerWork
import SystemSupport

/// Routes for a user's own papers, drawn at once or written by a model over some time. Only their user can see and
/// erase them.
struct PaperRoutes: Sendable {
    let services: Services
    let choice: PaperChoice

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/papers", use: papers)
        routes.post("v1/papers", use: make)
        routes.post("v1/question-lists", use: makeOfQuestions)
        routes.get("v1/papers/:paper", use: paper)
        routes.delete("v1/papers/:paper", use: erase)
        routes.post("v1/papers/:paper/retry", use: retry)
    }

    // MARK: - Answers

    private struct Told: Encodable, Sendable {
        var id: LowercaseID
        var format, title, state: String
        var createdAt: String
        /// The number of items written, and of all items that a model writes. Absent if no model is involved.
        var written, wanted: Int?
        /// The reason for failure.
        var failure: String?
        /// The wishes that could not be fulfilled.
        var shortfalls: [String]

        init(_ paper: OwnPaper) throws {
            id = LowercaseID(paper.id)
            (format, title, state) = (paper.format, paper.title, paper.state.rawValue)
            createdAt = paper.createdAt ?? ""
            failure = paper.failure
            shortfalls =
                try paper.shortfalls.map { try JSONDecoder().decode([String].self, from: Data($0.utf8)) } ?? []
            guard paper.isByModel else { return }
            let all = try paper.generation()?.statistics
            written = (all?.written ?? 0) + (all?.fallbacks ?? 0)
            wanted = try paper.order().wishes.count
        }
    }

    private struct Whole: Encodable, Sendable {
        var told: Told
        /// The costs of writing so far.
        var statistics: GenerationStatistics?
        /// The models that wrote some of it, once it is ready.
        var writtenBy: [String]?
        var paper: ExamCore.Paper?

        private enum Field: CodingKey { case statistics, writtenBy, paper }

        init(_ own: OwnPaper) throws {
            told = try Told(own)
            statistics = try own.generation()?.statistics
            paper = try own.document()
            writtenBy = paper?.origin?.writtenBy
        }

        func encode(to encoder: any Encoder) throws {
            try told.encode(to: encoder)
            var fields = encoder.container(keyedBy: Field.self)
            try fields.encodeIfPresent(statistics, forKey: .statistics)
            try fields.encodeIfPresent(writtenBy, forKey: .writtenBy)
            try fields.encodeIfPresent(paper, forKey: .paper)
        }
    }

    private struct List: Encodable, Sendable { var papers: [Told] }

    @Sendable private func papers(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        return Answer(List(papers: try await owned.papers(limit: services.settings.limits.papers).map(Told.init)))
    }

    @Sendable private func paper(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        guard let paper = try await owned.paper(try context.id("paper", of: "paper")) else {
            throw APIProblem.missing("paper")
        }
        return Answer(try Whole(paper))
    }

    // MARK: - Making

    private struct From: Decodable {
        /// `bank`, which is the default, or `model`.
        var from: String?
        /// The third party to which topics may be sent.
        var agreedTo: String?
    }

    @Sendable private func make(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Wanted: Decodable {
            var wish: PaperWishFields
            var from: From

            init(from decoder: any Decoder) throws {
                (wish, from) = (try PaperWishFields(from: decoder), try From(from: decoder))
            }
        }
        let user = try context.requireUser()
        let wanted = try await request.json(Wanted.self, context)
        guard ["bank", "model"].contains(wanted.from.from ?? "bank") else {
            throw APIProblem.malformed("from: must be bank or model.")
        }
        let wish = try wanted.wish.wish()
        guard let format = choice.catalogue.format(wanted.wish.format ?? "ielts-style") else {
            throw APIProblem.malformed("format: no format has this name.")
        }
        let paper =
            wanted.from.from == "model"
            ? try toWrite(wish, for: format, agreedTo: wanted.from.agreedTo)
            : try await drawn(wish, for: format, of: user)
        return try await kept(paper, of: user)
    }

    /// Makes a paper from the user's own list of questions, which are asked one after the other.
    @Sendable private func makeOfQuestions(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        struct Wanted: Decodable {
            var title, table: String
        }
        let user = try context.requireUser()
        let wanted = try await request.json(Wanted.self, context)
        try Field.text(wanted.title, "title", atMost: 200)
        let format = try ExamFormat.builtIn("questions")
        let id = UUID()
        let paper: ExamCore.Paper
        do throws(ImportMistakes) {
            paper = try QuestionTable.paper(Array(wanted.table.utf8), id: "own-\(id.name)", title: wanted.title)
        } catch {
            let first = error.mistakes.prefix(3).map { $0.sentence(in: "table") }.joined(separator: "; ")
            throw APIProblem.malformed("\(first). There are \(error.mistakes.count) mistakes in all.")
        }
        let (script, validation) = ExamScript.assemble(format, paper)
        guard script != nil else {
            throw APIProblem.malformed("table: \(validation.errors.prefix(3).joined(separator: "; ")).")
        }
        let order = PaperOrder(request: PaperRequest(format: format.id, seed: 0), wishes: [])
        return try await kept(
            OwnPaper(
                id: id, format: format.id, title: paper.title, request: OwnPaper.text(order), isByModel: false,
                paper: OwnPaper.text(paper)), of: user)
    }

    /// Stores a paper.
    ///
    /// - Throws: `APIProblem` 429 if a limit is reached.
    private func kept(_ paper: OwnPaper, of user: UUID) async throws -> Answer<Whole> {
        let limits = services.settings.limits
        guard
            try await services.owned(by: user).add(
                paper, most: limits.papers, mostWritten: limits.papersWrittenPerDay)
        else {
            throw APIProblem(
                .tooManyRequests, "papers-used-up", "No room for another paper",
                "You can keep \(limits.papers) papers, and a model writes at most \(limits.papersWrittenPerDay) a day for you. Erase a paper, or come back tomorrow.",
                retryAfter: 3_600)
        }
        guard let kept = try await services.owned(by: user).paper(paper.id) else { throw APIProblem.missing("paper") }
        return Answer(try Whole(kept), kept.state == .writing ? .accepted : .created)
    }

    private func drawn(_ wish: PaperWish, for format: ExamFormat, of user: UUID) async throws -> OwnPaper {
        let request = wish.request(for: format)
        let drawn: DrawnPaper
        let seen = try await services.seenItems(by: user)
        do throws(DrawFailure) {
            drawn = try ItemBank.builtIn.draw(request, for: format, seen: seen)
        } catch {
            throw APIProblem.malformed("format: \(error.sentence)")
        }
        return OwnPaper(
            id: UUID(), format: format.id, title: drawn.paper.title,
            request: OwnPaper.text(PaperOrder(request: request, wishes: [])), isByModel: false,
            paper: OwnPaper.text(drawn.paper), shortfalls: OwnPaper.text(drawn.shortfalls.map(\.sentence)))
    }

    private func toWrite(_ wish: PaperWish, for format: ExamFormat, agreedTo: String?) throws(APIProblem) -> OwnPaper {
        guard let writer = services.panel.writer else {
            throw .malformed("from: no model writes papers on this server; leave it out.")
        }
        let request = wish.request(for: format)
        let wishes = PaperMaking.wishes(request, for: format)
        guard !wishes.isEmpty, ItemBank.builtIn.canFill(format) else {
            throw .malformed("format: no model can write for it.")
        }
        if let recipient = writer.recipient, agreedTo != recipient {
            throw APIProblem(
                .forbidden, "consent-missing", "Your consent is missing",
                "\(writer.words ?? "") Send \"agreedTo\": \"\(recipient)\" if you agree.")
        }
        let about = wish.topics.isEmpty ? "New questions" : wish.topics.joined(separator: ", ")
        return OwnPaper(
            id: UUID(), format: format.id, title: about,
            request: OwnPaper.text(PaperOrder(request: request, wishes: wishes)), isByModel: true)
    }

    // MARK: - Existing papers

    /// Erases a paper. If it is being written, the writing stops.
    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        guard try await owned.erasePaper(try context.id("paper", of: "paper")) else {
            throw APIProblem.missing("paper")
        }
        return HTTPResponse.Status.noContent
    }

    @Sendable private func retry(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("paper", of: "paper")
        guard let paper = try await owned.paper(id) else { throw APIProblem.missing("paper") }
        var generation = try paper.generation()
        if generation?.statistics.failed ?? 0 > 0, generation?.attempt == nil {
            try generation?.handle(.retry, beside: KnownItems(bank: .builtIn))
        }
        guard paper.state == .failed, services.panel.writer != nil,
            try await owned.retryPaper(id, writing: generation.map { OwnPaper.text($0) })
        else {
            throw APIProblem(
                .conflict, "not-failed", "Nothing to try again", "Only a paper that failed can be tried again.")
        }
        guard let kept = try await owned.paper(id) else { throw APIProblem.missing("paper") }
        return Answer(try Whole(kept), .accepted)
    }
}
