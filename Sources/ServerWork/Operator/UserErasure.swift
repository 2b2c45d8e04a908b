package import ExamNode
import ExamStore
package import Foundation
import RecordingStores
package import SystemSupport

/// Erases everything that a server stores about one user, and reports the result.
package struct UserErasure {
    private let services: Services
    /// This node's exams, if no server is running in its folder. Otherwise that server notices the erasure itself.
    private let exams: LiveExams?

    /// Creates an erasure.
    ///
    /// - Parameter ownsFolder: whether this process holds the lock of the node's folder.
    /// - Throws: `Problem` if the folder cannot be used.
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
        /// The number of erased rows by kind.
        package var deleted: [String: Int] = [:]
        /// The number of objects erased from the storage for recordings.
        package var audioFiles = 0
        /// The data that intentionally stays.
        package var kept: [Kept] = []
        /// The places that were checked after the erasure: a sentence for each, which says what was found there.
        package var looked: [String] = []
        /// The items that could not be erased: a sentence for each, which says what to do about it.
        package var failed: [String] = []
    }

    /// Erases a user's data.
    ///
    /// - Throws: `Problem.missing` if nothing is stored about the user, `StoreError`.
    package func erase(_ user: UUID) async throws -> Report {
        let store = services.store.service
        let before = try await store.held(of: user)
        // Without rows there may still be objects, if the storage failed during an earlier erasure.
        guard try await hasAnything(before, user) else {
            throw Problem(.missing, "nothing is stored of \(user.name); check the id")
        }
        var report = Report(user: user.name, erasedAt: WallTime.now.utc)
        let sessions = try await store.holders().sessions.filter { $0.user == user }.map(\.session)
        for session in sessions {
            let count = (try? await services.audio.keys(of: session, user: user).count) ?? 0
            do {
                // False: the user erased it meanwhile.
                if try await Erasing(services: services, exams: exams).erase(session, of: user, by: "operator") {
                    report.audioFiles += count
                }
            } catch let error as AudioStoreError {
                report.failed.append(
                    "sound of session \(session.name) could not be removed (\(error.message)): a server will remove it later"
                )
            }
        }
        let stays = try await eraseObjects(of: user, &report)
        await eraseStrays(of: user, &report)
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
                    "\(left) \(kind.name) were added during the erasure: the user is still signed in. Erase again when their tokens have expired"
                )
            }
        }
        await look(for: user, sessions, &report)
        return report
    }

    /// Checks the storage and this node's disk independently of the rows.
    private func look(for user: UUID, _ sessions: [UUID], _ report: inout Report) async {
        do throws(AudioStoreError) {
            let keys = try await services.audio.keys(of: user)
            report.looked.append("the storage of recordings: \(keys.count) objects")
            for key in keys.prefix(100) { report.failed.append("\(key) is still in the storage: erase again") }
        } catch {
            report.failed.append("the storage could not be checked (\(error.message)): erase again")
        }
        let folder = services.settings.folder + "/exams"
        let left = sessions.filter { FileFacts(at: "\(folder)/\($0.name)") != nil }
        report.looked.append("exams on this node's disk: \(left.count)")
        if exams == nil, !left.isEmpty {
            report.kept.append(
                .init(
                    kind: "exam-folders", count: left.count,
                    why: "in \(folder): the server that runs there removes them within ten minutes"))
        } else {
            for session in left { report.failed.append("\(folder)/\(session.name) is still on the disk: erase again") }
        }
        let scratch = ScratchFiles(settings: services.settings)
        // A running server has its own files there, and removes them.
        if exams != nil { scratch.removeAll() }
        report.looked.append("files of unfinished work on this node's disk: \(scratch.paths.count)")
    }

    private func hasAnything(_ rows: [String: Int], _ user: UUID) async throws -> Bool {
        if !rows.isEmpty { return true }
        return try await !services.audio.keys(of: user).isEmpty
    }

    /// Removes objects from the storage that have no row because a server was killed before it stored the row.
    private func eraseStrays(of user: UUID, _ report: inout Report) async {
        guard let keys = try? await services.audio.keys(of: user) else { return }
        for key in keys where (try? await services.audio.delete(key)) != nil { report.audioFiles += 1 }
    }

    /// Removes the objects of the profile and of uploads. Only their rows refer to them, so the rows are erased later.
    ///
    /// - Returns: the kinds whose rows must stay, because their objects could not be removed.
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
                report.failed.append("an upload could not be removed (\(error.message)): a server will remove it later")
                stays.insert("uploads")
            }
        }
        return stays
    }
}
