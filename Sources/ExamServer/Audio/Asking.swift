import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Logging
import RecordingStores
import SystemSupport

extension Services {
    /// Queries rows as a user, and converts errors into the form for clients.
    func rows<Value>(
        of user: UUID, _ ask: (OwnedStore) async throws(StoreError) -> Value
    ) async throws(APIProblem) -> Value {
        do throws(StoreError) {
            return try await ask(owned(by: user))
        } catch {
            switch error.kind {
            case .conflict, .invalid, .full, .sealed, .heldHere: break
            case .unavailable, .unusable, .refused: logger.error("store: \(error.message)")
            }
            throw APIProblem(error)
        }
    }

    /// Calls the audio store, and converts errors into the form for clients.
    func objects<Value>(
        _ ask: (any AudioStore) async throws(AudioStoreError) -> Value
    ) async throws(APIProblem) -> Value {
        do throws(AudioStoreError) {
            return try await ask(audio)
        } catch {
            if error.kind == .unavailable { logger.error("audio: \(error.message)") }
            throw APIProblem(error)
        }
    }
}

extension APIProblem {
    /// Converts an error of the database.
    init(_ error: StoreError) {
        switch error.kind {
        case .unavailable, .unusable: self = .busy
        case .conflict:
            self.init(
                .conflict, "conflict", "Conflict", "This id is taken, or was sent with different values.")
        case .invalid: self = .malformed("A value cannot be stored.")
        case .refused: self = .fault
        case .full(let shortage): self = Quota.problem(shortage)
        case .sealed: self = .sealed
        case .heldHere: self = .heldHere
        }
    }

    /// Converts an error of a `LearnerShelf`.
    init(_ problem: Problem) {
        self = problem.kind == .unavailable ? .busy : .fault
    }

    /// Converts an error of the audio store.
    init(_ error: AudioStoreError) {
        switch error.kind {
        case .missing: self = .missing("recording")
        case .differs: self = .otherBytes
        case .unavailable: self = .busy
        }
    }

    static let otherBytes = APIProblem(
        .unprocessableContent, "digest-mismatch", "Damaged",
        "The bytes that arrived do not match their digest. Send them again.")

    static let sealed = APIProblem(
        .conflict, "sealed", "The exam is sealed",
        "The exam is over and sealed: its recordings and answers cannot be added to, replaced or changed. It can still be erased."
    )

    static let heldHere = APIProblem(
        .conflict, "held-here", "The server holds this exam",
        "This exam is held by the server, which alone stores its answers and ends it.")

    static func parentMissing(_ what: String) -> APIProblem {
        APIProblem(.conflict, "parent-missing", "Too early", "The \(what) has not arrived yet.")
    }
}
