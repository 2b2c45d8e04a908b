public import Foundation
import Glibc
import SystemSupport

/// Recordings in a folder: `<folder>/<user>/<session>/<name>`, readable only for its owner (0700 and 0600).
///
/// A file gets its name when it is complete and on disk. Until then it is in `<folder>/.parts`, locked by its writer. A
/// killed process may leave a file there without a lock: the store removes it when the folder is next opened, and with
/// each sweep. Several processes may use one folder if it supports hard links (NFS does). The store opens each part of
/// a path in turn and never follows links, so a link that another program placed in the folder cannot lead out of it.
public struct FolderAudioStore: AudioStore {
    private let root: Descriptor
    private let parts: Descriptor

    /// Opens the folder, and creates it if necessary.
    ///
    /// - Throws: `unavailable` if that fails. It accesses the disk, so don't call it on a shared thread.
    public init(path: String) throws(AudioStoreError) {
        do throws(Problem) {
            try PrivateFile.createFolder(path)
            try PrivateFile.anchor(path)
        } catch {
            throw AudioStoreError(.unavailable, error.sentence)
        }
        guard let root = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { throw .system(path) }
        self.root = root
        parts = try root.folder(".parts")
        removeLeftovers()
    }

    public func put(
        _ path: String, as key: AudioKey, sha256: String, mediaType: String
    ) async throws(AudioStoreError) {
        try await runBlocking { () throws(AudioStoreError) in
            // Another call may remove the folder with its last recording while this one is storing into it.
            for _ in 0..<10 where try store(path, at: FolderPlace(key), sha256: sha256) { return }
            throw AudioStoreError(.unavailable, "the folder of \(key) is removed again and again")
        }
    }

    public func read(
        _ key: AudioKey, range: Range<Int>?
    ) async throws(AudioStoreError) -> AsyncThrowingStream<[UInt8], any Error> {
        let file = try await runBlocking { () throws(AudioStoreError) in
            guard let file = try find(key), file.byteCount != nil else {
                throw AudioStoreError(.missing, "there is no \(key)")
            }
            return file
        }
        let reader = PieceReader(range ?? 0 ..< .max, by: 65_536) { (range) async throws(AudioStoreError) in
            try await runBlocking { () throws(AudioStoreError) in
                guard let bytes = file.read(at: range.lowerBound, count: range.count) else { throw .system("\(key)") }
                return bytes
            }
        }
        return reader.stream
    }

    public func size(of key: AudioKey) async throws(AudioStoreError) -> Int? {
        try await runBlocking { () throws(AudioStoreError) in try find(key)?.byteCount }
    }

    public func delete(_ key: AudioKey) async throws(AudioStoreError) {
        try await runBlocking { () throws(AudioStoreError) in
            let place = FolderPlace(key)
            guard let user = try root.existingFolder(place.user), let session = try user.existingFolder(place.session)
            else { return }
            guard unlinkat(session.number, place.name, 0) == 0 || errno == ENOENT, session.synchronize() else {
                throw .system("\(key)")
            }
            // If the user has no more recordings, the user's folder is removed too, so that no id remains. A folder
            // that is not empty cannot be removed.
            if unlinkat(user.number, place.session, AT_REMOVEDIR) == 0 {
                _ = unlinkat(root.number, place.user, AT_REMOVEDIR)
            }
        }
    }

    public func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try await runBlocking { () throws(AudioStoreError) in
            let folder = try root.existingFolder(user.name)?.existingFolder(session.name)
            return (folder?.names ?? []).compactMap { AudioKey(AudioKey.prefix(of: session, user: user) + $0) }
        }
    }

    public func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try await runBlocking { () throws(AudioStoreError) in
            guard let folder = try root.existingFolder(user.name) else { return [] }
            var keys: [AudioKey] = []
            for session in folder.names {
                let names = try folder.existingFolder(session)?.names ?? []
                keys += names.compactMap { AudioKey("\(AudioKey.prefix(of: user))\(session)/\($0)") }
            }
            return keys
        }
    }

    /// Always nil: uploads to a folder go through this server (`UploadTicket`).
    public func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }

    public func ping() async throws(AudioStoreError) {
        try await runBlocking(on: .probes) { () throws(AudioStoreError) in
            guard faccessat(parts.number, ".", W_OK, 0) == 0, let free = FileFacts.free(in: root.number) else {
                throw .system("the folder of recordings")
            }
            guard free > 0 else { throw .system("the folder of recordings", ENOSPC) }
        }
    }
}

/// The three names of a key.
private struct FolderPlace {
    let user, session, name: String

    init(_ key: AudioKey) {
        let names = key.text.split(separator: "/").map(String.init)
        (user, session, name) = (names[0], names[1], names[2])
    }
}

extension FolderAudioStore {
    /// Stores a file.
    ///
    /// - Returns: false if its folder was removed meanwhile.
    private func store(_ path: String, at place: FolderPlace, sha256: String) throws(AudioStoreError) -> Bool {
        let user = try root.folder(place.user)
        guard let session = try user.folderUnlessGone(place.session) else { return false }
        if try isThere(place, in: session, sha256) { return try anchor(session, user) }
        let part = UUID().uuidString
        guard
            let file = Descriptor(
                openat(parts.number, part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
        else { throw .system("the folder of recordings") }
        defer { unlinkat(parts.number, part, 0) }
        // A sweep may have removed the file before it was locked. Then start again.
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return false }
        guard let source = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else { throw .system(path) }
        guard try copy(source, to: file) == sha256.lowercased() else {
            throw AudioStoreError(.differs, "the bytes to store have another SHA-256")
        }
        guard file.synchronize() else { throw .system("the folder of recordings") }
        // Unlike renaming, a link never replaces an existing file.
        if linkat(parts.number, part, session.number, place.name, 0) == 0 { return try anchor(session, user) }
        switch errno {
        case EEXIST: return try isThere(place, in: session, sha256) ? anchor(session, user) : false
        case ENOENT: return false
        default: throw .system("the folder of recordings")
        }
    }

    /// Waits until the names of a recording and of its folders are on the disk.
    private func anchor(_ session: Descriptor, _ user: Descriptor) throws(AudioStoreError) -> Bool {
        guard session.synchronize(), user.synchronize(), root.synchronize() else {
            throw .system("the folder of recordings")
        }
        return true
    }

    /// Returns whether the recording is already stored.
    ///
    /// - Throws: `differs` if other bytes are stored.
    private func isThere(
        _ place: FolderPlace, in session: Descriptor, _ sha256: String
    ) throws(AudioStoreError) -> Bool {
        guard let there = try session.file(place.name) else { return false }
        guard try copy(there, to: nil) == sha256.lowercased() else {
            throw AudioStoreError(.differs, "other bytes are stored under this key")
        }
        return true
    }

    /// Copies a file.
    ///
    /// - Returns: the SHA-256 of the copied bytes.
    private func copy(_ source: Descriptor, to target: Descriptor?) throws(AudioStoreError) -> String {
        var digest = SHA256()
        var offset = 0
        while true {
            guard let bytes = source.read(at: offset, count: 1 << 18) else { throw .system("a recording") }
            if bytes.isEmpty { return digest.hexadecimal() }
            bytes.withUnsafeBytes { digest.update($0) }
            if let target, !PrivateFile.writeAll(bytes, to: target.number) { throw .system("the folder of recordings") }
            offset += bytes.count
        }
    }

    private func find(_ key: AudioKey) throws(AudioStoreError) -> Descriptor? {
        let place = FolderPlace(key)
        return try root.existingFolder(place.user)?.existingFolder(place.session)?.file(place.name)
    }

    /// Removes files that killed processes left behind: those without a lock.
    ///
    /// - Returns: the number of removed files.
    @discardableResult package func removeLeftovers() -> Int {
        var count = 0
        for name in parts.names {
            guard let file = try? parts.file(name), file.byteCount != nil,
                flock(file.number, LOCK_EX | LOCK_NB) == 0, unlinkat(parts.number, name, 0) == 0
            else { continue }
            count += 1
        }
        return count
    }
}

extension Descriptor {
    /// The names in this folder.
    fileprivate var names: [String] {
        guard let listed = fdopendir(openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return [] }
        defer { closedir(listed) }
        var names: [String] = []
        while let entry = readdir(listed) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    /// Returns a file in this folder. Nil if the file does not exist, or the name is a link.
    fileprivate func file(_ name: String) throws(AudioStoreError) -> Descriptor? {
        if let file = Descriptor(openat(number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) { return file }
        guard errno == ENOENT || errno == ELOOP else { throw .system("a recording") }
        return nil
    }

    fileprivate func existingFolder(_ name: String) throws(AudioStoreError) -> Descriptor? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        if let folder = Descriptor(openat(number, name, flags)) { return folder }
        guard errno == ENOENT || errno == ELOOP || errno == ENOTDIR else { throw .system("the folder of recordings") }
        return nil
    }

    /// Returns a subfolder, and creates it if necessary. This folder itself is never removed.
    fileprivate func folder(_ name: String) throws(AudioStoreError) -> Descriptor {
        for _ in 0..<10 {
            if let folder = try folderUnlessGone(name) { return folder }
        }
        throw .system("the folder of recordings", ENOENT)
    }

    /// Returns a subfolder, and creates it if necessary. Nil if this folder was removed.
    fileprivate func folderUnlessGone(_ name: String) throws(AudioStoreError) -> Descriptor? {
        if mkdirat(number, name, 0o700) != 0 && errno != EEXIST {
            if errno == ENOENT { return nil }
            throw .system("the folder of recordings")
        }
        let found = try existingFolder(name)
        if found == nil, FileFacts(at: name, in: number) != nil {
            throw AudioStoreError(.unavailable, "a file has the path of a folder for recordings")
        }
        return found
    }
}

extension AudioStoreError {
    /// Converts `errno`.
    fileprivate static func system(_ what: String, _ code: Int32 = errno) -> AudioStoreError {
        AudioStoreError(.unavailable, "\(what): \(String(cString: strerror(code)))")
    }
}
