import ExamStore
import Foundation
import HTTPTypes
import Logging

extension Services {
    /// Asks for rows as a user; what goes wrong is told as a client may hear it.
    func rows<Value>(
        of user: UUID, _ ask: (OwnedStore) async throws(StoreError) -> Value
    ) async throws(APIProblem) -> Value {
        do throws(StoreError) {
            return try await ask(owned(by: user))
        } catch {
            if error.kind != .conflict && error.kind != .invalid { logger.error("no rows: \(error.words)") }
            throw APIProblem(error)
        }
    }

    /// Asks for recordings; the same.
    func objects<Value>(
        _ ask: (any AudioStore) async throws(AudioStoreError) -> Value
    ) async throws(APIProblem) -> Value {
        do throws(AudioStoreError) {
            return try await ask(audio)
        } catch {
            if error.kind == .unavailable { logger.error("no recordings: \(error.words)") }
            throw APIProblem(error)
        }
    }
}

extension APIProblem {
    /// What went wrong where rows are kept.
    init(_ error: StoreError) {
        switch error.kind {
        case .unavailable, .unusable: self = .busy
        case .conflict:
            self.init(
                .conflict, "conflict", "Something else is there", "This id is taken, or was sent with other facts.")
        case .invalid: self = .malformed("A value in it cannot be kept.")
        }
    }

    /// What went wrong where recordings are kept.
    init(_ error: AudioStoreError) {
        switch error.kind {
        case .missing: self = .missing("recording")
        case .differs: self = .otherBytes
        case .unavailable: self = .busy
        }
    }

    static let otherBytes = APIProblem(
        .unprocessableContent, "digest-mismatch", "Other bytes",
        "The bytes that came are not those that were announced. Send them again.")

    static func parentMissing(_ what: String) -> APIProblem {
        APIProblem(.conflict, "parent-missing", "Too early", "The \(what) is not here yet.")
    }
}
