import Glibc

/// The frames of a recording that are speech, voiced or syllables.
///
/// The contour of loudness is a sum over the bands that carry speech (190 to 4500 Hz). Each band is compressed as in
/// hearing (S. S. Stevens's power law, exponent 0.3 of power), and the sum is turned back into a power. A second
/// contour counts only periodic sound and shows the syllables. Thresholds are relative to the recording's own loud
/// frames, so that gain changes nothing.
struct SpeechFrames {
    /// The depth in dB below the loudest 1 % that still counts as speech. Chosen on the training half of
    /// speechocean762.
    static let speechDepth: Float = 22
    /// The least periodicity of a voiced frame.
    static let voicing: Float = 0.5
    /// In frames. A sound under 60 ms is a click, and a silence under 200 ms belongs to a consonant.
    static let (shortestSound, shortestSilence) = (6, 20)

    /// The frames from which the contours are computed.
    let frames: SoundFrames
    /// The level of each frame in dB.
    let level: [Float]
    let periodicLevel: [Float]
    /// The 5 % and 99 % quantiles of the level.
    let (quiet, loud): (Float, Float)
    /// Whether each frame is speech.
    let isSpeech: [Bool]
    /// From the first frame of speech to the one after the last. Nil without speech.
    let span: Range<Int>?
    let isVoiced: [Bool]
    /// The candidates for syllables, and the frames of the peaks that are syllables.
    let candidates: [SyllableNuclei.Candidate]
    let nuclei: [Int]
    /// The frames of the voiced peaks of the periodic contour that rise at least 1 dB, in order.
    let peaks: [Int]

    init(_ frames: SoundFrames) {
        self.frames = frames
        var (power, periodic, high) = ([Float](), [Float](), [Float]())
        for frame in 0..<frames.count {
            var (low, upper) = (Float.zero, Float.zero)
            for band in 2...7 { low += powf(frames.energies[frame * MelBands.count + band], 0.3) }
            for band in 8...19 { upper += powf(frames.energies[frame * MelBands.count + band], 0.3) }
            let voicing = max(0.01, min(1, frames.strengths[frame]))
            power.append(powf(low + upper, 1 / 0.3))
            periodic.append(power[frame] * voicing)
            high.append(powf(upper, 1 / 0.3) * voicing)
        }
        let level = Contour.smoothed(power, Contour.seven).map(Contour.decibels)
        let periodicLevel = Contour.smoothed(periodic, Contour.seven).map(Contour.decibels)
        self.level = level
        self.periodicLevel = periodicLevel
        quiet = Contour.quantile(level, 0.05)
        loud = Contour.quantile(level, 0.99)
        let isSpeech = Self.speech(level, above: loud - Self.speechDepth)
        let span = isSpeech.firstIndex(of: true).map { $0..<(isSpeech.lastIndex(of: true)! + 1) }
        self.isSpeech = isSpeech
        self.span = span
        isVoiced = Self.voiced(frames.strengths, level, above: loud - Self.speechDepth, within: span ?? 0..<0)
        let highLevel = Contour.smoothed(high, Contour.seven).map(Contour.decibels)
        candidates = SyllableNuclei.candidates(
            frames, contour: periodicLevel, high: highLevel, within: span ?? 0..<0)
        nuclei = SyllableNuclei(candidates).frames
        peaks = Self.peaks(periodicLevel, frames.strengths, within: span ?? 0..<0)
    }

    /// In dB below the loudest 1 %. Peaks below it are not counted.
    private static let peakDepth: Float = 18
    /// In dB. The least height of a peak above the valley between it and a higher one.
    private static let leastProminence: Float = 1

    private static func peaks(_ contour: [Float], _ strengths: [Float], within span: Range<Int>) -> [Int] {
        let floor = Contour.quantile(contour, 0.99) - peakDepth
        return SyllableNuclei.peaks(contour.map { max($0, floor) }).compactMap { frame, prominence in
            let near = strengths[max(0, frame - 1)...min(frame + 1, strengths.count - 1)]
            return prominence >= leastProminence && span.contains(frame) && near.max()! >= voicing ? frame : nil
        }
    }

    /// The silences inside the span.
    var silences: [Range<Int>] {
        guard let span else { return [] }
        return Contour.runs(isSpeech[span].map { !$0 }).map {
            $0.lowerBound + span.lowerBound..<$0.upperBound + span.lowerBound
        }
    }

    private static func speech(_ level: [Float], above threshold: Float) -> [Bool] {
        // A sound that only reaches the lowest of 16 bits has no speech.
        guard threshold > 0 else { return [Bool](repeating: false, count: level.count) }
        var isSpeech = level.map { $0 >= threshold }
        for run in Contour.runs(isSpeech) where run.count < shortestSound {
            for frame in run { isSpeech[frame] = false }
        }
        for run in Contour.runs(isSpeech.map { !$0 }) where run.count < shortestSilence {
            guard run.lowerBound > 0, run.upperBound < isSpeech.count else { continue }
            for frame in run { isSpeech[frame] = true }
        }
        return isSpeech
    }

    private static func voiced(
        _ strengths: [Float], _ level: [Float], above threshold: Float, within span: Range<Int>
    ) -> [Bool] {
        var isVoiced = strengths.indices.map {
            span.contains($0) && strengths[$0] >= voicing && level[$0] >= threshold
        }
        for run in Contour.runs(isVoiced) where run.count < 3 {
            for frame in run { isVoiced[frame] = false }
        }
        for run in Contour.runs(isVoiced.map { !$0 })
        where run.count == 1 && run.lowerBound > 0 && run.upperBound < isVoiced.count {
            isVoiced[run.lowerBound] = true
        }
        return isVoiced
    }
}
