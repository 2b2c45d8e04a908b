import AudioFiles
import ExamKit
import Glibc

/// Measures the cost of the codec alone on this thread, which bounds what a server can do.
struct CodecAlone {
    private let answers: [[Float]]
    private let talk: AnswerSounds.Sound
    private let work: String

    /// - Parameters:
    ///   - recordings: Answers that a server has stored. An evenly spread selection is used.
    ///   - most: The limit in seconds of sound, which is kept in memory.
    ///   - sounds: The sound that the candidates sent.
    ///   - work: A folder for output.
    init(_ recordings: [String], most: Double, sounds: AnswerSounds, work: String) throws {
        var (answers, count) = ([[Float]](), 0)
        let step = max(1, recordings.count / 60)
        for index in stride(from: 0, to: recordings.count, by: step) where count < Int(most * 16_000) {
            // An answer that had just begun when the server ended has no samples.
            guard let samples = try? CutSound.samples(recordings[index]) else { continue }
            answers.append(samples)
            count += samples.count
        }
        guard count > 0 else { fail("the server has stored no answer") }
        self.answers = answers
        talk = try AnswerSounds.Sound(answers[0], as: .opus)
        self.work = work
    }

    private var seconds: Double { Double(answers.reduce(0) { $0 + $1.count }) / 16_000 }

    /// Encodes all answers like a server.
    ///
    /// - Returns: The seconds of CPU for a second of sound.
    func encoding() throws -> Double {
        let began = threadTime()
        for answer in answers {
            let writer = try OpusFileWriter(path: work + "/alone.opus", bitRate: AnswerRecorder.opusBitRate)
            for start in stride(from: 0, to: answer.count, by: 3_200) {
                try writer.write(answer[start..<min(start + 3_200, answer.count)])
            }
            try writer.close(durably: false)
        }
        return (threadTime() - began) / seconds
    }

    /// Decodes the packets of an answer in order.
    func decoding() throws -> Double {
        let packets = talk.packets
        let decoder = try OpusPacketDecoder()
        let began = threadTime()
        for packet in packets { packet.withUnsafeBytes { _ = decoder.decode($0) } }
        return (threadTime() - began) / (Double(packets.count) / 50)
    }

    /// Encodes some answers with libsndfile, which earlier versions used: complexity 10, its only one.
    func encodingByLibsndfile() throws -> Double {
        let inputs = try answers.prefix(12).enumerated().map { number, answer in
            let path = "\(work)/alone-\(number).wav"
            let writer = try SoundFileWriter(path: path, encoding: .wav)
            try writer.write(answer[...])
            try writer.close(durably: false)
            return path
        }
        let samples = answers.prefix(12).reduce(0) { $0 + $1.count }
        return run([built + "/codec-reference", "sndfile", work] + inputs).cpu / (Double(samples) / 16_000)
    }
}
