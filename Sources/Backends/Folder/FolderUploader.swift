import BackendAPI
import Glibc
public import SystemSupport
public import UploadQueue

/// Delivers into a folder, on this disk or another one: the embedded default.
///
///     <folder>/<session>/session.json
///     <folder>/<session>/responses/<session>_part1_q1.opus     the recording first,
///     <folder>/<session>/responses/<session>_part1_q1.json     then what is known of it
///     <folder>/<session>/complete.json                         last of all
///
/// Each file appears whole, on disk and compared with its SHA-256, or not at all; a program that looks for `complete.json`
/// finds everything before it. All of it is for its owner's eyes only, where the file system knows owners.
public struct FolderUploader: Uploader {
    private let folder: String

    /// Lies in every destination, so that the empty mount point of a disk that is not there is not taken for it.
    static let mark = ".oracy-destination"

    /// Delivers into a folder that is there and was set up.
    ///
    /// - Throws: `Problem.missing` where the folder is not there, or nobody called `setUp` for it.
    public init(folder: String) throws(Problem) {
        self.folder = folder
        do {
            _ = try Self.open(folder)
        } catch {
            throw Problem(
                .missing,
                "\(folder): is no destination: make it one with FolderUploader.setUp, or mount the disk that it lies on"
            )
        }
    }

    /// Delivers into a folder that may be away at times, on a disk that is plugged in now and then: uploads wait until it is there,
    /// however long that takes.
    ///
    /// - Parameter folder: a folder that `setUp` has made.
    public init(waitingFor folder: String) {
        self.folder = folder
    }

    public var place: String { folder }

    /// Makes the folder, those above it, and the mark that it is known by; nothing happens where they are. To be done once,
    /// when a person chooses it: deliveries never make it, for a disk that is not mounted looks like a folder to be made.
    ///
    /// - Throws: `Problem`: `unwritable`, `occupied`.
    public static func setUp(_ folder: String) throws(Problem) {
        try PrivateFile.createFolder(folder)
        guard access("\(folder)/\(mark)", F_OK) != 0 else { return }
        let words = "Recordings of speaking exams are delivered to this folder, as long as this file is in it.\n"
        try PrivateFile.replace("\(folder)/\(mark)", with: Array(words.utf8))
    }

    /// - Throws: `unreachable` where the folder, or its mark, is not there; `transient` with the system's words where the disk
    ///   is full, read-only or fails; `fileMissing`, `fileAltered`; `cancelled`.
    public func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        let folder = folder
        try await runBlocking { check throws(DeliveryFailure) in
            let session = try Self.open(folder).subfolder(upload.session.id.name)
            // Before everything else and each time: the disk may be another one than at the last answer.
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

    /// The destination, if it is there.
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
