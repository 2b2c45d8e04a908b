import AudioFiles
import ExamCore
import ExamKit
import Foundation
import Glibc

/// A room at the other end of two pipes: sound comes in on one, and the examiner goes out on the other. Both are raw
/// samples, 16 bits, little-endian, 16 kHz, one channel, as a telephone exchange, ffmpeg or sox can make and accept
/// them.
///
/// The incoming sound is the room's clock: 20 ms of it are 20 ms of the exam, however fast they come. For each incoming
/// block one goes out, the examiner's or silence, so the program at the other end needs no clock of its own.
struct PipeRoom: ExamRoom, ~Copyable {
    private let input: Int32
    private let output: Int32
    private var now = ExamTime.zero
    private var playing: (clip: Clip.ID, sound: BlockReader)?
    private var ended: Exam.Event?

    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Returns the microphone's next 20 ms. Nil once the other end has closed its pipe: then the exam is left, and can
    /// be resumed.
    mutating func next() async throws -> Moment? {
        if let event = ended {
            ended = nil
            return Moment(at: now, .happened(event))
        }
        // This waits, and blocks its thread meanwhile. A program with one exam has nothing else to do.
        guard let samples = try read() else { return nil }
        now = now + AudioFormat.blockDuration
        try write(examiner())
        return Moment(at: now, .heard(AudioBlock(samples: samples)))
    }

    mutating func play(_ prompt: Prompt) {
        do {
            // Reads every kind of sound file, and converts it to 16 kHz and one channel.
            playing = (prompt.clip.id, try BlockReader(path: prompt.path))
        } catch {
            ended = .promptFailed(prompt.clip.id)
        }
    }

    mutating func stopPlaying() { playing = nil }

    /// Called after every change. Prints the view to standard error, away from the sound.
    mutating func show(_ view: SessionView) {
        let words = view.exam.text.map { ": \($0)" } ?? ""
        FileHandle.standardError.write(Data("\(view.at)  \(view.exam.activity)\(words)\n".utf8))
    }

    // MARK: - Sound

    /// Returns the examiner's next 20 ms. At the end of a recording the exam is told, before the next block is heard.
    private mutating func examiner() throws -> AudioBlock {
        guard let (clip, sound) = playing else { return .silence }
        if let block = try sound.next() { return block }
        playing = nil
        ended = .promptEnded(clip)
        return .silence
    }

    private func read() throws -> [Float]? {
        var samples = [Int16](repeating: 0, count: AudioFormat.blockSize)
        var filled = 0
        let whole = samples.count * 2
        let isWhole = try samples.withUnsafeMutableBytes { bytes in
            while filled < whole {
                let count = Glibc.read(input, bytes.baseAddress! + filled, whole - filled)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw PipeError(what: "standard input", code: errno) }
                if count == 0 { return false }
                filled += count
            }
            return true
        }
        return isWhole ? samples.map { Float(Int16(littleEndian: $0)) / 32_768 } : nil
    }

    private func write(_ block: AudioBlock) throws {
        let samples = block.samples.map { Int16(max(-32_768, min(32_767, $0 * 32_768))).littleEndian }
        var written = 0
        try samples.withUnsafeBytes { bytes in
            while written < bytes.count {
                let count = Glibc.write(output, bytes.baseAddress! + written, bytes.count - written)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw PipeError(what: "standard output", code: errno) }
                written += count
            }
        }
    }
}

/// A broken pipe. The session ends with this error, and keeps the recordings so far.
struct PipeError: Error, CustomStringConvertible {
    var what: String
    var code: Int32
    var description: String { "\(what): \(String(cString: strerror(code)))" }
}
