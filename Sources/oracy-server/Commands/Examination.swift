import ExamNode
import ExamServer
import ExamStore
import Foundation
import Glibc
import RecordingStores
import SystemSupport

/// The parts of `check`: each returns its finding in a few words, or throws the problem and what to do.
struct Examination {
    struct Part {
        var name: String
        var look: () async throws -> String
    }

    let options: ServerOptions
    /// The environment, with the keys of S3 storage.
    let environment: [String: String]

    private var storage: StorageOptions { options.storage }

    var parts: [Part] {
        [
            Part(name: "folder", look: folder), Part(name: "disk", look: disk),
            Part(name: "database", look: database), Part(name: "recordings", look: recordings),
            Part(name: "tokens", look: tokens), Part(name: "clock", look: clock), Part(name: "files", look: files),
            Part(name: "open files", look: openFiles),
        ]
            + [options.signingIn.schools].compactMap { $0 }.map { file in
                Part(name: "schools") { try await schools(file) }
            }
    }

    /// The folder, or its nearest parent that exists.
    private var place: String {
        var place = storage.folder
        while FileFacts(at: place) == nil, place != place.folder { place = place.folder }
        return place
    }

    private func folder() throws -> String {
        let folder = storage.folder
        guard FileManager.default.fileExists(atPath: folder) else {
            guard access(place, W_OK | X_OK) == 0 else {
                throw Problem(
                    .unwritable,
                    "\(folder): cannot be created, because \(place) is not writable; create it, or name another folder")
            }
            return "\(folder) will be created"
        }
        guard (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil else {
            throw Problem(.occupied, "\(folder): is not a folder; name a folder with --data")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw Problem(.unwritable, "\(folder): is not writable; make the server's user its owner (chown)")
        }
        switch try FolderLock.holder(of: folder) {
        case nil: return "\(folder), no server is using it"
        case .some(let pid): return "\(folder), a server is using it" + (pid.map { " (process \($0))" } ?? "")
        }
    }

    private func disk() throws -> String {
        let wanted = ServerSettings(folder: storage.folder).freeBytes
        guard let free = FileFacts.free(at: place) else {
            throw Problem(.unwritable, "\(place): its free space is unknown")
        }
        let words = "\(free >> 20) MB free in \(place)"
        guard free >= wanted else {
            throw Problem(
                .unwritable, "\(words): an exam needs \(wanted >> 20) MB; free some space, or use another disk")
        }
        return words
    }

    private func database() async throws -> String {
        if storage.database == nil, FileFacts(at: storage.file) == nil { return "\(storage.file) will be created" }
        let store =
            if let database = storage.database { try ExamDatabase.postgres(database, connections: 1) } else {
                try ExamDatabase.sqlite(path: storage.file)
            }
        let kind = storage.database == nil ? "SQLite" : "PostgreSQL"
        let steps = try await store.steps()
        guard steps.done <= steps.known else {
            throw Problem(
                .malformed,
                "\(kind) is at step \(steps.done), but this version only knows \(steps.known); install a newer one"
            )
        }
        await store.close()
        let more = steps.done == steps.known ? "" : "; a server updates it to \(steps.known) when it starts"
        return "\(kind), step \(steps.done) of \(steps.known)\(more)"
    }

    private func recordings() async throws -> String {
        let place = storage.audio == nil ? storage.audioFolder : "S3"
        if storage.audio == nil, !FileManager.default.fileExists(atPath: place) { return "\(place) will be created" }
        let audio = try storage.audioStore(environment: environment)
        try await audio.ping()
        guard storage.audio != nil else { return place }
        try await audio.tryOut(in: NSTemporaryDirectory())
        return "S3 stores, returns and deletes objects"
    }

    private func tokens() async throws -> String {
        let signingIn = options.signingIn
        var tokensOnly = signingIn
        tokensOnly.schools = nil
        guard signingIn.takesTokens else { return signingIn.schools == nil ? "none: development" : "none" }
        _ = try await tokensOnly.signIn()
        return signingIn.jwks.map { "keys from \($0)" } ?? "a secret, HS256"
    }

    /// Reads the file of schools, and asks each school's sign-in service for its description.
    private func schools(_ file: String) async throws -> String {
        try await SchoolAccounts(file: file).tryOut()
        return "\(file), and each sign-in service answers"
    }

    /// Compares clocks. Tokens and leases allow a difference of 30 s (`TokenKeys`, `LiveTimes`).
    private func clock() async throws -> String {
        let now = WallTime.now
        guard let database = storage.database else { return "\(now.utc), no other clock to compare it with" }
        let store = try ExamDatabase.postgres(database, connections: 1)
        let ahead = Date().timeIntervalSince1970 - (try await store.clock())
        await store.close()
        let words = String(format: "%.1f s %@ the database's", abs(ahead), ahead < 0 ? "behind" : "ahead of")
        guard abs(ahead) < 30 else {
            throw Problem(
                .unavailable, "\(now.utc) is \(words); set both machines' clocks with NTP, or tokens are refused")
        }
        return "\(now.utc), \(words)"
    }

    /// Reads the files that options name, apart from keys.
    private func files() throws -> String {
        let (live, names) = (
            options.live, [options.live.assessors, options.live.rules, options.live.webhooks, options.live.ownExams]
        )
        _ = try live.panel(beside: options.storage.folder)
        _ = try live.voices(beside: options.storage.folder)
        _ = try live.endpoints()
        _ = try ExamCatalogue(folder: live.ownExams)
        _ = try ServerPacks.content(in: live.ownExams)
        let named = names.compactMap { $0 }
        return named.isEmpty ? "none named" : named.joined(separator: ", ")
    }

    private func openFiles() throws -> String {
        let allowed = OpenFiles.allow()
        guard allowed >= OpenFiles.wanted else { throw Problem(.unwritable, OpenFiles.words(allowed)) }
        return "\(allowed) at once"
    }
}
