import AudioFiles
import Crypto
import Foundation
import Glibc
import LoopbackServers

/// A benchmark of the harm that one learner, or a client without an account, can do to other users: recordings that
/// announce two hours in a few kilobytes, and connections that send requests but never read. Prints what other users
/// experienced meanwhile, next to the limits.
struct Hostile {
    private static let recordings = 100
    /// Seconds for which others are watched while the recordings wait.
    private static let watched = 60.0
    private static let readers = 500
    private static let requestsEach = 50

    private let top: String
    private let work: String

    init(top: String, work: String) {
        self.top = top
        self.work = work + "/hostile"
    }

    func measure() throws {
        signal(SIGPIPE, SIG_IGN)
        let server = try ServerProcess(
            built + "/oracy-server", folder: work, prompts: top + "/AudioFixtures/prompts",
            options: ["--requests-per-minute", "1000000"])
        try silentHours(server)
        slowReaders(server)
        server.stop()
    }

    // MARK: - Two hours of silence

    private func silentHours(_ server: ServerProcess) throws {
        let long = try Self.silence(work + "/long.flac")
        let short = try Data(contentsOf: URL(filePath: top + "/AudioFixtures/answers/because.flac"))
        let (hostile, other) = (Learner(server), Learner(server))
        for _ in 0..<(Self.recordings / 10) { hostile.sit((0..<10).map { _ in long }) }
        let until = clockNow() + Self.watched
        var (ready, uploads, refusals) = ([Double](), [Double](), 0)
        while clockNow() < until {
            let (status, seconds) = Learner.ask(server.port, "GET", "/ready")
            ready.append(seconds)
            if status != 200 { refusals += 1 }
            uploads.append(other.sit([short]))
            usleep(100_000)
        }
        let figures = server.metrics()
        let decoded = figures["oracy_sound_running"] ?? 0
        section("\(Self.recordings) recordings of two silent hours (\(long.count / 1000) kB each) by one learner")
        print("/ready                            \(Self.text(ready))   bar: 100 ms at p99")
        print("/ready did not say 200            \(refusals) of \(ready.count)   bar: 0")
        print("another learner's upload, \(short.count / 1000) kB   \(Self.text(uploads))   bar: 200 ms at p99")
        print(
            "decoded meanwhile                 \(decimal(decoded, 0)) at a time, \(decimal(figures["oracy_sound_waiting"] ?? 0, 0)) waiting"
        )
    }

    private static func text(_ seconds: [Double]) -> String {
        let sorted = seconds.sorted()
        func quantile(_ part: Double) -> String {
            decimal(sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))] * 1000, 0)
        }
        return "\(quantile(0.5)) ms, p99 \(quantile(0.99)) ms, at most \(quantile(1)) ms of \(sorted.count)"
    }

    private static func silence(_ path: String) throws -> Data {
        let writer = try SoundFileWriter(path: path, encoding: .flac)
        let minute = [Float](repeating: 0, count: 60 * AudioFormat.sampleRate)
        for _ in 0..<119 { try writer.write(minute[...]) }
        try writer.close(durably: false)
        return try Data(contentsOf: URL(filePath: path))
    }

    /// A learner who uploads exams that were held elsewhere.
    private struct Learner {
        let port: Int
        let token: String

        init(_ server: ServerProcess) {
            port = server.port
            token = UserToken(of: UUID(), secret: ServerProcess.secret).text
        }

        /// Uploads an exam.
        ///
        /// - Returns: seconds that its last recording took.
        @discardableResult func sit(_ recordings: [Data]) -> Double {
            let session = UUID().uuidString.lowercased()
            put(
                "/v1/sessions/\(session)",
                #"{"id":"\#(session)","name":"held","format":"ielts-style","paper":"bridges","startedAt":"2026-11-22T09:00:00Z"}"#
            )
            var seconds = 0.0
            for (number, bytes) in recordings.enumerated() {
                let answer = UUID().uuidString.lowercased()
                let digest = Crypto.SHA256.hash(data: bytes)
                let place = "/v1/sessions/\(session)/answers/\(answer)"
                let (status, took) = Self.ask(
                    port, "PUT", place + "/recording", token: token, Array(bytes),
                    headers: [
                        "Content-Type: audio/flac", "Repr-Digest: sha-256=:\(Data(digest).base64EncodedString()):",
                    ])
                guard status == 201 else { fail("a recording is refused with \(status)") }
                seconds = took
                put(
                    place,
                    #"{"id":"\#(answer)","session":"\#(session)","question":"q\#(number)","part":1,"order":\#(number + 1),"attempt":1,"end":"silence","duration":5,"speech":4,"recording":{"path":"x.flac","byteCount":\#(bytes.count),"sha256":"\#(digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())","mediaType":"audio/flac"}}"#
                )
            }
            put(
                "/v1/sessions/\(session)/completion",
                #"{"id":"\#(UUID().uuidString.lowercased())","session":"\#(session)","completedAt":"2026-11-22T09:10:00Z","outcome":"completed","answers":\#(recordings.count),"delivered":\#(recordings.count)}"#
            )
            return seconds
        }

        private func put(_ path: String, _ json: String) {
            let (status, _) = Self.ask(
                port, "PUT", path, token: token, Array(json.utf8), headers: ["Content-Type: application/json"])
            guard (200..<300).contains(status) else { fail("\(path) is refused with \(status)") }
        }

        /// Sends one request over a separate connection.
        ///
        /// - Returns: the status, and seconds from the connection to the whole answer.
        static func ask(
            _ port: Int, _ method: String, _ path: String, token: String? = nil, _ body: [UInt8] = [],
            headers: [String] = []
        ) -> (status: Int, seconds: Double) {
            let began = clockNow()
            var socket = ClientSocket(port: port)
            var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Content-Length: \(body.count)"] + headers
            if let token { lines.append("Authorization: Bearer \(token)") }
            socket.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
            while true {
                var end = pollfd(
                    fd: socket.descriptor, events: Int16(POLLIN | (socket.hasUnsent ? POLLOUT : 0)), revents: 0)
                guard poll(&end, 1, 120_000) > 0 else { fail("\(path) does not answer within two minutes") }
                socket.flush()
                if end.revents & Int16(POLLIN) == 0 { continue }
                guard socket.receive() else { fail("\(path) breaks the connection") }
                if let (head, _) = socket.answer() {
                    return (head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, clockNow() - began)
                }
            }
        }
    }

    // MARK: - Readers that do not read

    private func slowReaders(_ server: ServerProcess) {
        let before = server.memory
        var sockets: [Int32] = []
        let asked = Array(
            String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n", count: Self.requestsEach).utf8)
        for _ in 0..<Self.readers {
            let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var size: Int32 = 2_048
            setsockopt(end, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            _ = withLoopbackAddress(port: server.port) { connect(end, $0, $1) }
            _ = Glibc.send(end, asked, asked.count, Int32(MSG_NOSIGNAL))
            sockets.append(end)
        }
        var most = before
        for _ in 0..<50 {
            usleep(200_000)
            most = max(most, server.memory)
        }
        for end in sockets { close(end) }
        sleep(3)
        section("\(Self.readers) connections, each asks \(Self.requestsEach) times for 0.4 MB and reads nothing")
        print("the server's memory               \(decimal(before, 0)) MB before, \(decimal(most, 0)) MB at most")
        print("  more than before                \(decimal(most - before, 0)) MB   bar: 50 MB")
        print("  3 s after they have gone        \(decimal(server.memory - before, 0)) MB more than before")
    }
}
