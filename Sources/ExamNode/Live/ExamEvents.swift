package import Foundation
package import Logging
import SystemSupport

/// Events of an exam for operators: one line each, with the session's id and none of the words spoken.
package enum ExamEvent: String, CaseIterable {
    case made = "exam made"
    /// The first client has connected.
    case begun = "exam begun"
    case joinedAgain = "exam joined again"
    /// The client left, or its connection broke.
    case left = "exam left"
    /// A newer connection replaced an older one.
    case takenOver = "exam taken over by another connection"
    /// The exam ran on another node before, or on this one with another disk.
    case movedHere = "exam taken over from another node"
    /// Another node now has the exam.
    case movedAway = "exam lost to another node"
    /// The exam was left or interrupted. It is on disk and in the store, and any node may continue it.
    case putOnDisk = "exam put on disk"
    /// One of its answers is safely stored.
    case answerStored = "answer stored"
    case over = "exam over"
    /// Everything is stored for evaluation.
    case stored = "exam stored"
    /// A worker claimed it.
    case evaluating = "evaluation begun"
    case evaluated = "evaluation done"
    /// The exam can no longer change. Findings are added.
    case sealed = "session sealed"
    case erased = "session erased"
    /// A teacher, a marker or a service is about to read some of it.
    case readByAnother = "session read by another"
    case marksAsked = "marks asked for"
    /// A person's sheet was saved.
    case marked = "session marked"
}

extension Services {
    package func note(_ event: ExamEvent, _ session: UUID, _ more: Logger.Metadata = [:]) {
        logger.info("\(event.rawValue)", metadata: more.merging(["session": "\(session.name)"]) { $1 })
    }
}

extension RoomItem {
    /// The number of the connection over which the item came, as log metadata.
    package var connection: Logger.Metadata {
        switch self {
        case .joined(let connection, _), .left(let connection), .sound(_, by: let connection, at: _),
            .said(_, by: let connection):
            ["connection": "\(connection.number)"]
        case .stalled, .closing: [:]
        }
    }
}
