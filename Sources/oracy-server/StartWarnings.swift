import ExamNode
import ExamServer
import ExamStore
import ServerWork
import SystemSupport

/// Warnings about the server's options at start, a sentence each: combinations that lose data or let strangers in.
struct StartWarnings {
    var place: PlaceOptions
    var storage: StorageOptions
    var signingIn: SignInOptions
    var live: LiveOptions
    var found: OptionSources

    var sentences: [String] { access + secrets + keepings + slips }

    private var access: [String] {
        if signingIn.development {
            return ["DEVELOPMENT: anyone who can reach this address is the same user, without signing in"]
        }
        let missing = [("--issuer", signingIn.issuer), ("--audience", signingIn.audience)].filter { $0.1 == nil }
        var said: [String] = []
        if signingIn.takesTokens, !missing.isEmpty {
            said.append(
                "without \(missing.map(\.0).joined(separator: " and ")), tokens that the same key signed for other programs "
                    + "are accepted here too")
        }
        if !place.isLoopback && place.allowedHosts.isEmpty {
            said.append(
                "without --allow-host, this server answers to any host name, even another site's")
        }
        if live.anyPace {
            said.append("--any-pace is for tests: one client can make this machine do the work of many exams at once")
        }
        return said
    }

    private var secrets: [String] {
        var said: [String] = []
        if found.onCommandLine.contains(OptionName.database.rawValue), hasPassword(storage.database) {
            said.append(
                "--database has a password, and all users of this machine can read command lines: put it into "
                    + "\(OptionName.database.variable) or a file (--config)")
        }
        let isShared = found.file?.tellsOthers {
            SecretName(rawValue: $0.name) != nil || $0.name == OptionName.database.rawValue && hasPassword($0.value)
        }
        let files =
            (isShared == true ? found.file.map { [$0.path] } ?? [] : []) + secretFiles.filter(OtherUsers.canRead)
        said += files.map { "\($0) contains secrets, and all users can read it: chmod 640" }
        // The folder of a server that starts for the first time is private from the beginning.
        if OtherUsers.canRead(storage.folder) {
            said.append(
                "\(storage.folder) contains users' recordings, and all users of this machine can enter it: chmod 700")
        }
        return said
    }

    /// The files with secrets that options name, directly or through a file of settings. What such a file says is
    /// checked elsewhere.
    private var secretFiles: [String] {
        let panel = live.assessors.map { (try? AssessorPanel.keyFiles(named: $0)) ?? [] } ?? []
        let endpoints = live.webhooks.map { (try? Webhooks.keyFiles(named: $0)) ?? [] } ?? []
        let schools = signingIn.schools.map { (try? SchoolAccounts.keyFiles(named: $0)) ?? [] } ?? []
        return Set((signingIn.tokenSecret.map { [$0] } ?? []) + panel + endpoints + schools).sorted()
    }

    private var keepings: [String] { unencrypted + nodeOnly }

    private var unencrypted: [String] {
        storage.isPlainAudio
            ? ["--audio sends recordings to another machine without encryption: give it an https endpoint"] : []
    }

    private var nodeOnly: [String] {
        guard storage.database != nil, storage.audio == nil else { return [] }
        return [
            "PostgreSQL without --audio: recordings are on this node's disk only; other nodes answer 404 for them, and erasing them "
                + "waits for this node"
        ]
    }

    private var slips: [String] {
        found.unknownVariables.map { "\($0) in the environment is not an option of this server and is ignored" }
    }

    private func hasPassword(_ database: String?) -> Bool { database.map(ExamDatabase.hasPassword) ?? false }
}
