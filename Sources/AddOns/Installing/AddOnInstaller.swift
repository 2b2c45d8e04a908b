import Glibc
package import SystemSupport

/// Installs an add-on: gives facts to `AddOnInstall`, and carries out the steps that it returns.
///
/// Besides the installation's folder, such as `words`, it uses three more names. `words.downloads` stays until
/// everything is fetched, so that a later call continues. `words.new` takes the place of `words` when it is complete.
/// `words.lock` lets only one process install. After a kill at any moment, the old installation or the new one is
/// intact.
package struct AddOnInstaller: Sendable {
    /// A step, for the user.
    package enum Report: Equatable, Sendable {
        /// A file is being fetched: its bytes so far.
        case fetching(AddOnFile, received: Int)
        /// A file could not be fetched. Another way is tried, if there is one.
        case failed(String)
        /// A part is being made or copied.
        case making(String)
        /// The result is being tried.
        case attempting
    }

    private let folder: String
    private let install: AddOnInstall
    private let source: any AddOnSource
    private let files: [String: AddOnFile]
    private let features: Set<String>
    private let programs: [String: [UInt8]]
    private let attempt: @Sendable (_ folder: String, _ list: Installation) async throws(Problem) -> Void
    private let report: @Sendable (Report) -> Void

    private var downloads: String { folder + ".downloads" }
    private var new: String { folder + ".new" }
    private var old: String { folder + ".old" }

    /// - Parameters:
    ///   - folder: the folder of the installation.
    ///   - features: the features of this machine's processor.
    ///   - programs: files of Oracy's own that go into the folder, by their names.
    ///   - attempt: tries the new folder, before it takes the place of the old one.
    ///   - report: called on any thread.
    package init(
        _ install: AddOnInstall, in folder: String, from source: any AddOnSource,
        files: [String: AddOnFile] = AddOnList.files, features: Set<String>,
        programs: [String: [UInt8]] = [:],
        attempt: @escaping @Sendable (_ folder: String, _ list: Installation) async throws(Problem) -> Void,
        report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        self.install = install
        self.folder = folder
        self.source = source
        self.files = files
        self.features = features
        self.programs = programs
        self.attempt = attempt
        self.report = report
    }

    /// Installs everything, or leaves everything as it was.
    ///
    /// - Throws: `Problem`: `unavailable` if a file cannot be fetched or this machine cannot run it; `occupied` if
    ///   another process installs; `malformed`, `unwritable`. A cancelled task throws `unavailable`.
    package func run() async throws(Problem) -> Installation {
        try PrivateFile.createFolder(folder.folder)
        let lock = try Lock(folder + ".lock")
        defer { lock.end() }
        Self.recover(folder)
        OwnFolder.remove(new)
        try PrivateFile.createFolder(downloads)
        let present = Installation.find(in: folder).flatMap { $0.damage(in: folder) == nil ? $0 : nil }
        var facts = AddOnInstall.Facts()
        facts.features = features
        facts.installed = Set(
            install.parts.filter { part in present?[part.name].map { part.isSame(as: $0, files) } ?? false }
                .map(\.name))
        facts.stored = try await stored()
        for id in Set(install.parts.flatMap(\.ways).flatMap(\.files)) where !facts.stored.contains(id) {
            facts.failures[id] = files[id].flatMap(source.lacks)
        }
        var list = Installation(at: WallTime.now.utc, source: source.name, parts: [])
        while true {
            if Task.isCancelled { throw Problem(.unavailable, "stopped; run it again to continue") }
            facts.freeBytes = FileFacts.free(at: folder.folder) ?? .max
            switch install.next(facts) {
            case .refuse(let reason): throw Problem(.unavailable, reason)
            case .fetch(let id):
                do throws(Problem) {
                    try await fetch(id)
                    facts.stored.insert(id)
                } catch {
                    if Task.isCancelled { throw Problem(.unavailable, "stopped; run it again to continue") }
                    facts.failures[id] = error.sentence
                    tell(error, facts)
                }
            case .keep(let part):
                report(.making(part))
                guard let kept = present?[part] else { preconditionFailure("only a present part is kept") }
                try copy(kept)
                list.parts.append(kept)
                facts.made.insert(part)
            case .make(let part, let way):
                report(.making(part))
                let making = PartMaking(
                    stored: Dictionary(uniqueKeysWithValues: facts.stored.map { ($0, path(of: $0)) }), files: files,
                    folder: new)
                do throws(Problem) {
                    list.parts.append(try await runBlocking { () throws(Problem) in try making.make(part, way) })
                    facts.made.insert(part)
                } catch {
                    guard error.kind == .malformed else { throw error }
                    for id in way.files { facts.failures[id] = error.sentence }
                    tell(error, facts)
                }
            case .attempt:
                report(.attempting)
                try PrivateFile.replace("\(new)/words.lock", with: [], mode: 0o644)
                for (name, bytes) in programs { try PrivateFile.replace("\(new)/\(name)", with: bytes, mode: 0o644) }
                try PrivateFile.replace("\(new)/installed.json", with: JSONFile.encode(list), mode: 0o644)
                try await attempt(new, list)
                facts.isTried = true
            case .finish:
                try finish()
                return list
            }
        }
    }

    /// Reports a failure. A failure that ends the installation is not reported, but thrown.
    private func tell(_ problem: Problem, _ facts: AddOnInstall.Facts) {
        if case .refuse = install.next(facts) { return }
        report(.failed(problem.sentence))
    }

    /// Returns the ids of the files that an earlier call fetched.
    private func stored() async throws(Problem) -> Set<String> {
        let ids = Set(install.parts.flatMap(\.ways).flatMap(\.files))
        let (files, paths) = (files, Dictionary(uniqueKeysWithValues: ids.map { ($0, path(of: $0)) }))
        return try await runBlocking { () throws(Problem) in
            var stored: Set<String> = []
            for id in ids {
                guard let file = files[id], let path = paths[id], access(path, R_OK) == 0 else { continue }
                if try file.isContent(of: path) { stored.insert(id) } else { unlink(path) }
            }
            return stored
        }
    }

    private func fetch(_ id: String) async throws(Problem) {
        guard let file = files[id] else { throw Problem(.missing, "\(id): is not in the list of add-ons") }
        report(.fetching(file, received: 0))
        try await source.fetch(file, to: path(of: id)) { report(.fetching(file, received: $0)) }
    }

    private func path(of id: String) -> String { "\(downloads)/\(files[id]?.name ?? id)" }

    private func copy(_ part: Installation.Part) throws(Problem) {
        for file in part.files {
            try PrivateFile.createFolder("\(new)/\(file.path)".folder, mode: 0o755)
            // Both folders are on the same disk and belong to the same user.
            guard link("\(folder)/\(file.path)", "\(new)/\(file.path)") == 0 else {
                throw PrivateFile.unwritable("\(new)/\(file.path)")
            }
        }
    }

    /// Puts the new folder in the place of the old one.
    private func finish() throws(Problem) {
        try OwnFolder.synchronize(new)
        OwnFolder.remove(old)
        if rename(folder, old) != 0 && errno != ENOENT { throw PrivateFile.unwritable(folder) }
        try PrivateFile.move(new, to: folder)
        OwnFolder.remove(old)
        OwnFolder.remove(downloads)
    }

    /// Restores an installation after a kill between the two renames.
    package static func recover(_ folder: String) {
        if access(folder, F_OK) != 0 { rename(folder + ".old", folder) }
    }

    /// Removes an installation, and the files that an unfinished one left.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: `Problem`: `occupied` if another process installs or uses it, `unwritable`.
    package static func remove(_ folder: String) throws(Problem) -> Bool {
        guard access(folder.folder, F_OK) == 0 else { return false }
        let lock = try Lock(folder + ".lock")
        defer {
            unlink(folder + ".lock")
            lock.end()
        }
        recover(folder)
        let use = access("\(folder)/words.lock", R_OK) == 0 ? try Lock("\(folder)/words.lock", isInUse: true) : nil
        defer { use?.end() }
        let all = [folder, folder + ".new", folder + ".downloads"]
        let wasThere = all.contains { access($0, F_OK) == 0 }
        // Rename the folder first, so that no program finds half of an installation.
        OwnFolder.remove(folder + ".old")
        if rename(folder, folder + ".old") != 0 && errno != ENOENT { throw PrivateFile.unwritable(folder) }
        for folder in [folder + ".old"] + all { OwnFolder.remove(folder) }
        return wasThere
    }

    /// A lock file that only one process can hold.
    private struct Lock {
        private let file: Int32

        init(_ path: String, isInUse: Bool = false) throws(Problem) {
            file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard file >= 0 else { throw PrivateFile.unwritable(path) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                close(file)
                throw Problem(
                    .occupied,
                    isInUse
                        ? "\(path.folder): is in use; try again when no exam is under way"
                        : "another process installs or removes it; try again when that has ended")
            }
        }

        func end() { FileLock.end(file) }
    }
}
