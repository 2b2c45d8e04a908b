import Backends
import FoundationEssentials
import Glibc
import HTTPClient
import SessionFolders
import SessionUploads
import SystemSupport
import UploadQueue

/// The destinations of a user's answers, and the queue of each.
///
/// ```
/// uploads/destination.json               the current destination
/// uploads/supabase-3f2a…/destination.json, credentials.json, journal.sqlite, templates/
/// ```
///
/// Each destination, and each account there, has its own folder, because what has arrived at one may be missing at
/// another.
struct UploadsHome {
    var folder = UserFolders.data + "/uploads"
    /// The path of another destination's file, for tests and for machines that are set up centrally. It replaces the
    /// user's choice.
    var chosenElsewhere = UserFolders.environment("ORACY_DESTINATION")

    private var destinationFile: String { folder + "/destination.json" }

    /// Returns the client for requests.
    static func client() -> CurlClient { CurlClient(timeout: timeout) }

    /// The limit for an exchange: `ORACY_TIMEOUT` seconds, or 15.
    static var timeout: Duration {
        guard let seconds = UserFolders.environment("ORACY_TIMEOUT").flatMap(Double.init), seconds > 0 else {
            return .seconds(15)
        }
        return .milliseconds(Int(min(seconds, 86_400) * 1000))
    }

    // MARK: Destinations

    /// Returns the destination of answers; nil if none was chosen, so that they stay on this machine.
    func destination() throws(Problem) -> Destination? {
        if let chosenElsewhere { return try .read(from: chosenElsewhere) }
        guard access(destinationFile, F_OK) == 0 else { return nil }
        return try .read(from: destinationFile)
    }

    /// - Throws: `Problem.missing` if no destination was chosen.
    func chosenDestination() throws(Problem) -> Destination {
        guard let destination = try destination() else {
            throw Problem(.missing, "no destination is set; see oracy uploads to --help")
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

    /// Makes the folder of a destination, before anything is queued for it.
    private func makeFolder(of destination: Destination) throws(Problem) {
        let own = folder(of: destination)
        try destination.setUp()
        try PrivateFile.createFolder(own)
        try destination.write(to: own + "/destination.json")
    }

    /// Returns every destination that was ever chosen here, by its folder's name.
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

    /// Signs in with a token. A token of another person makes this a new destination with its own queue.
    ///
    /// - Returns: The destination of answers from now on.
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

    /// - Throws: The errors of `DeliveryQueue`. The recovery of a damaged journal is reported to the user.
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

    /// Moves the queue of versions before 0.1, which served all destinations, to the destination that is used first.
    ///
    /// - Throws: `Problem.occupied` if another program has it open.
    private func takeOverEarlier(into own: String) throws(Problem) {
        let earlier = folder + "/journal.sqlite"
        guard access(earlier, F_OK) == 0, access(own + "/journal.sqlite", F_OK) != 0 else { return }
        // Opening and closing the journal without other users merges it into one file.
        _ = try DeliveryQueue(folder: folder)
        guard access(earlier + "-wal", F_OK) != 0 else {
            throw Problem(.occupied, "\(folder): another program is sending from here; stop it and try again")
        }
        try PrivateFile.move(earlier, to: own + "/journal.sqlite")
        if access(folder + "/credentials.json", F_OK) == 0 {
            try PrivateFile.move(folder + "/credentials.json", to: own + "/credentials.json")
        }
    }

    /// Returns the queue of the chosen destination.
    func queue() throws(Problem) -> DeliveryQueue { try queue(to: chosenDestination()) }

    /// Returns the queue, after adding all uploads that are missing from it.
    func completeQueue() throws(Problem) -> DeliveryQueue {
        let queue = try queue()
        for problem in SessionDelivery.catchUp(SessionShelf(), into: queue) { complain(problem.sentence) }
        return queue
    }

    func uploader(to destination: Destination) throws(Problem) -> any Uploader {
        try destination.makeUploader(client: Self.client(), credentials: credentials(of: destination))
    }

    /// Returns the exams that the destination offers.
    func templates(of destination: Destination) throws(Problem) -> TemplateLibrary {
        try TemplateLibrary(
            destination, client: Self.client(), credentials: credentials(of: destination),
            folder: folder(of: destination) + "/templates")
    }

    /// Returns a warning about the destination before an exam; nil if all is well, or no destination was chosen.
    func warning() async throws(Problem) -> String? {
        guard let destination = try destination() else { return nil }
        guard case .unreachable(let why) = await Reachability(client: Self.client()).reachable(destination) else {
            return nil
        }
        return
            "\(destination.place) cannot be reached now (\(why)); your answers will wait on this machine"
    }
}
