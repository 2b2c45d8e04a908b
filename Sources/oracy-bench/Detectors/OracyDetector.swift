import AudioFiles
import DetectorScores
import ExamCore
import ExamKit
import VoiceActivity

/// What a detector hears of all recordings below a folder, by name.
struct Heard {
    var speech: [String: Speech]
    /// Seconds at which it says itself that an answer is over; nil where it does not say such things.
    var declaredEnds: [String: [Double]]?
}

/// This project's detector, as an exam sets it up, and the ends that it would declare.
///
/// - Parameters:
///   - silence: what ends an answer, seconds.
///   - detector: hears a recording; chosen by its fold, say, so that none is heard with settings that it was used to fit.
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
        // A session's blocks: ends depend on when something was decided.
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
