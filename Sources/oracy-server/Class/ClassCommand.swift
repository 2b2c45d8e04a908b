import ArgumentParser
import ExamNode
import ExamServer
import ExamStore
import Foundation
import Logging
import RecordingStores
import SystemSupport

/// The command `oracy-server class`.
struct ClassCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "class",
        abstract: "Make this computer the server of a class, whose learners join with a name and a PIN.",
        discussion: """
            It prints the learners' address and code, and the teacher's link. Stop it with Ctrl-C. The next start with \
            the same name continues: exams, members and code are kept.

            Connections are encrypted, because phones and tablets allow a microphone only then. Browsers do not know \
            this computer's certificate, and warn once: docs/class.md.

            Exit codes: 0 stopped as asked; 64 invalid option; 65 unusable database or certificate; 69 port not available; \
            73 folder in use by another server; 74 folder not writable.
            """)

    @Option(help: "The class's name, such as \"Form 9B\".")
    var name: String

    @Option(help: "The teacher's name, as learners see it.")
    var teacher = "Teacher"

    @Option(help: "The class's folder. Default: ~/.local/share/oracy/class.")
    var data: String?

    @Option(help: "The port; 0 for any free one.")
    var port = 8443

    @Flag(help: "Serve this computer only, without encryption, to try it out.")
    var plain = false

    @OptionGroup var live: LiveOptions

    @Option(help: .config)
    var config: String?

    func validate() throws {
        for (option, text) in [("--name", name), ("--teacher", teacher)] {
            let isShown = !text.unicodeScalars.contains(where: \.isControl)
            guard 1...ClassAccounts.longestName ~= text.count, isShown, text.contains(where: { !$0.isWhitespace })
            else {
                throw ValidationError("\(option): write a name of 1 to \(ClassAccounts.longestName) characters")
            }
        }
        guard 0...65_535 ~= port else { throw ValidationError("--port \(port): use 0 to 65535; 0 means any free port") }
    }

    func run(with found: OptionSources) async throws {
        let folder = data ?? UserFolders.data + "/class"
        // A teacher's terminal shows addresses, not requests.
        LoggingSystem.bootstrap { _ in LineLog(.text, level: .warning, node: "class") }
        let lock = try FolderLock(folder: folder)
        let store = try ExamDatabase.sqlite(path: folder + "/oracy.sqlite")
        try await store.migrate()
        let services = Services(
            settings: try settings(folder), store: store, audio: try FolderAudioStore(path: folder + "/audio"),
            logger: Logger(label: "oracy-server"))
        let server = try await ExamBackend(
            services, signIn: .classes(ClassAccounts(isEncrypted: !plain)), assessors: try live.panel(beside: folder),
            webhooks: try live.endpoints())
        let addresses = plain ? [] : LocalAddresses.all()
        let authority = plain ? nil : try LocalAuthority(folder: folder + "/tls")
        let opened = try await OpenedClass.open(named: name, teacher: teacher, in: store)
        try await server.run(
            host: plain ? "127.0.0.1" : "0.0.0.0", port: port, workers: 1,
            identity: try authority?.identity(for: addresses)
        ) { port in
            let welcome = ClassWelcome(
                opened: opened, hosts: addresses, port: port, certificate: authority?.certificatePath)
            say(welcome.text)
            if let code = welcome.pictureOfAddress() { say(code) }
        }
        withExtendedLifetime(lock) {}
    }

    private func settings(_ folder: String) throws -> ServerSettings {
        var settings = ServerSettings(folder: folder, node: "class")
        live.apply(to: &settings)
        settings.voices = try live.voices(beside: folder)
        // A lesson's practice has many short requests.
        settings.limits.requestsPerMinute = 600
        return settings
    }
}

/// The addresses that a teacher reads from the terminal.
struct ClassWelcome {
    var opened: OpenedClass
    /// The computer's addresses in the local network. Empty if only this computer is served, or there is no network.
    var hosts: [String]
    var port: Int
    /// The path of the authority's certificate. Nil without encryption.
    var certificate: String?

    private var scheme: String { certificate == nil ? "http" : "https" }

    /// The address of the page. Teachers open the same address, because their screen shows learners which one to type.
    private var base: String { "\(scheme)://\(hosts.first ?? "localhost"):\(port)" }

    /// The address at which learners join.
    var address: String { "\(base)/#/join/\(opened.code)" }

    var text: String {
        var lines = [
            "\(opened.name) is open. Keep this window open, and the computer awake.", "",
            "Learners:  \(address)", "           or with the code \(opened.code)",
        ]
        lines += hosts.dropFirst().map {
            "           in another network: \(scheme)://\($0):\(port)/#/join/\(opened.code)"
        }
        lines += [
            "Teacher:   \(base)/#/link/\(opened.link)",
            "           The link works once, for a day. The next start prints another one.", "",
        ]
        if let certificate {
            if hosts.isEmpty { lines.append("There is no network: only this computer can join.") }
            lines += [
                "Each browser warns once, because it does not know this computer: choose Advanced, then Proceed.",
                "Devices on which \(certificate) is installed do not warn.",
            ]
        } else {
            lines.append(
                "Without encryption only this computer is served: other devices would allow no microphone.")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the learners' address as a picture for the terminal (QR code), if qrencode is installed.
    func pictureOfAddress() -> String? {
        guard !hosts.isEmpty,
            let program = ["/usr/bin/qrencode", "/usr/local/bin/qrencode"].first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else { return nil }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = ["--type=ANSIUTF8", "--output=-", address]
        process.standardOutput = output
        guard (try? process.run()) != nil, let bytes = try? output.fileHandleForReading.readToEnd() else { return nil }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
