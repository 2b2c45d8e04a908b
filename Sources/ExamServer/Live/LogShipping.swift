import ExamKit
import ExamStore
import Foundation
import Glibc

/// Copies a session's log to the store, line by line in order, as the file grows; a step at a time.
///
/// Lines after the opening of a take wait until that take is stored: so the store's log never speaks of an answer that the store
/// has not, and whoever goes on with the session elsewhere asks for that answer again.
actor LogShipping {
    private let path: String
    private let session: UUID
    private let node: String
    private let store: ServiceStore
    /// Lines that the store has, and where in the file the next one begins.
    private var shipped: Int
    private var offset: Int
    /// Read and not shipped yet, with the takes that they open.
    private var waiting: [(line: String, takes: [String])] = []
    private var stored: Set<String>

    /// - Parameters:
    ///   - shipped: lines that the store has: the file's first ones.
    ///   - stored: the takes that it has, by name (`part1_q3`).
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

    /// Ships what may be.
    ///
    /// - Throws: `StoreError`: `conflict` where the session is another node's by now.
    func ship() async throws(StoreError) {
        readOn()
        let ready = waiting.prefix { $0.takes.allSatisfy(stored.contains) }.map(\.line)
        guard !ready.isEmpty else { return }
        try await store.append(ready, to: session, from: shipped + 1, node: node)
        // Nobody else was here meanwhile: one task ships.
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

    /// The names of the takes that a line of the log opens.
    static func takesOpened(in line: String) -> [String] {
        struct Line: Decodable {
            var `do`: [String]?
        }
        guard line.contains("openTake") else { return [] }  // As most lines; reading JSON takes its time.
        let commands = (try? JSONDecoder().decode(Line.self, from: Data(line.utf8)))?.do ?? []
        return commands.compactMap { command in
            let words = command.split(separator: " ")
            return words.count == 2 && words[0] == "openTake" ? String(words[1]) : nil
        }
    }
}
