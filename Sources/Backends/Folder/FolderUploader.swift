import BackendAPI
import Glibc
public import SystemSupport
public import UploadQueue

/// Delivers into a folder on this or another disk. It is the default without a server.
///
///     <folder>/<session>/session.json
///     <folder>/<session>/responses/<session>_part1_q1.opus     the recording first,
///     <folder>/<session>/responses/<session>_part1_q1.json     then the facts about it
///     <folder>/<session>/complete.json                         last of all
///
/// A file appears only when it is complete, on disk, and compared with its SHA-256. A program that finds
/// `complete.json` also finds everything before it. Only the owner can read the files, on file systems that know
/// owners.
public struct FolderUploader: Uploader {
    private let folder: String

    /// The file that marks every destination, so that the empty mount point of a missing disk isn't mistaken for one.
    static let mark = ".oracy-destination"

    /// Delivers into an existing folder that was set up.
    ///
    /// - Throws: `Problem.missing` if the folder is missing, or `setUp` was never called for it.
    public init(folder: String) throws(Problem) {
        self.folder = folder
        do {
            _ = try Self.open(folder)
        } catch {
            throw Problem(
                .missing,
                "\(folder): is not set up as a destination; call FolderUploader.setUp, or mount its disk"
            )
        }
    }

    /// Delivers into a folder that may be absent at times, such as one on a removable disk. Uploads wait until it is
    /// there, however long that takes.
    ///
    /// - Parameter folder: A folder that `setUp` has made.
    public init(waitingFor folder: String) {
        self.folder = folder
    }

    public var place: String { folder }

    /// Makes the folder, its parents and the mark, if they don't exist. Call it once, when the user chooses the folder.
    /// Deliveries never make it, because an unmounted disk looks like a missing folder.
    ///
    /// - Throws: `Problem`: `unwritable`, `occupied`.
    public static func setUp(_ folder: String) throws(Problem) {
        try PrivateFile.createFolder(folder)
        guard access("\(folder)/\(mark)", F_OK) != 0 else { return }
        let words = "Recordings of speaking exams are delivered to this folder, as long as this file is in it.\n"
        try PrivateFile.replace("\(folder)/\(mark)", with: Array(words.utf8))
    }

    /// - Throws: `unreachable` if the folder or its mark is missing; `transient` with the system's words if the disk is
    ///   full, read-only or failing; `fileMissing`, `fileAltered`; `cancelled`.
    public func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        let folder = folder
        try await runBlocking { check throws(DeliveryFailure) in
            let session = try Self.open(folder).subfolder(upload.session.id.name)
            // Repeated before each answer: the disk may have been replaced since the last one.
            try session.place(.bytes(SessionRow(upload.session).json(forPeople: true)), as: "session.json", check)
            switch upload.content {
            case .session:
                break
            case .answer(let facts, let file):
                let path = facts.objectPath(session: upload.session.id, suffix: file.suffix)
                let responses = try session.subfolder("responses")
                let name = String(path.dropFirst("responses/".count))
                try responses.place(.file(file, sent: courier.sent), as: name, check)
                let row = AnswerRow(upload, facts, file, path: path)
                let rowPath = facts.objectPath(session: upload.session.id, suffix: "json")
                try responses.place(
                    .bytes(row.json(forPeople: true)), as: String(rowPath.dropFirst("responses/".count)), check)
            case .completion(let facts):
                try session.place(
                    .bytes(CompletionRow(upload, facts).json(forPeople: true)), as: "complete.json", check)
            case .submission(let body):
                try session.place(.bytes(Array(body.utf8)), as: "submission.json", check)
            }
        }
    }

    /// Opens the destination, if it is there.
    static func open(_ folder: String) throws(DeliveryFailure) -> OpenFolder {
        let opened = try OpenFolder(folder)
        guard opened.has(mark) else {
            throw DeliveryFailure(
                .unreachable, code: "no mark",
                message: "\(folder): has no \(mark); is its disk mounted?")
        }
        return opened
    }
}
