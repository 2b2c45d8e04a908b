public import ExamNode
public import ExamStore
public import Foundation
import HTTPTypes

/// A user's remaining space for recordings and exams. Every route that takes bytes checks it, so that a refusal comes
/// early and gives its reason. The store checks again when it adds something (`Allowance`), so that concurrent requests
/// cannot exceed the limits together.
///
/// Bytes that are still arriving count like stored ones.
public struct Quota: Sendable {
    /// The server's limits for each user.
    public let limits: ServerSettings.Limits
    /// The user's current usage. Spoken drills don't count as today's exams.
    public let usage: Usage
    private let kind: SessionKind

    /// Reads a user's usage.
    ///
    /// - Throws: `APIProblem.busy`.
    public init(of user: UUID, _ services: Services) async throws(APIProblem) {
        try await self.init(of: user, toBegin: .exam, services)
    }

    init(of user: UUID, toBegin kind: SessionKind, _ services: Services) async throws(APIProblem) {
        self.kind = kind
        limits = services.settings.limits
        usage = try await services.rows(of: user) { store throws(StoreError) in
            try await store.usage(counting: kind.papers)
        }
    }

    /// Checks whether a recording may be stored.
    ///
    /// - Parameter byteCount: the recording's size.
    /// - Throws: `APIProblem`: 413 if the recording itself is too large, 429 if there is no space left for it.
    public func admit(recording byteCount: Int) throws(APIProblem) {
        guard byteCount <= limits.recordingBytes else { throw .tooLarge(limit: limits.recordingBytes) }
        guard usage.bytes + byteCount <= limits.storedBytes else {
            let megabytes = limits.storedBytes >> 20
            throw Self.full(
                "Your recordings use all of your \(megabytes) MB. Erase a session to make room.")
        }
    }

    /// Checks whether an exam or drill may begin.
    ///
    /// - Throws: `APIProblem`: 429 if no further one may begin today.
    public func admitExam() throws(APIProblem) {
        guard remainingExams > 0 else {
            switch kind {
            case .exam: throw Self.usedUp("You can begin \(limits.examsPerDay) exams a day.")
            case .drill: throw Self.usedUp("You can begin \(limits.drillsPerDay) spoken drills a day.")
            }
        }
    }

    /// Checks whether a session may be stored. Sessions held elsewhere have no daily limit, because a computer that was
    /// offline sends many together.
    ///
    /// - Throws: `APIProblem`: 429 if the maximum number of sessions is stored.
    func admitSession() throws(APIProblem) {
        guard usage.sessions < limits.sessions else {
            throw Self.full("You have \(limits.sessions) sessions, the maximum. Erase one to make room.")
        }
    }

    /// Checks whether an attempt at a quiz may be stored.
    ///
    /// - Throws: `APIProblem`: 429 if the maximum number of attempts is stored.
    func admitSubmission() throws(APIProblem) {
        guard usage.submissions < limits.submissions else {
            throw Self.full("You have \(limits.submissions) quiz attempts, the maximum.")
        }
    }

    private static func full(_ detail: String) -> APIProblem {
        APIProblem(.tooManyRequests, "storage-full", "No room left", detail, retryAfter: 3_600)
    }

    /// Maps the store's refusals.
    static func problem(_ shortage: Allowance.Shortage) -> APIProblem {
        switch shortage {
        case .sessionsToday: usedUp("You have begun as many exams, or spoken drills, as you can in a day.")
        case .bytes: full("Your recordings use all of your storage. Erase a session to make room.")
        case .sessions: full("You have the maximum number of sessions. Erase one to make room.")
        case .submissions: full("You have the maximum number of quiz attempts.")
        }
    }

    private static func usedUp(_ detail: String) -> APIProblem {
        APIProblem(
            .tooManyRequests, "exams-used-up", "Enough for today", detail + " The next day begins at midnight, UTC.",
            retryAfter: 86_400 - Int(Date().timeIntervalSince1970) % 86_400)
    }

    /// The number of exams, or of drills, that may still begin today.
    var remainingExams: Int { max(0, limits.perDay(of: kind) - usage.sessionsToday) }
}

extension ServerSettings.Limits {
    /// The limits to check when a recording is stored.
    var forRecordings: Allowance { Allowance(bytes: storedBytes) }
    /// The limits to check when an exam begins here. It needs space for its recordings, too.
    func toBegin(_ kind: SessionKind) -> Allowance {
        Allowance(bytes: storedBytes, sessions: sessions, sessionsToday: perDay(of: kind), counting: kind.papers)
    }

    fileprivate func perDay(of kind: SessionKind) -> Int {
        switch kind {
        case .exam: examsPerDay
        case .drill: drillsPerDay
        }
    }

    /// The limits to check when an exam from elsewhere arrives: a machine that was offline sends many together.
    var forSessions: Allowance { Allowance(sessions: sessions) }
    var forSubmissions: Allowance { Allowance(submissions: submissions) }
}
