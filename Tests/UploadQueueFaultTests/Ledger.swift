import Foundation
import Glibc
import Synchronization
import SystemSupport
import UploadQueue
import Waiting

@testable import queue_probe

/// A backend that outlives its clients. It stores uploads by id, counts repetitions, and confirms.
///
/// It serves one connection at a time, in order. So when it has answered a later one, none of the earlier ones is open.
final class Ledger: Sendable {
    struct Arrival: Equatable {
        var upload: Upload
        /// The digest of the recording that arrived, if the upload has one.
        var sha256: String?
    }

    enum Fate: Sendable {
        case take
        /// "Not now": nothing is stored.
        case refuse
    }

    private struct State {
        var arrivals: [UUID: [Arrival]] = [:]
        /// The times of each upload's tries, on the clock that is never set.
        var tries: [UUID: [Duration]] = [:]
    }

    let port: UInt16
    private let door: Int32
    private let state = Mutex(State())
    private let fate: @Sendable (Upload, _ before: Int) -> Fate

    /// - Parameter fate: Decides about an upload, given the number of earlier tries.
    init(fate: @escaping @Sendable (Upload, _ before: Int) -> Fate = { _, _ in .take }) throws {
        self.fate = fate
        door = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let door = door
        let ready = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(door, $0, length) == 0 && listen(door, 64) == 0 && getsockname(door, $0, &length) == 0
            }
        }
        guard ready else { throw Problem(.unavailable, "no port for a ledger") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let line = accept(door, nil, nil)
                guard line >= 0 else { break }
                self?.serve(line)
                close(line)
            }
            close(door)
        }
    }

    /// Stops answering. The accepting thread closes the socket, because its number may be reused at once.
    func stop() { shutdown(door, Int32(SHUT_RDWR)) }

    func forget() { state.withLock { $0 = State() } }

    var arrivals: [UUID: [Arrival]] { state.withLock(\.arrivals) }
    var tries: [UUID: [Duration]] { state.withLock(\.tries) }

    /// Stores a session's uploads as if they had arrived before.
    func have(_ session: ProbeSession, in home: ProbeHome) {
        for index in session.ids.indices {
            let upload = session.expected(index, in: home)
            let arrival = Arrival(upload: upload.asSent, sha256: upload.file?.sha256)
            state.withLock { $0.arrivals[upload.id] = [arrival] }
        }
    }

    /// Waits until everything that clients have left behind has been read.
    func settle() async throws {
        let port = port
        try await Faults.runBlocking {
            let line = try LineToLedger(port: port)
            _ = try line.ask(Data("\n".utf8))
        }
    }

    private func serve(_ line: Int32) {
        var patience = timeval(tv_sec: Int(Patience.seconds.rounded(.up)), tv_usec: 0)
        setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        func more() -> Bool {
            withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { chunk in
                let count = recv(line, chunk.baseAddress, chunk.count, 0)
                if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
                return count > 0
            }
        }
        while !bytes.contains(UInt8(ascii: "\n")) { guard more() else { return } }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))!
        guard let upload = try? JSONDecoder().decode(Upload.self, from: Data(bytes[..<end])) else {
            answer("n", on: line)
            return
        }
        let count = upload.file?.byteCount ?? 0
        while bytes.count < end + 1 + count { guard more() else { return } }
        let recording = upload.file.map { _ in Array(bytes[(end + 1)...]) }
        answer(take(upload, recording) ? "y" : "n", on: line)
    }

    private func answer(_ letter: Character, on line: Int32) {
        var byte = letter.asciiValue!
        send(line, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    private func take(_ upload: Upload, _ recording: [UInt8]?) -> Bool {
        state.withLock { state in
            let before = state.tries[upload.id]?.count ?? 0
            state.tries[upload.id, default: []].append(SteadyClock.now)
            guard case .take = fate(upload, before) else { return false }
            let arrival = Arrival(upload: upload, sha256: recording.map { SHA256.hexadecimal(of: $0) })
            state.arrivals[upload.id, default: []].append(arrival)
            return true
        }
    }

    /// The same ledger without a connection, for a queue in this process.
    struct Inside: Uploader {
        let ledger: Ledger
        var place: String { "a ledger" }

        func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
            var recording: [UInt8]?
            if let path = upload.file?.path {
                recording = try? PrivateFile.read(path)
                guard recording != nil else { throw DeliveryFailure(.fileMissing) }
            }
            guard ledger.take(upload, recording) else { throw DeliveryFailure(.transient) }
        }
    }
}
