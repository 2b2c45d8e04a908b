import Dispatch
import Foundation
import Glibc
import UploadQueue

/// Delivers to a ledger: a backend in another process that outlives this one.
///
/// Each upload uses one connection: its JSON, a line feed, the recording's bytes. One byte comes back, `y` when the
/// ledger has all of it.
struct LedgerUploader: Uploader {
    let port: UInt16
    var place: String { "a ledger" }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        let result: Result<Void, DeliveryFailure> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do throws(DeliveryFailure) {
                    continuation.resume(returning: .success(try exchange(upload)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        try result.get()
    }

    private func exchange(_ upload: Upload) throws(DeliveryFailure) {
        guard var message = try? JSONEncoder().encode(upload) else { throw DeliveryFailure(.refused) }
        message.append(UInt8(ascii: "\n"))
        if let path = upload.file?.path {
            guard let recording = FileManager.default.contents(atPath: path) else {
                // A disk that fails for a moment may still have the file.
                throw DeliveryFailure(access(path, F_OK) == 0 ? .transient : .fileMissing)
            }
            message.append(recording)
        }
        let line = try LineToLedger(port: port)
        guard try line.ask(message) == UInt8(ascii: "y") else {
            throw DeliveryFailure(.transient, code: "503", message: "not now")
        }
    }
}

/// A connection to a ledger for one request and its answer.
struct LineToLedger: ~Copyable {
    private let line: Int32

    init(port: UInt16) throws(DeliveryFailure) {
        line = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard line >= 0 else { throw DeliveryFailure(.unreachable, message: "no socket") }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let line = line
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(line, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connected else { throw DeliveryFailure(.unreachable, message: "connection refused") }
    }

    deinit { close(line) }

    func ask(_ message: Data) throws(DeliveryFailure) -> UInt8 {
        var offset = 0
        while offset < message.count {
            let count = message.withUnsafeBytes {
                send(line, $0.baseAddress! + offset, $0.count - offset, Int32(MSG_NOSIGNAL))
            }
            // A call with a time limit isn't restarted automatically after a stop (signal(7)).
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw DeliveryFailure(.transient, message: "the connection broke") }
            offset += count
        }
        var answer: UInt8 = 0
        var count = recv(line, &answer, 1, 0)
        while count < 0 && errno == EINTR { count = recv(line, &answer, 1, 0) }
        guard count == 1 else { throw DeliveryFailure(.transient, message: "no answer") }
        return answer
    }
}
