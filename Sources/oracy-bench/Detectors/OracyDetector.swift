import AudioFiles
import DetectorScores
import ExamCore
import ExamKit
import VoiceActivity

/// The results of a detector for all recordings in a folder, by name.
struct Heard {
    var speech: [String: Speech]
    /// The seconds at which the detector itself declares an answer over; nil if it doesn't declare ends.
    var declaredEnds: [String: [Double]]?
}

/// Runs this project's detector with an exam's settings, and finds the ends that an exam would declare.
///
/// - Parameters:
///   - silence: The silence that ends an answer, in seconds.
///   - detector: Returns the detector for a recording. Chosen by its fold, it need not have settings fitted to that
///     recording.
func oracyHears(
    _ recordings: [Condition.Recording], in folder: String, silence: Double,
    detector: (Condition.Recording) -> VoiceDetector
) throws -> Heard {
    var speech: [String: Speech] = [:]
    var declaredEnds: [String: [Double]] = [:]
    for recording in recordings {
        var detector = detector(recording)
        detector.listen()
        var changes: [VoiceChange] = []
        var ends = EndsOfAnswers(silence: .seconds(silence))
        let samples = try LabelledSound.samples("\(folder)/\(recording.name).wav")
        // In a session's blocks, because the ends depend on the time of a decision.
        for start in stride(from: 0, to: samples.count, by: AudioFormat.blockSize) {
            let end = min(start + AudioFormat.blockSize, samples.count)
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
