import ExamKit
import Foundation
import Logging

/// What happens to an exam, for whoever runs the server: a line each, with the session's id and nothing of what anybody says in it.
enum ExamEvent: String, CaseIterable {
    case made = "exam made"
    /// Its first client is there.
    case begun = "exam begun"
    case joinedAgain = "exam joined again"
    /// Its client went, or its connection broke.
    case left = "exam left"
    /// A newer connection replaced the older one.
    case takenOver = "exam taken over by another connection"
    /// It ran on another node before, or this one with another disk.
    case movedHere = "exam taken over from another node"
    /// It is another node's now.
    case movedAway = "exam lost to another node"
    /// Left or interrupted: it is on disk and in the store, and any node may go on with it.
    case putOnDisk = "exam put on disk"
    /// One of its answers is where nothing can lose it.
    case answerStored = "answer stored"
    case over = "exam over"
    /// All of it is where results are made.
    case stored = "exam stored"
    /// A worker claimed it.
    case evaluating = "evaluation begun"
    case evaluated = "evaluation done"
    /// From here on nothing of it changes; what is found is added.
    case sealed = "session sealed"
    case erased = "session erased"
    /// A teacher, a marker or a service is about to read something of it.
    case readByAnother = "session read by another"
    case marksAsked = "marks asked for"
    /// A person's sheet was saved.
    case marked = "session marked"
}

extension Services {
    func note(_ event: ExamEvent, _ session: UUID, _ more: Logger.Metadata = [:]) {
        logger.info("\(event.rawValue)", metadata: more.merging(["session": "\(session.name)"]) { $1 })
    }
}

extension RoomItem {
    /// The connection that it came over, as lines of the log have it.
    var connection: Logger.Metadata {
        switch self {
        case .joined(let connection, _), .left(let connection), .sound(_, by: let connection, at: _),
            .said(_, by: let connection):
            ["connection": "\(connection.number)"]
        case .stalled, .closing: [:]
        }
    }
}
