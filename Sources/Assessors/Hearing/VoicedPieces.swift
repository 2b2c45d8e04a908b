import Assessment
import AudioFiles
import ExamCore
import HTTPClient
import VoiceActivity

/// The stretches of an answer in which the detector hears a voice. Steady noise is loud enough to look like speech in
/// the measurements, and a recogniser would make words of it.
extension AnswerToAssess {
    /// If at least this share of the pieces is voice, there is little noise, and the pieces are heard as they are.
    static let muchVoice = 0.5
    /// The seconds on either side of a voice that are kept with it, because the detector is late at quiet ends of
    /// words.
    static let besideVoice = 0.5

    /// Leaves out the stretches without a voice, if they are more than half.
    ///
    /// - Parameter pieces: in order.
    /// - Returns: pieces within these, in order.
    /// - Throws: `ServiceFailure` if the recording cannot be read.
    func voiced(_ pieces: [TimeRange]) throws(ServiceFailure) -> [TimeRange] {
        let length = pieces.reduce(0) { $0 + $1.length }
        // Without a detector's findings, as in old records, everything is heard.
        guard let voice = record.speech?.inSeconds, voice < Self.muchVoice * length else { return pieces }
        let voices = try voices()
        return pieces.flatMap { piece -> [TimeRange] in
            let within = voices.compactMap { $0.within(piece) }
            if within.reduce(0, { $0 + $1.length }) >= Self.muchVoice * piece.length { return [piece] }
            return within.map { $0.widened(by: Self.besideVoice, within: piece) }.joined
        }
    }

    /// Runs the detector over the whole recording again, as in the exam.
    private func voices() throws(ServiceFailure) -> [TimeRange] {
        let duration = sound.timeline.duration
        let all = try RecordingPieces.samples(samples ?? path, [TimeRange(0, duration)], of: duration).first ?? []
        var (detector, changes) = (VoiceDetector(), [VoiceChange]())
        detector.listen()
        all.withUnsafeBufferPointer { samples in detector.hear(samples) { changes.append($0) } }
        func seconds(_ sample: Int) -> Double { Double(sample) / Double(AudioFormat.sampleRate) }
        return changes.voices(until: all.count).map { TimeRange(seconds($0.lowerBound), seconds($0.upperBound)) }
    }
}

extension TimeRange {
    fileprivate func widened(by seconds: Double, within other: TimeRange) -> TimeRange {
        TimeRange(max(start - seconds, other.start), min(end + seconds, other.end))
    }
}

extension [TimeRange] {
    /// The ranges in order, with touching ranges joined.
    fileprivate var joined: [TimeRange] {
        reduce(into: []) { joined, range in
            if let last = joined.last, range.start <= last.end {
                joined[joined.count - 1].end = Swift.max(last.end, range.end)
            } else {
                joined.append(range)
            }
        }
    }
}
