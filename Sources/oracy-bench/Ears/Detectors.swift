import AudioFiles
import EarScores
import ExamCore
import ExamKit
import Foundation
import VoiceActivity

/// What a detector hears of all recordings below a folder, by name.
struct Heard {
    var speech: [String: Speech]
    /// Seconds at which it says itself that an answer is over; nil where it does not say such things.
    var declaredEnds: [String: [Double]]?
}

/// This project's ears, as an exam sets them up, and the ends that it would declare.
///
/// - Parameter silence: what ends an answer, seconds.
func oracyHears(_ recordings: [LabelledSound.Recording], in folder: String, silence: Double) throws -> Heard {
    var speech: [String: Speech] = [:]
    var declaredEnds: [String: [Double]] = [:]
    for recording in recordings {
        var detector = VoiceDetector()
        detector.listen()
        var changes: [VoiceChange] = []
        var ends = EndsOfAnswers(silence: .seconds(silence))
        let samples = try LabelledSound.samples("\(folder)/\(recording.name).wav")
        // A session's blocks: ends depend on when something was decided.
        for start in stride(from: 0, to: samples.count, by: HouseSound.blockSize) {
            let end = min(start + HouseSound.blockSize, samples.count)
            var news: [VoiceChange] = []
            samples[start..<end].withUnsafeBufferPointer { block in detector.hear(block) { news.append($0) } }
            ends.hear(news, until: end, unsureSince: detector.mayHaveBegun)
            changes += news
        }
        ends.finish()
        declaredEnds[recording.name] = ends.ends.map { $0.at.sinceBegin / .seconds(1) }
        let voices = changes.voices(until: samples.count)
        speech[recording.name] = Speech(
            voices.map { Double($0.lowerBound) / 16_000..<Double($0.upperBound) / 16_000 })
    }
    return Heard(speech: speech, declaredEnds: declaredEnds)
}

/// Another detector, run by `Peers/peers.py` in the environment that `make bench-vad` sets up.
struct Peer {
    let title: String
    let name: String

    static let all = [
        Peer(title: "WebRTC 2", name: "webrtc-2"), Peer(title: "WebRTC 3", name: "webrtc-3"),
        Peer(title: "auditok", name: "auditok"), Peer(title: "TEN", name: "ten"),
        Peer(title: "Silero, each chunk", name: "silero-raw"), Peer(title: "Silero", name: "silero"),
    ]

    /// Why it is not there, in its own last words.
    struct Absence: Error { var reason: String }

    func hear(in folder: String, top: String) throws(Absence) -> Heard {
        let csv = try Self.run([name, folder], top: top)
        do {
            return try Heard(speech: Speech.byFile(csv: csv))
        } catch {
            throw Absence(reason: "its \(error)")
        }
    }

    /// The releases that are installed, one a line.
    static func versions(top: String) -> [String] {
        let text = (try? run(["versions"], top: top)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static func run(_ words: [String], top: String) throws(Absence) -> String {
        let python = top + "/.build/peers/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Absence(reason: "\(python) is not there; `make bench-vad` makes it")
        }
        let (output, errors) = ("\(work)/peer.csv", "\(work)/peer.errors")
        do {
            // Files, not pipes: a pipe that nobody reads would fill up.
            for file in [output, errors] { try Data().write(to: URL(filePath: file)) }
            let process = Process()
            process.executableURL = URL(filePath: python)
            process.arguments = [top + "/Sources/oracy-bench/Peers/peers.py"] + words
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
            process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
            try process.run()
            process.waitUntilExit()
            let complaint = try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n").last
            guard process.terminationStatus == 0 else {
                throw Absence(reason: complaint.map(String.init) ?? "exit code \(process.terminationStatus)")
            }
            return try String(contentsOfFile: output, encoding: .utf8)
        } catch let absence as Absence {
            throw absence
        } catch {
            throw Absence(reason: "\(error)")
        }
    }
}
