import AudioFiles
import ExamKit
import Glibc

/// What encoding alone costs: the very answers that a server has stored, encoded again as it encodes them, and nothing else.
struct EncoderAlone {
    private let answers: [[Float]]
    private let scratch: String

    /// - Parameters:
    ///   - recordings: stored answers; some of them, evenly spread, are taken.
    ///   - most: seconds of sound; it lies in memory.
    init(_ recordings: [String], most: Double, scratch: String) throws {
        var (answers, count) = ([[Float]](), 0)
        let step = max(1, recordings.count / 60)
        for index in stride(from: 0, to: recordings.count, by: step) where count < Int(most * 16_000) {
            // An answer that was just begun when the server ended has no samples.
            guard let samples = try? CutSound.samples(recordings[index]) else { continue }
            answers.append(samples)
            count += samples.count
        }
        guard count > 0 else { fail("the server has stored no answer") }
        self.answers = answers
        self.scratch = scratch
    }

    /// Encodes all of them on this thread.
    ///
    /// - Returns: seconds of CPU for a second of sound.
    func cost() throws -> Double {
        let began = Self.cpuTime()
        var samples = 0
        for answer in answers {
            let writer = try OpusFileWriter(path: scratch, bitRate: AnswerRecorder.opusBitRate)
            for start in stride(from: 0, to: answer.count, by: 3_200) {
                try writer.write(answer[start..<min(start + 3_200, answer.count)])
            }
            try writer.close(durably: false)
            samples += answer.count
        }
        return (Self.cpuTime() - began) / (Double(samples) / 16_000)
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
