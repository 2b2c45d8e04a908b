import Foundation
import Glibc
import SessionFolders
import SystemSupport
import UploadQueue

/// The content of a session's file `delivery`: the destinations of the session, with its id at each of them.
///
/// Each line is an id and the name of a destination. The first id is random, and the others are derived from it, so
/// that a backend that two accounts share never confuses two sessions. A line without a name belongs to a queue without
/// one; the first queue with a name takes it over.
struct DeliveryMarks {
    private struct Mark: Equatable {
        var id: UUID
        var destination: String
    }

    private let folder: SessionFolder
    private let marks: [Mark]

    /// - Throws: `Problem.malformed` if the file contains anything else.
    init(of folder: SessionFolder) throws(Problem) {
        self.folder = folder
        guard access(folder.delivery, F_OK) == 0 else {
            marks = []
            return
        }
        var marks: [Mark] = []
        for line in String(decoding: try PrivateFile.read(folder.delivery), as: UTF8.self).split(
            whereSeparator: \.isNewline)
        {
            let words = line.split(separator: " ")
            guard let id = words.first.flatMap({ UUID(uuidString: String($0)) }), words.count <= 2 else {
                throw Self.malformed(folder)
            }
            marks.append(Mark(id: id, destination: words.count == 2 ? String(words[1]) : ""))
        }
        guard !marks.isEmpty else { throw Self.malformed(folder) }
        self.marks = marks
    }

    func id(at destination: String) -> UUID? {
        (marks.first { $0.destination == destination } ?? marks.first { $0.destination.isEmpty })?.id
    }

    /// Returns the id at a destination. The id is on disk when this returns.
    ///
    /// Two answers may be stored at the same time, in one program or in two. The first chooses the id, and the second
    /// waits and reads it.
    ///
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    static func mark(_ folder: SessionFolder, _ destination: String) throws(Problem) -> UUID {
        if let known = try DeliveryMarks(of: folder).known(destination) { return known }
        let turn = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if turn >= 0 { FileLock.end(turn) } }
        // If the file system has no locks, the file is written without one.
        while turn >= 0, flock(turn, LOCK_EX) != 0, errno == EINTR {}
        return try DeliveryMarks(of: folder).add(destination)
    }

    private func known(_ destination: String) -> UUID? {
        marks.first { $0.destination == destination }?.id
    }

    private func add(_ destination: String) throws(Problem) -> UUID {
        if let known = known(destination) { return known }
        var marks = marks
        let id: UUID
        if let unnamed = marks.firstIndex(where: { $0.destination.isEmpty }) {
            marks[unnamed].destination = destination
            id = marks[unnamed].id
        } else {
            id = marks.first.map { DeliveryID.make("at \(destination)", of: $0.id) } ?? UUID()
            marks.append(Mark(id: id, destination: destination))
        }
        let text = marks.map { $0.destination.isEmpty ? $0.id.name : "\($0.id.name) \($0.destination)" }
        try PrivateFile.replace(folder.delivery, with: Array((text.joined(separator: "\n") + "\n").utf8))
        return id
    }

    private static func malformed(_ folder: SessionFolder) -> Problem {
        Problem(.malformed, "\(folder.delivery): is not the id of a session (8-4-4-4-12 hexadecimal digits)")
    }
}
