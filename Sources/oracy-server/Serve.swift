import AddOns
import ArgumentParser
import ExamKit
import ExamNode
import ExamServer
import Hearing
import Logging
import RecordingStores
import ServerWork
import Study
import SystemSupport

/// The command `oracy-server serve`, or just `oracy-server`.
struct Serve: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run exams until stopped (default command).",
        discussion: """
            Every option can also be set in the environment (ORACY_SERVER_METRICS_PORT for --metrics-port) or in the --config \
            file (metrics-port = 9090). The command line overrides the environment, which overrides the file.

            Stops on SIGTERM or SIGINT: running exams are saved and can be continued, after --drain-seconds at the latest.

            Exit codes: 0 stopped as asked; 64 invalid option; 65 unusable database, token keys or file of schools; 66 file not found; 69 \
            address or port not available, or database not reachable; 73 folder in use by another server; 74 folder not \
            writable.
            """)

    @OptionGroup var options: ServerOptions

    func validate() throws { try options.requireSignIn() }

    func run(with found: OptionSources) async throws {
        let (place, keeping) = (options.place, options.keeping)
        LoggingSystem.bootstrap { [log = options.log, place] _ in
            LineLog(log.format, level: log.level, node: place.node)
        }
        let logger = Logger(label: "oracy-server")
        let openFiles = OpenFiles.allow()
        let lock = try FolderLock(folder: options.storage.folder)
        var settings = options.settings
        settings.voices = try options.live.voices(beside: options.storage.folder)
        let services = Services(
            settings: settings, store: try await options.storage.store(),
            audio: try options.storage.audioStore(environment: found.environment), logger: logger)
        let signIn = try await options.signingIn.signIn()
        let server = try await ExamBackend(
            services, signIn: signIn,
            assessors: try options.live.panel(beside: options.storage.folder),
            webhooks: try options.live.endpoints())
        let warnings = StartWarnings(
            place: place, storage: options.storage, signingIn: options.signingIn, live: options.live, found: found)
        if openFiles < OpenFiles.wanted { logger.warning("\(OpenFiles.words(openFiles))") }
        for sentence in warnings.sentences { logger.warning("\(sentence)") }
        Task {
            do throws(AudioStoreError) {
                try await services.audio.ping()
            } catch {
                // The storage may become available later. Until then no answer can be stored, and /ready fails.
                logger.warning("recordings cannot be stored", metadata: ["what": "\(error.message)"])
            }
        }
        if case .schools(let schools, _) = signIn {
            Task {
                do throws(Problem) {
                    try await schools.tryOut()
                } catch {
                    // The service may become available later. It is asked again at each sign-in.
                    logger.warning("people of a school cannot sign in", metadata: ["what": "\(error.sentence)"])
                }
            }
        }
        try await server.run(host: place.host, port: place.port, workers: keeping.workers) { port in
            // Scripts wait for this line, and people click on it.
            say(place.address(port: port))
        }
        withExtendedLifetime(lock) {}
    }
}

extension ArgumentHelp {
    /// The help for `--config`, which every command has and `OptionSources` reads.
    static let config: ArgumentHelp = "A file of options, one per line: name = value. Or set ORACY_SERVER_CONFIG."
}

/// All options of the server.
struct ServerOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions
    @OptionGroup var storage: StorageOptions
    @OptionGroup var keeping: KeepingOptions
    @OptionGroup var signingIn: SignInOptions
    @OptionGroup var allowed: LimitOptions
    @OptionGroup var live: LiveOptions
    @OptionGroup var log: LogOptions

    @Option(help: .config)
    var config: String?

    /// Checks the options for signing in.
    ///
    /// - Throws: `ValidationError`.
    func requireSignIn() throws {
        try signingIn.requireOne()
        guard !signingIn.development || place.isLoopback else {
            throw ValidationError(
                "--development with --host \(place.host) lets in anyone who can reach it; use it only on 127.0.0.1"
            )
        }
    }

    var settings: ServerSettings {
        var settings = ServerSettings(folder: storage.folder, node: place.node)
        settings.nodeURL = place.nodeURL
        settings.metricsPort = place.metricsPort
        settings.development = signingIn.development
        settings.allowedHosts = Set(place.allowedHosts)
        settings.limits = allowed.limits()
        settings.retentionDays = keeping.retention
        live.apply(to: &settings)
        return settings
    }
}

extension LiveOptions {
    /// Sets what these options say about exams.
    func apply(to settings: inout ServerSettings) {
        settings.allowedOrigins = Set(allowedOrigins)
        settings.anyPace = anyPace
        settings.ownExams = ownExams
        settings.markers = markers
        settings.drainTime = .seconds(drainSeconds)
        // This very program, even if its file was replaced since it started.
        settings.soundProgram = ["/proc/self/exe", SoundWorker.argument]
    }

    /// Returns the assessors of answers.
    ///
    /// - Parameter folder: the server's folder, in which a recogniser may be installed.
    func panel(beside folder: String) throws(Problem) -> AssessorPanel {
        var panel = try AssessorPanel(file: assessors, words: recogniser(beside: folder))
        if let rules { panel.rules = try .read(from: PrivateFile.read(rules), name: rules) }
        return panel
    }

    /// Returns the recogniser of words on this machine. Nil if it is switched off or not installed.
    private func recogniser(beside folder: String) throws(Problem) -> WordsHere? {
        switch words {
        case "off": return nil
        case "auto":
            let files = WordsFiles(in: folder + "/words") ?? WordsFiles(in: "/usr/share/oracy/words")
            return try files.flatMap { (files) throws(Problem) in try WordsHere.installed(files) }
        default:
            guard let files = WordsFiles(in: words) else {
                throw Problem(.missing, "--words \(words): no recogniser is installed there; run oracy words install")
            }
            return try WordsHere.installed(files)
        }
    }

    /// Returns the examiner's voices.
    ///
    /// - Parameter folder: the server's folder, in which voices may be installed.
    /// - Throws: `Problem.missing` if the chosen voice is not installed.
    func voices(beside folder: String) throws(Problem) -> ExaminerVoices {
        let installed = InstalledVoices(in: folder + "/voice") ?? .find()
        let found = InstalledVoice.names.compactMap { name in
            InstalledVoice(name, in: installed).map { (name: name, voice: ExaminerVoice($0)) }
        }
        var (usual, formats) = (found.first?.name, [String: String]())
        for wish in self.voices {
            let words = wish.split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = words.last, name == ExaminerVoices.espeak || found.contains(where: { $0.name == name })
            else {
                let option = wish.hasSuffix("pico") ? " --pico" : ""
                throw Problem(.missing, "--voice \(wish): is not installed; run oracy voices install\(option)")
            }
            if words.count == 2 { formats[words[0]] = name } else { usual = name }
        }
        return ExaminerVoices(found, usual: usual, formats: formats)
    }

    /// Returns the endpoints that receive events of sessions.
    func endpoints() throws(Problem) -> Webhooks {
        try webhooks.map { (file) throws(Problem) in try Webhooks(file: file) } ?? Webhooks()
    }
}

extension ExaminerVoice {
    /// The voice of an installation.
    fileprivate init(_ installed: InstalledVoice) {
        self.init(command: installed.command)
        (name, language, linesArgument) = (installed.identity, installed.language, installed.linesArgument)
    }
}
