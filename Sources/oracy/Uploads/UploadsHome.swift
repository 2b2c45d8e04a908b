import Backends
import ExamKit
import Glibc
import HTTPClient
import SessionUploads
import UploadQueue

/// The user's own queue of uploads, and where it goes.
struct UploadsHome {
    var folder = UserFolders.data + "/uploads"

    private var destinationFile: String { folder + "/destination.json" }
    var credentials: String { folder + "/credentials.json" }

    /// Where answers are to go; nil if none was chosen: they stay on this machine.
    func destination() throws(Problem) -> Destination? {
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
            unlink(destinationFile)
            unlink(credentials)
            return
        }
        try destination.setUp()
        try destination.write(to: destinationFile)
    }

    /// - Throws: as `DeliveryQueue`. What became of a damaged journal is said to the user.
    func queue() throws(Problem) -> DeliveryQueue {
        let queue = try DeliveryQueue(folder: folder)
        if let recovery = queue.recovery {
            complain(
                "the upload journal was damaged: \(recovery.recovered.of("upload")) recovered, the damaged file is kept as "
                    + recovery.keptAside)
        }
        return queue
    }

    /// The queue with everything in it that should be.
    func completeQueue() throws(Problem) -> DeliveryQueue {
        let queue = try queue()
        for problem in SessionDelivery.catchUp(SessionShelf(), into: queue) { complain(problem.sentence) }
        return queue
    }

    func uploader(to destination: Destination) throws(Problem) -> any Uploader {
        try destination.makeUploader(client: CurlClient(), credentials: credentials)
    }

    /// What is worth knowing of the destination before an exam (A5); nil where nothing is, or nobody chose one.
    func warning() async throws(Problem) -> String? {
        guard let destination = try destination() else { return nil }
        guard case .unreachable(let why) = await Reachability(client: CurlClient()).reachable(destination) else {
            return nil
        }
        return
            "answers go to \(destination.place), which cannot be reached now (\(why)); they will wait on this machine"
    }
}
