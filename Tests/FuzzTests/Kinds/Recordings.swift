import CSndFile
import Foundation
import HTTPTypes
import Synchronization
import SystemSupport
import Testing

@testable import AudioFiles
@testable import ExamNode
@testable import ExamServer

/// Damaged recordings of every kind that libsndfile reads. Some are read in this process, as prompts are, and some by a
/// worker process like the server's. Others are sent to the server.
struct Recordings: FuzzKind {
    static let name = "recordings"
    static let share = 45_000

    private let server: FuzzServer
    private let whole: [[UInt8]]
    private let folder = FuzzPlan.folder + "/sounds"
    private let workers = LastingWorker()
    /// The most blocks to read: many times more than a second of sound may have.
    private static let mostBlocks = 3_000

    init(_ server: FuzzServer) throws {
        self.server = server
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        whole = try SoundFiles.all(in: folder)
        try demand(whole.count > 100, "only \(whole.count) kinds of files")
    }

    func attempt(_ chance: inout Chance) async throws {
        var bytes = chance.one(of: whole)
        bytes.spoil(&chance)
        if chance.once(in: 3) { bytes.spoil(&chance) }
        if chance.once(in: 12) { return try await send(bytes) }
        let path = "\(folder)/\(chance.next())"
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            switch chance.below(4) {
            case 0: return try workers.ask(.study(leadIn: nil, samples: nil), path)
            case 1: return try workers.ask(chance.once(in: 2) ? .mp3 : .length, path)
            case 2: _ = try duration(ofSoundFile: path)
            default:
                let reader = try BlockReader(path: path)
                var count = 0
                while let block = try reader.next(), count < Self.mostBlocks {
                    count += 1
                    guard block.samples.allSatisfy(\.isFinite) else {
                        Issue.record("a sample is not a finite number")
                        return
                    }
                }
            }
        } catch let error as SoundFileError {
            try demand([.unusable].contains(error.kind) && !error.reason.isEmpty, "\(error)")
        }
    }

    /// Sends a recording through a signed address. The server checks the object when it is reported, and a worker reads
    /// it again.
    private func send(_ bytes: [UInt8]) async throws {
        let session = UUID().name
        let (said, answer) = try await server.ask(
            "POST", "/v1/generate-upload-url",
            [
                "user_id": .text(FuzzServer.user), "test_id": .text(session), "part_type": "part1",
                "question_id": "home-1", "file_extension": ".wav",
            ])
        let fields = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any] ?? [:]
        guard said == 200, let url = fields["upload_url"] as? String, let key = fields["key"] as? String,
            let path = url.range(of: "/v1/")
        else { throw Wrong("no address: \(said)") }
        let put = try await server.ask(
            "PUT", String(url[path.lowerBound...]), headers: [.contentType: "audio/wav"], body: bytes)
        try demand(put.status == 201, "not stored: \(put.status)")
        let done = try await server.ask(
            "POST", "/v1/upload-complete",
            ["user_id": .text(FuzzServer.user), "key": .text(key), "trigger_evaluation": .word("true")])
        try demand(done.status == 200, "not complete: \(String(decoding: done.body, as: UTF8.self))")
        let results = try await server.ask("GET", "/v1/sessions/\(session)/results", .word(""))
        try demand(results.status == 200, "no results: \(results.status)")
    }
}

/// A worker process that is asked about one recording after the other: a process for each of a hundred thousand would
/// take an hour.
private final class LastingWorker: Sendable {
    private let process = Mutex<WorkerProcess?>(nil)

    /// - Throws: `Wrong` if the worker died during its task, or gives an impossible answer.
    func ask(_ task: SoundTask, _ path: String) throws {
        let process = try process.withLock { kept in
            let process = try kept ?? WorkerProcess(FuzzServer.soundProgram)
            kept = process
            return process
        }
        let request = SoundWorker.Request(task: task, path: path, seconds: 20, memory: nil)
        do throws(WorkerProcess.End) {
            let (answer, bytes) = try process.ask(request, seconds: 600)
            try Self.check(answer, bytes)
        } catch {
            self.process.withLock { $0 = nil }
            // Kilobytes may promise hours.
            if error != .overLimit { throw Wrong("the worker: \(error)") }
        }
    }

    private static func check(_ answer: SoundWorker.Answer, _ bytes: [UInt8]) throws(WorkerProcess.End) {
        if let refusal = answer.refusal, answer.found == nil, !refusal.isEmpty { return }
        guard let found = answer.found, bytes.count == found.byteCount else { throw .died }
        if let peaks = found.peaks, peaks.count != 100 || !peaks.allSatisfy({ (0...1).contains($0) }) { throw .died }
    }
}

/// A file of each kind that libsndfile can write: containers, encodings and orders of bytes.
enum SoundFiles {
    static func all(in folder: String) throws -> [[UInt8]] {
        var files: [[UInt8]] = []
        let fixture = URL(filePath: #filePath).appending(path: "../../../../AudioFixtures/answers/yes.flac")
            .standardizedFileURL
        files.append(Array(try Data(contentsOf: fixture)))
        for container in formats(SFC_GET_FORMAT_MAJOR_COUNT, SFC_GET_FORMAT_MAJOR) {
            for encoding in formats(SFC_GET_FORMAT_SUBTYPE_COUNT, SFC_GET_FORMAT_SUBTYPE) {
                for (order, channels) in [(0, 1), (SF_ENDIAN_BIG, 2)] {
                    let path = "\(folder)/whole"
                    let kind = Int(container) & SF_FORMAT_TYPEMASK | Int(encoding) | Int(order)
                    if write(path, kind, channels: channels), let bytes = FileManager.default.contents(atPath: path) {
                        files.append(Array(bytes))
                    }
                    try? FileManager.default.removeItem(atPath: path)
                }
            }
        }
        return files
    }

    private static func formats(_ count: some BinaryInteger, _ which: some BinaryInteger) -> [Int32] {
        var number: Int32 = 0
        sf_command(nil, Int32(count), &number, Int32(MemoryLayout<Int32>.size))
        return (0..<number).map { index in
            var info = SF_FORMAT_INFO(format: index, name: nil, extension: nil)
            sf_command(nil, Int32(which), &info, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
            return info.format
        }
    }

    /// Writes 0.2 s of a tone.
    ///
    /// - Returns: False if libsndfile has no such kind.
    private static func write(_ path: String, _ kind: Int, channels: Int) -> Bool {
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format) = (16_000, Int32(channels), Int32(truncatingIfNeeded: kind))
        guard sf_format_check(&info) != 0, let file = sf_open(path, Int32(SFM_WRITE), &info) else { return false }
        let samples = (0..<(3_200 * channels)).map { Float(sin(Double($0) / 20)) * 0.5 }
        let written = sf_write_float(file, samples, sf_count_t(samples.count))
        return sf_close(file) == SF_ERR_NO_ERROR && written == samples.count
    }
}
