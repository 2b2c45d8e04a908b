import Backends
import ExamKit
import FoundationEssentials
import Glibc
import HTTPClient
import SessionUploads
import UploadQueue

/// Where the user's answers go, and the queue of each such place.
///
/// ```
/// uploads/destination.json               where answers go from now on
/// uploads/supabase-3f2a…/destination.json, credentials.json, journal.sqlite, templates/
/// ```
///
/// Each destination, and each account there, has a folder of its own: what arrived at one says nothing about another.
struct UploadsHome {
    var folder = UserFolders.data + "/uploads"
    /// What a test, or a machine that is set up for many, has instead of the user's choice: the path of a destination's file.
    var chosenElsewhere = UserFolders.environment("ORACY_DESTINATION")

    private var destinationFile: String { folder + "/destination.json" }

    /// What requests go through.
    static func client() -> CurlClient { CurlClient(timeout: timeout) }

    /// How long an exchange may take: `ORACY_TIMEOUT` seconds, or 15.
    static var timeout: Duration {
        guard let seconds = UserFolders.environment("ORACY_TIMEOUT").flatMap(Double.init), seconds > 0 else {
            return .seconds(15)
        }
        return .milliseconds(Int(min(seconds, 86_400) * 1000))
    }

    // MARK: Destinations

    /// Where answers are to go; nil if none was chosen: they stay on this machine.
    func destination() throws(Problem) -> Destination? {
        if let chosenElsewhere { return try .read(from: chosenElsewhere) }
        guard access(destinationFile, F_OK) == 0 else { return nil }
        return try .read(from: destinationFile)
    }

    /// - Throws: `Problem.missing` if no destination was chosen.
    func chosenDestination() throws(Problem) -> Destination {
        guard let destination = try destination() else {
            throw Problem(.missing, "no destination is set: `oracy uploads to --help` shows how")
        }
        return destination
    }

    func set(_ destination: Destination?) throws(Problem) {
        try PrivateFile.createFolder(folder)
        guard let destination else {
            if let left = try? self.destination() { unlink(credentials(of: left)) }
            unlink(destinationFile)
            return
        }
        try makeFolder(of: destination)
        try destination.write(to: destinationFile)
    }

    /// What a destination has to have before anything is queued for it.
    private func makeFolder(of destination: Destination) throws(Problem) {
        let own = folder(of: destination)
        try destination.setUp()
        try PrivateFile.createFolder(own)
        try destination.write(to: own + "/destination.json")
    }

    /// Every destination that was ever chosen here, by its folder's name.
    func destinations() -> [Destination] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { try? Destination.read(from: "\(folder)/\($0)/destination.json") }
    }

    func folder(of destination: Destination) -> String { "\(folder)/\(destination.name)" }

    // MARK: Accounts

    func credentials(of destination: Destination) -> String { folder(of: destination) + "/credentials.json" }

    func account(at destination: Destination) -> Account {
        Account(destination, client: Self.client(), credentials: credentials(of: destination))
    }

    /// Signs in with a token, which may be another person's than the one before: then that is another delivery.
    ///
    /// - Returns: where answers go now.
    func signIn(_ secret: String, at destination: Destination) async throws(Problem) -> Destination {
        guard case .backend(let url, _) = destination, let subject = Account.subject(of: secret) else {
            try await account(at: destination).signIn(secret)
            return destination
        }
        let first = Destination.backend(url: url)
        let owner = folder(of: first) + "/account"
        let known = (try? PrivateFile.read(owner)).map { String(decoding: $0, as: UTF8.self) }
        let chosen = known == nil || known == subject ? first : .backend(url: url, account: subject)
        if chosen != destination { try set(chosen) }
        if known == nil {
            try PrivateFile.createFolder(folder(of: first))
            try PrivateFile.replace(owner, with: Array(subject.utf8))
        }
        try await account(at: chosen).signIn(secret)
        return chosen
    }

    // MARK: Queues

    /// - Throws: as `DeliveryQueue`. What became of a damaged journal is said to the user.
    func queue(to destination: Destination) throws(Problem) -> DeliveryQueue {
        let own = folder(of: destination)
        if access(own + "/destination.json", F_OK) != 0 { try makeFolder(of: destination) }
        try takeOverEarlier(into: own)
        let queue = try DeliveryQueue(folder: own, destination: destination.name)
        if let recovery = queue.recovery {
            complain(
                "the upload journal was damaged: \(recovery.recovered.of("upload")) recovered, the damaged file is kept as "
                    + recovery.keptAside)
        }
        return queue
    }

    /// Before 0.1 one queue served all destinations: it becomes that of the one that is used first.
    ///
    /// - Throws: `Problem.occupied` where another program has it open.
    private func takeOverEarlier(into own: String) throws(Problem) {
        let earlier = folder + "/journal.sqlite"
        guard access(earlier, F_OK) == 0, access(own + "/journal.sqlite", F_OK) != 0 else { return }
        // Opened and closed by whoever has it alone, a journal is one file.
        _ = try DeliveryQueue(folder: folder)
        guard access(earlier + "-wal", F_OK) != 0 else {
            throw Problem(.occupied, "\(folder): another program sends from here; end it and try again")
        }
        try PrivateFile.move(earlier, to: own + "/journal.sqlite")
        if access(folder + "/credentials.json", F_OK) == 0 {
            try PrivateFile.move(folder + "/credentials.json", to: own + "/credentials.json")
        }
    }

    /// The queue of the destination that was chosen.
    func queue() throws(Problem) -> DeliveryQueue { try queue(to: chosenDestination()) }

    /// The queue with everything in it that should be.
    func completeQueue() throws(Problem) -> DeliveryQueue {
        let queue = try queue()
        for problem in SessionDelivery.catchUp(SessionShelf(), into: queue) { complain(problem.sentence) }
        return queue
    }

    func uploader(to destination: Destination) throws(Problem) -> any Uploader {
        try destination.makeUploader(client: Self.client(), credentials: credentials(of: destination))
    }

    /// Exams that the destination offers.
    func templates(of destination: Destination) throws(Problem) -> TemplateLibrary {
        try TemplateLibrary(
            destination, client: Self.client(), credentials: credentials(of: destination),
            folder: folder(of: destination) + "/templates")
    }

    /// What is worth knowing of the destination before an exam (A5); nil where nothing is, or nobody chose one.
    func warning() async throws(Problem) -> String? {
        guard let destination = try destination() else { return nil }
        guard case .unreachable(let why) = await Reachability(client: Self.client()).reachable(destination) else {
            return nil
        }
        return
            "answers go to \(destination.place), which cannot be reached now (\(why)); they will wait on this machine"
    }
}
