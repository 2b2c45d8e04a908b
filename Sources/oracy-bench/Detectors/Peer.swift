import DetectorScores
import Foundation

/// Another detector, run by `Peers/peers.py` in the environment of `make bench-vad`.
struct Peer {
    let title: String
    let name: String
    /// The packages from PyPI that it uses.
    let packages: [String]

    static let all = [
        Peer(title: "WebRTC 2", name: "webrtc-2", packages: ["webrtcvad"]),
        Peer(title: "WebRTC 3", name: "webrtc-3", packages: ["webrtcvad"]),
        Peer(title: "auditok", name: "auditok", packages: ["auditok"]),
        Peer(title: "TEN", name: "ten", packages: ["ten_vad"]),
        Peer(title: "Silero, each chunk", name: "silero-raw", packages: ["silero-vad", "onnxruntime"]),
        Peer(title: "Silero", name: "silero", packages: ["silero-vad", "onnxruntime"]),
    ]

    /// The reason why a peer is missing: its own last words.
    struct Absence: Error { var reason: String }

    /// Hears recordings, in two processes at a time.
    ///
    /// - Parameter names: Paths in the folder, without `.wav`.
    func hear(_ names: [String], in folder: String) throws(Absence) -> [String: Speech] {
        let middle = names.count / 2
        let parts = [names[..<middle], names[middle...]].filter { !$0.isEmpty }
        let processes = try parts.enumerated().map { index, part throws(Absence) in
            try PeerProcess([name] + part.map { $0 + ".wav" }, in: folder, number: index)
        }
        var speech = Dictionary(uniqueKeysWithValues: names.map { ($0, Speech([])) })
        for process in processes {
            let csv = try process.output()
            do {
                try speech.merge(Speech.byFile(csv: csv)) { $1 }
            } catch {
                throw Absence(reason: "its \(error)")
            }
        }
        return speech
    }

    /// Returns the installed releases, one per line: `webrtcvad 2.0.10`.
    static func versions() -> [String] {
        let text = (try? PeerProcess(["versions"], in: top, number: 0).output()) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}

/// A running `peers.py`.
struct PeerProcess {
    static let script = top + "/Sources/oracy-bench/Peers/peers.py"
    private static let python = top + "/.build/peers/bin/python"

    private let process = Process()
    private let (standard, errors): (String, String)

    /// - Parameter number: The number among the processes that run at the same time.
    init(_ words: [String], in folder: String, number: Int) throws(Peer.Absence) {
        (standard, errors) = ("\(work)/peer-\(number).csv", "\(work)/peer-\(number).errors")
        guard FileManager.default.isExecutableFile(atPath: Self.python) else {
            throw Peer.Absence(reason: "\(Self.python) is not there; `make bench-vad` makes it")
        }
        do {
            // Files instead of pipes: a pipe without a reader would fill up.
            for file in [standard, errors] { try Data().write(to: URL(filePath: file)) }
            process.executableURL = URL(filePath: Self.python)
            process.arguments = [Self.script] + words
            process.currentDirectoryURL = URL(filePath: folder)
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: standard))
            process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
            try process.run()
        } catch {
            throw Peer.Absence(reason: "\(error)")
        }
    }

    /// Waits for its end, and returns its output.
    func output() throws(Peer.Absence) -> String {
        process.waitUntilExit()
        do {
            let complaint = try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n").last
            guard process.terminationStatus == 0 else {
                throw Peer.Absence(reason: complaint.map(String.init) ?? "exit code \(process.terminationStatus)")
            }
            return try String(contentsOfFile: standard, encoding: .utf8)
        } catch let absence as Peer.Absence {
            throw absence
        } catch {
            throw Peer.Absence(reason: "\(error)")
        }
    }
}
