public import Foundation

/// Work that a teacher assigned to a group, or to one learner of it.
public struct StoredAssignment: Equatable, Identifiable, Sendable {
    public var id: UUID
    /// The group's name.
    public var group: String
    /// The only learner who is to do it. Nil if the whole group is.
    public var learner: UUID?
    /// The work in the form of Study's `AssignedWork`, which the store does not read.
    public var work: String
    /// The teacher's words to the learners. Can be empty.
    public var note: String
    /// The last day on which it is in time: `2026-12-01`.
    public var due: String
    public var teacher: UUID
    /// A time in UTC, such as `2026-11-21T09:12:29Z`.
    public var madeAt: String

    public init(
        id: UUID, group: String, learner: UUID? = nil, work: String, note: String = "", due: String, teacher: UUID,
        madeAt: String
    ) {
        (self.id, self.group, self.learner, self.work) = (id, group, learner, work)
        (self.note, self.due, self.teacher, self.madeAt) = (note, due, teacher, madeAt)
    }

    static let columns = "id, group_name, learner_id, work, note, due, made_by, made_at"

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), group: try row.value("group_name"), learner: try row.optional("learner_id"),
            work: try row.value("work"), note: try row.value("note"), due: try row.value("due"),
            teacher: try row.value("made_by"), madeAt: try row.value("made_at"))
    }
}

/// A learner of a group, as its teacher sees them.
public struct GroupLearner: Equatable, Sendable {
    public var user: UUID
    /// The name in the class, or in the profile. Nil if neither has one.
    public var name: String?

    public init(user: UUID, name: String?) { (self.user, self.name) = (user, name) }
}
