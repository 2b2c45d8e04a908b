import ExamStore
import Foundation
import Glibc
import SessionFolders

/// Copies a session's log to the store as the file grows, line by line and in order.
///
/// Lines after the opening of a take wait until that take is stored. So the store's log never mentions an answer that
/// the store does not have, and a node that continues the session asks for that answer again.
actor LogShipping {
    private let path: String
    private let session: UUID
    private let node: String
    private let store: ServiceStore
    /// The number of lines that the store has, and the offset of the next line in the file.
    private var shipped: Int
    private var offset: Int
    /// Lines read and not shipped yet, with the takes that they open.
    private var waiting: [(line: String, takes: [String])] = []
    private var stored: Set<String>

    /// Creates the copier.
    ///
    /// - Parameters:
    ///   - shipped: the lines that the store has, which are the first of the file.
    ///   - stored: the names of the takes that it has (`part1_q3`).
    init(
        _ folder: SessionFolder, session: UUID, node: String, store: ServiceStore, shipped: [String],
        stored: Set<String>
    ) {
        path = folder.log
        self.session = session
        self.node = node
        self.store = store
        self.shipped = shipped.count
        offset = shipped.reduce(0) { $0 + $1.utf8.count + 1 }
        self.stored = stored
    }

    func take(isStored name: String) {
        stored.insert(name)
    }

    /// Ships the lines that may be shipped.
    ///
    /// - Throws: `StoreError`: `conflict` if another node now has the session.
    func ship() async throws(StoreError) {
        readOn()
        let ready = waiting.prefix { $0.takes.allSatisfy(stored.contains) }.map(\.line)
        guard !ready.isEmpty else { return }
        try await store.append(ready, to: session, from: shipped + 1, node: node)
        // Only one task ships, so nothing has changed meanwhile.
        shipped += ready.count
        waiting.removeFirst(ready.count)
    }

    private func readOn() {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let size = Int(lseek(file, 0, SEEK_END))
        guard size > offset else { return }
        let bytes = [UInt8](unsafeUninitializedCapacity: size - offset) { buffer, count in
            count = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(offset)))
        }
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return }
        waiting += bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }.map { ($0, Self.takesOpened(in: $0)) }
        offset += end + 1
    }

    /// Returns the names of the takes that a line of the log opens.
    static func takesOpened(in line: String) -> [String] {
        struct Line: Decodable {
            var `do`: [String]?
        }
        guard line.contains("openTake") else { return [] }  // Most lines don't, and reading JSON takes time.
        let commands = (try? JSONDecoder().decode(Line.self, from: Data(line.utf8)))?.do ?? []
        return commands.compactMap { command in
            let words = command.split(separator: " ")
            return words.count == 2 && words[0] == "openTake" ? String(words[1]) : nil
        }
    }
}
