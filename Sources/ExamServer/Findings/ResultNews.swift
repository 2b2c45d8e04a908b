import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import ServerWork

/// The changes in a session's results since a client saw them last, as events with the current values.
struct ResultNews: StreamedNews {
    let services: Services
    let session: UUID
    let owned: OwnedStore

    /// The number of the last change sent. Nil before the first.
    private(set) var last: Int?

    init(_ services: Services, of session: UUID, _ owned: OwnedStore, after last: Int?) {
        self.services = services
        self.session = session
        self.owned = owned
        self.last = last
    }

    private struct Said: Encodable {
        var answer: String
        var said: [AssessorFinding]
        var gaps: [AssessorGap]
    }

    private struct Nothing: Encodable {}

    /// Returns the new events.
    ///
    /// - Returns: nil if the session no longer exists.
    mutating func next() async throws(StoreError) -> [ServerSentEvent]? {
        let service = services.store.service
        // The changes are read before the values. A change in between is sent twice, but none is missed.
        guard let changes = try await service.changes(of: session, after: last ?? 0) else { return nil }
        let isFirst = last == nil
        if !isFirst && changes.isEmpty { return [] }
        guard let results = try await SessionResults(services: services).results(of: session, owned) else { return nil }
        let said = try await SaidOfAnswers(of: session, in: service)
        let highest = changes.last?.number ?? last ?? 0
        let (answers, changed) = (results.answers ?? [], Set(changes.map { Key($0) }))
        func isNew(_ thing: SessionChange.Thing, _ id: UUID?) -> Bool {
            isFirst || changed.contains(Key(thing, id))
        }
        // All events have the last change's id. A client that got only some of them asks for all again, which does no
        // harm.
        let id = last ?? 0
        var events: [ServerSentEvent] = []
        for answer in answers where isNew(.answer, answer.answerID) {
            events.append(ServerSentEvent(id, "answer", answer))
        }
        for answer in answers where isNew(.said, answer.answerID) {
            let findings = said.findings[answer.answerID] ?? []
            let gaps = said.gaps[answer.answerID] ?? []
            if isFirst && findings.isEmpty && gaps.isEmpty { continue }
            events.append(
                ServerSentEvent(id, "said", Said(answer: answer.record.name, said: findings, gaps: gaps)))
        }
        var head = results
        head.answers = nil
        if isNew(.results, nil) || events.isEmpty { events.append(ServerSentEvent(id, "results", head)) }
        events[events.count - 1].id = highest
        last = highest
        return events
    }

    /// Always false: as long as the session exists, it may change.
    var isOver: Bool { false }

    /// The event for an erased session.
    var farewell: ServerSentEvent? { ServerSentEvent(last ?? 0, "erased", Nothing()) }

    private struct Key: Hashable {
        var thing: SessionChange.Thing
        var response: UUID?

        init(_ thing: SessionChange.Thing, _ response: UUID?) { (self.thing, self.response) = (thing, response) }
        init(_ change: SessionChange) { self.init(change.thing, change.response) }
    }
}
