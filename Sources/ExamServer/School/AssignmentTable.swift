import ExamStore
import Foundation
import Learning
import Reports
import Study
import SystemSupport

/// A group's assignments with the states of its learners, for its teacher.
struct AssignmentTable: Sendable {
    var assigned: [StoredAssignment]
    var rows: [Row] = []

    struct Row: Sendable {
        var learner: GroupLearner
        /// The states of this learner's assignments, by the assignments' ids.
        var states: [UUID: Assignment.State]
    }

    /// The exams by which assignments were done, with their learners.
    var sessions: [(id: UUID, owner: UUID)] {
        rows.flatMap { row in
            Set(row.states.values.compactMap(\.deed?.session)).compactMap { session in
                UUID(uuidString: session).map { ($0, row.learner.user) }
            }
        }
    }

    func told(_ offer: WorkOnOffer) -> ToldAssignments {
        ToldAssignments(
            assignments: assigned.map { one in
                var told = ToldAssignment(one, offer)
                told.results = rows.compactMap { row in
                    row.states[one.id].map { .init(user: LowercaseID(row.learner.user), state: ToldState($0)) }
                }
                return told
            }, learners: rows.map { .init(user: LowercaseID($0.learner.user), name: $0.learner.name) })
    }

    /// Returns the table for spreadsheets: a row for each learner, a column for each assignment.
    func csv(_ offer: WorkOnOffer) -> String {
        let titles = assigned.map { one in
            "\(AssignedWork(one.work).flatMap(offer.title) ?? one.work) (by \(one.due))"
        }
        let cells = rows.map { row in
            [row.learner.name ?? "", row.learner.user.name]
                + assigned.map { one in
                    guard let state = row.states[one.id] else { return "" }
                    return [state.name, state.deed?.day.text].compactMap(\.self).joined(separator: " ")
                }
        }
        return CSVText.text([["name", "learner"] + titles] + cells)
    }
}
