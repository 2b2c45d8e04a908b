import ExamCore
import ExamKit
import ExamStore
import Foundation
import Hummingbird
import SystemSupport

/// What became of a session: its answers, what was measured of them, and scores where there is evidence for them.
struct ResultRoutes {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/sessions/:session/results", use: results)
    }

    struct Results: Encodable, Sendable {
        var session: SessionAnswer
        var status: String
        /// Absent: not assessed.
        var scores: ScoresAnswer?
        /// What the candidate wrote on the card; absent where nothing.
        var notes: String?
        var answers: [ResultAnswer]
    }

    struct ResultAnswer: Encodable, Sendable {
        var id: LowercaseID
        /// Its fields stand beside these.
        var record: AnswerRecord
        /// The question's words where the template is known.
        var text: String?
        /// What the candidate was to speak about, where that was on a card.
        var card: LiveState.Card?
        /// Of a hundred equal pieces the loudest sample of each, full scale 1; empty until it is processed.
        var peaks: [Double]
        var scores: ScoresAnswer?
        var recording: String

        private enum CodingKeys: CodingKey { case id, text, card, peaks, scores, recording }

        func encode(to encoder: any Encoder) throws {
            try record.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(id, forKey: .id)
            try fields.encodeIfPresent(text, forKey: .text)
            try fields.encodeIfPresent(card, forKey: .card)
            try fields.encode(peaks, forKey: .peaks)
            try fields.encodeIfPresent(scores, forKey: .scores)
            try fields.encode(recording, forKey: .recording)
        }
    }

    struct ScoresAnswer: Encodable, Sendable {
        var overall, fluency, pronunciation, grammar, vocabulary, topicRelevance: Double?

        /// nil where nothing was assessed: never a number without evidence.
        init?(_ scores: Scores, overall: Double? = nil) {
            self.overall = overall
            fluency = scores.fluency
            pronunciation = scores.pronunciation
            grammar = scores.grammar
            vocabulary = scores.vocabulary
            topicRelevance = scores.topicRelevance
            let all = [overall, fluency, pronunciation, grammar, vocabulary, topicRelevance]
            if all.allSatisfy({ $0 == nil }) { return nil }
        }
    }

    @Sendable private func results(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("session", of: "session")
        guard let session = try await owned.session(id) else { throw APIProblem.missing("session") }
        let responses = try await owned.responses(of: id)
        let questions = try await owned.questions(of: TemplateIDs.template(session.format, session.paper))
        let (cards, notes) = try await kept(of: id)
        let texts = Dictionary(questions.map { ($0.question, $0.text) }) { first, _ in first }
        let answers = responses.map { response in
            ResultAnswer(
                id: LowercaseID(response.id), record: response.record, text: texts[response.question],
                card: cards[response.question], peaks: response.peaks ?? [],
                scores: ScoresAnswer(response.scores),
                recording: "/v1/sessions/\(id.name)/answers/\(response.id.name)/recording")
        }
        return Answer(
            Results(
                session: SessionAnswer(session), status: session.status.rawValue,
                scores: ScoresAnswer(session.scores, overall: session.overallBand), notes: notes, answers: answers))
    }

    /// The cards of a session that was held here, by question, and what was written on them.
    private func kept(of session: UUID) async throws -> (cards: [String: LiveState.Card], notes: String?) {
        let files = try await services.store.service.files(of: session)
        var cards: [String: LiveState.Card] = [:]
        if let exam = files["exam.json"], let frozen = try? FrozenExam(exam, from: "exam.json"),
            let script = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).0
        {
            for turn in script.turns { cards[turn.id] = turn.card.map(LiveState.Card.init) }
        }
        let notes = files["notes.txt"].map { String(decoding: $0, as: UTF8.self) }
        return (cards, notes.flatMap { $0.isEmpty ? nil : $0 })
    }
}
