import ExamStore
import Learning
import Study
import SystemSupport

/// An assignment in the form for clients.
struct ToldAssignment: Encodable, Sendable {
    var id: LowercaseID
    var work, title: String
    /// The teacher's words to the learners.
    var note: String?
    var due, madeAt: String
    /// The only learner who is to do it.
    var learner: LowercaseID?
    /// Sent only to learners.
    var group: String?
    /// The learner's own state. Sent only to learners.
    var state: ToldState?
    /// The states of those who are to do it. Sent only to teachers.
    var results: [ToldAssignments.Result]?

    init(_ stored: StoredAssignment, _ offer: WorkOnOffer) {
        id = LowercaseID(stored.id)
        work = stored.work
        title = AssignedWork(stored.work).flatMap(offer.title) ?? stored.work
        note = stored.note.isEmpty ? nil : stored.note
        (due, madeAt) = (stored.due, stored.madeAt)
        learner = stored.learner.map { LowercaseID($0) }
    }
}

/// The state of an assignment for one learner.
struct ToldState: Encodable, Sendable {
    /// `open`, `done`, `late` or `missing`.
    var status: String
    /// The day on which it was done.
    var day: String?
    /// The exam by which it was done.
    var session: String?

    init(_ state: Assignment.State) {
        status = state.name
        day = state.deed?.day.text
        session = state.deed?.session
    }
}

/// A group's assignments and learners in the form for clients.
struct ToldAssignments: Encodable, Sendable {
    var assignments: [ToldAssignment]
    var learners: [Learner]

    struct Learner: Encodable, Sendable {
        var user: LowercaseID
        var name: String?
    }

    /// A learner's state of one assignment.
    struct Result: Encodable, Sendable {
        var user: LowercaseID
        var state: ToldState

        private enum CodingKeys: CodingKey { case user }

        func encode(to encoder: any Encoder) throws {
            try state.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(user, forKey: .user)
        }
    }
}
