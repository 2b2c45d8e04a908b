import ExamCore
import ExamKit
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Logging
import ServerWork
import SessionFolders
import SystemSupport

extension LiveExams {
    /// An exam that has not begun yet.
    struct Made: Sendable {
        var session: UUID
        var token: LiveToken
        var prepared: PreparedExam
    }

    /// Returns the statement to which a person agrees with `consent`.
    ///
    /// - Parameter groups: the person's groups, whose teachers may see the exam.
    static func consentWords(in groups: Set<String>) -> String {
        let teachers = groups.isEmpty ? "" : " The teachers of my group can see and hear it."
        return
            "I agree that my voice is recorded during this exam, stored with it, and used to assess it, by programs or by people who are "
            + "not told my name.\(teachers) I can have it erased."
    }

    /// Creates an exam: a row, and its contents. From now on any node may run it.
    ///
    /// - Parameters:
    ///   - origin: the answer that the candidate gives again, if the exam is a drill for that.
    ///   - asked: the metadata that name the request in the log.
    /// - Throws: `StoreError`; `full` if the user has begun as many exams as is allowed.
    func make(
        _ prepared: PreparedExam, for user: UUID, in groups: Set<String> = [], after origin: DrillOrigin? = nil,
        asked: Logger.Metadata = [:]
    ) async throws -> Made {
        let (session, token) = (UUID(), LiveToken())
        let now = WallTime.now.utc
        let (format, paper) = (prepared.format.id, prepared.paper.id)
        let owned = services.owned(by: user).heldHere
        var row = TestSession(
            id: session, name: session.name, format: format, paper: paper,
            templateID: TemplateIDs.template(format, paper), mode: prepared.script.options.mode, startedAt: now,
            expectedResponses: prepared.script.turns.count { $0.answer != nil })
        let allowance = services.settings.limits.toBegin(SessionKind(ofPaper: paper))
        if try await owned.put(row, in: groups, within: allowance) == .parentMissing {
            row.templateID = nil  // The format or paper belongs to the embedding program, so there is no template.
            _ = try await owned.put(row, in: groups, within: allowance)
        }
        let record = SessionRecord(
            startedAt: now, consent: .init(words: Self.consentWords(in: groups), givenAt: now), folders: [],
            voice: prepared.voice)
        let store = services.store.service
        try await store.put("session.json", Array(JSONEncoder().encode(record)), session: session)
        try await store.put("exam.json", FrozenExam(prepared).bytes, session: session)
        if let origin {
            try await store.put(DrillOrigin.file, Array(JSONEncoder().encode(origin)), session: session)
        }
        _ = try await store.setLiveToken(token.digest, session: session)
        services.note(.made, session, asked.merging(["format": "\(format)", "paper": "\(paper)"]) { $1 })
        return Made(session: session, token: token, prepared: prepared)
    }

    /// Returns a new token for an exam that is not over. The previous one becomes invalid.
    ///
    /// - Throws: `APIProblem`: 404 if the user has no such exam, 409 if it is over. `StoreError`.
    func renewToken(_ session: UUID, of user: UUID) async throws -> LiveToken {
        guard let row = try await services.owned(by: user).session(session) else {
            throw APIProblem.missing("exam")
        }
        guard row.status == .inProgress else {
            throw APIProblem(
                .conflict, "over", "The exam is over", "Its results can be fetched, but it cannot be continued.")
        }
        let token = LiveToken()
        _ = try await services.store.service.setLiveToken(token.digest, session: session)
        return token
    }
}
