import Crypto
import DetectorScores
import Foundation

/// A cache of the peers' results below `.build/peers/heard`, so that another run on the same sound costs them no time.
///
/// Each detector and sound has a file: `heard/PEER/VERSIONS/SHA.csv`. VERSIONS are the installed releases of the peer's
/// packages and the beginning of the SHA-256 of `peers.py`. SHA is that of the WAV file. So the cache is never out of
/// date, and may be deleted at any time.
struct HeardBefore {
    private let folder = top + "/.build/peers/heard"
    private let versions: [String]
    private let script: String

    /// - Parameter versions: In the form of `Peer.versions`.
    init(versions: [String]) throws {
        self.versions = versions
        script = try Self.sum(ofFile: PeerProcess.script, 8)
    }

    /// Has a peer hear the recordings that aren't in the cache.
    func hear(
        _ recordings: [Condition.Recording], with peer: Peer, in sounds: String
    ) throws -> Result<[String: Speech], Peer.Absence> {
        let place = folder + "/\(peer.name)/" + made(of: peer)
        var speech: [String: Speech] = [:]
        for recording in recordings {
            guard let csv = try? String(contentsOfFile: "\(place)/\(recording.sum).csv", encoding: .utf8) else {
                continue
            }
            speech[recording.name] = try Speech.byFile(csv: csv)["heard"] ?? Speech([])
        }
        let new = recordings.filter { speech[$0.name] == nil }
        if new.isEmpty { return .success(speech) }
        let heard = Result { () throws(Peer.Absence) in try peer.hear(new.map(\.name), in: sounds) }
        guard let heard = try? heard.get() else { return heard }
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for recording in new {
            let stretches = heard[recording.name]!.stretches.map { "heard,\($0.lowerBound),\($0.upperBound)\n" }
            let csv = "file,start_s,end_s\n" + stretches.joined()
            try csv.write(toFile: "\(place)/\(recording.sum).csv", atomically: true, encoding: .utf8)
        }
        return .success(speech.merging(heard) { $1 })
    }

    /// Returns the name of a folder such as `webrtcvad-2.0.10-1f3a…`.
    private func made(of peer: Peer) -> String {
        let releases = versions.filter { version in peer.packages.contains { version.hasPrefix($0 + " ") } }
        return (releases.map { $0.replacing(" ", with: "-") } + [script]).joined(separator: "-")
    }

    /// Returns the beginning of a file's SHA-256 in hexadecimal.
    static func sum(ofFile path: String, _ digits: Int = 64) throws -> String {
        let bytes = SHA256.hash(data: try Data(contentsOf: URL(filePath: path)))
        return String(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().prefix(digits))
    }
}
