import ExamStore
package import Foundation
package import SystemSupport

/// Erases all that a server holds of one user, and tells what became of it.
package struct UserErasure {
    private let services: Services
    /// This node's exams, where no server runs in its folder; else the server that does finds out by itself.
    private let exams: LiveExams?

    /// - Parameter ownsFolder: whether this process has the right to the node's folder.
    /// - Throws: `Problem` where the folder cannot be used.
    package init(_ services: Services, ownsFolder: Bool) throws(Problem) {
        self.services = services
        exams = ownsFolder ? try LiveExams(services) : nil
    }

    package struct Report: Encodable, Sendable {
        package struct Kept: Encodable, Sendable {
            package var kind: String
            package var count: Int
            package var why: String
        }
        package var user: String
        package var erasedAt: String
        /// Rows that are gone, by kind.
        package var deleted: [String: Int] = [:]
        /// Objects in the storage of recordings that are gone.
        package var audioFiles = 0
        /// What stays, and is meant to.
        package var kept: [Kept] = []
        /// What is still there and should not be, a sentence each with what becomes of it.
        package var failed: [String] = []
    }

    /// - Throws: `Problem.missing` where nothing is kept of the user; `StoreError`.
    package func erase(_ user: UUID) async throws -> Report {
        let store = services.store.service
        let before = try await store.held(of: user)
        guard !before.isEmpty else { throw Problem(.missing, "nothing is kept of \(user.name)") }
        var report = Report(user: user.name, erasedAt: WallTime.now.utc)
        let sessions = try await store.holders().sessions.filter { $0.user == user }.map(\.session)
        for session in sessions {
            let count = (try? await services.audio.keys(of: session, user: user).count) ?? 0
            do {
                try await Erasing(services: services, exams: exams).erase(session, of: user, by: "operator")
                report.audioFiles += count
            } catch let error as AudioStoreError {
                report.failed.append(
                    "sound of session \(session.name) could not be removed (\(error.message)): a server does it when it can"
                )
            } catch is APIProblem {}  // Its user erased it meanwhile.
        }
        let stays = try await eraseObjects(of: user, &report)
        try await store.eraseRest(of: user, except: stays)
        let after = try await store.held(of: user)
        for kind in HeldKind.all {
            let left = after[kind.name] ?? 0
            let gone = (before[kind.name] ?? 0) - left
            if gone > 0 { report.deleted[kind.name] = gone }
            guard left > 0 else { continue }
            switch kind.fate {
            case .kept(let why): report.kept.append(.init(kind: kind.name, count: left, why: why))
            case .goesAlong, .erased:
                if stays.contains(kind.name) { continue }
                report.failed.append(
                    "\(left) \(kind.name) came meanwhile: the user is still signed in; erase again when their tokens have run out"
                )
            }
        }
        return report
    }

    /// Removes what only rows of the profile and of uploads name: they go after it.
    ///
    /// - Returns: kinds whose rows have to stay, since what they name could not be removed.
    private func eraseObjects(of user: UUID, _ report: inout Report) async throws(StoreError) -> Set<String> {
        var stays: Set<String> = []
        let place = AudioKey.profile(of: user)
        do throws(AudioStoreError) {
            let count = try await services.audio.keys(of: place, user: user).count
            try await services.audio.removeAll(of: place, user: user)
            report.audioFiles += count
        } catch {
            report.failed.append("the profile's picture could not be removed (\(error.message)): erase again")
            stays.insert("profile")
        }
        for key in try await services.store.service.uploadKeys(of: user).compactMap({ AudioKey($0) }) {
            do throws(AudioStoreError) {
                try await services.audio.remove(key)
            } catch {
                report.failed.append("an upload could not be removed (\(error.message)): a server does it when it can")
                stays.insert("uploads")
            }
        }
        return stays
    }
}
