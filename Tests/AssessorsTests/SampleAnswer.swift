import Assessment
import AudioFiles
import ExamCore
import Foundation
import HTTPClient
import LoopbackServers
import SessionFolders
import StudyFolders
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Assessors

/// A test's answer: a recording of noise, with made-up measures.
struct SampleAnswer {
    let folder: TemporaryFolder
    let samples: [Float]
    var answer: AnswerToAssess

    /// - Parameters:
    ///   - silences: The silences of the recording. Speech lasts from the first half second to the last.
    ///   - end: The way the answer ended, such as `noAnswer`.
    ///   - voice: A voice in the noise, which is then far softer, and the second at which it begins.
    ///   - heard: The seconds of speech that the detector heard.
    init(
        seconds: Double = 5, silences: [TimeRange] = [], isSilent: Bool = false, end: String? = nil,
        words: String? = nil, voice: (samples: [Float], at: Double)? = nil, heard: Double? = nil
    ) throws {
        folder = try TemporaryFolder()
        var value: UInt32 = 1
        var samples = (0..<Int(seconds * Double(AudioFormat.sampleRate))).map { _ in
            value = value &* 1_664_525 &+ 1_013_904_223
            return Float(Int32(bitPattern: value) >> 17) / 32_768
        }
        if let voice {
            samples = samples.map { $0 * 0.005 }
            let start = Int(voice.at * Double(AudioFormat.sampleRate))
            for (place, sample) in voice.samples.enumerated() { samples[start + place] += sample }
        }
        self.samples = samples
        let path = try folder.file(WAVBytes.of(samples))
        let digest = try PrivateFile.digest(path).sha256
        let timeline = SoundTimeline(
            duration: seconds, span: isSilent ? nil : TimeRange(0.5, seconds - 0.5), silences: silences)
        var record = AnswerRecord(question: "home-1", part: 1, order: 1)
        record.end = end
        record.speech = heard.map { Seconds(.seconds($0)) }
        answer = try #require(
            AnswerToAssess(
                record: record, recording: digest, path: path,
                sound: MeasuredSound(timeline: timeline, speechOverNoise: 30, clippedShare: 0),
                question: "Where do you live?"))
        answer.words = words.map {
            AnswerTranscript(answer: "part1_q1", recording: digest, source: .own, writtenAt: "", text: $0)
        }
    }

    /// Returns the stored calls, as a new process reads them.
    func memory(_ budget: AssessorBudget? = nil) throws -> SessionCallMemory {
        let session = "\(folder.path)/session"
        let isThere = FileManager.default.fileExists(atPath: session + "/calls.jsonl")
        let own = isThere ? try SessionFolder.open(at: session) : try SessionFolder.create(at: session)
        if !isThere { try Data("{}".utf8).write(to: URL(filePath: own.exam)) }
        return try SessionCallMemory(own, budget: budget, spending: spending())
    }

    func spending(_ day: String = "2026-11-24") -> SpendingFile {
        SpendingFile(path: folder.path + "/spent.json", today: { day })
    }

    /// Returns the calls of a process that starts after an earlier one. Waits until the earlier one has released the
    /// file.
    func calls(_ assessor: any Assessor) async throws -> AssessorCalls {
        var own: SessionCallMemory?
        try await eventually("the file is let go of") {
            do {
                own = try memory()
                return true
            } catch let problem as Problem where problem.kind == .occupied {
                return false
            }
        }
        return AssessorCalls(try #require(own), for: assessor.source, on: answer.recording)
    }
}

/// A server with scripted answers that records its requests.
final class ScriptedServer: Sendable {
    private let server: HTTPServer
    private let asked: Seen

    private final class Seen: Sendable {
        let requests = Mutex<[HTTPRequest]>([])
    }

    /// - Parameter answer: Answers a request, with its number from 0.
    init(_ answer: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse) throws {
        let seen = Seen()
        asked = seen
        server = try HTTPServer { request in
            let number = seen.requests.withLock {
                $0.append(request)
                return $0.count - 1
            }
            return answer(request, number)
        }
    }

    deinit { server.stop() }

    var url: String { server.url }
    var port: Int { server.port }
    var requests: [HTTPRequest] { asked.requests.withLock { $0 } }
}

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers.merging(["content-type": "application/json"]) { own, _ in own },
            body: Array(text.utf8))
    }
}

extension ServiceCaller {
    /// Returns a caller that records its waits instead of waiting.
    static func hasty(_ waited: Waited = Waited()) -> ServiceCaller {
        ServiceCaller(time: .seconds(600)) { duration in waited.waits.withLock { $0.append(duration) } }
    }

    final class Waited: Sendable {
        let waits = Mutex<[Duration]>([])
        var all: [Duration] { waits.withLock { $0 } }
    }
}

/// A form as servers parse it (RFC 7578).
struct ReadForm {
    var fields: [(name: String, value: String)] = []
    var file: [UInt8] = []

    init?(_ request: HTTPRequest) {
        guard let type = request.header("content-type"), let range = type.range(of: "boundary=") else { return nil }
        let boundary = Array("--\(type[range.upperBound...])".utf8)
        let bytes = request.bytes
        var parts: [ArraySlice<UInt8>] = []
        var at = 0
        while let found = bytes[at...].firstRange(of: boundary) {
            parts.append(bytes[at..<found.lowerBound])
            at = found.upperBound
        }
        guard bytes[at...].starts(with: Array("--\r\n".utf8)) else { return nil }
        for part in parts.dropFirst() {
            guard let split = part.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: part[..<split.lowerBound], as: UTF8.self)
            let body = part[split.upperBound...].dropLast(2)
            guard let name = head.firstMatch(of: /; name="([^"]*)"/)?.1 else { return nil }
            if head.contains("filename=") {
                file = Array(body)
            } else {
                fields.append((String(name), String(decoding: body, as: UTF8.self)))
            }
        }
    }

    subscript(name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
