import Glibc

/// Finds the syllables in a contour: peaks that are judged by comparison with their neighbours.
///
/// Every peak of the periodic contour that rises 0.5 dB is a candidate. A logistic model of 16 facts, their squares and
/// products gives the probability that it is a syllable. The sum of the probabilities is the number of syllables, and
/// the likeliest candidates are their places. (Selecting peaks with a threshold alone, as in de Jong & Wempe 2009,
/// splits slow syllables and joins quick ones: docs/results.md has the figures.)
struct SyllableNuclei {
    /// The frames of the syllables' peaks, in order.
    let frames: [Int]

    /// A peak and its facts.
    struct Candidate {
        var frame: Int
        /// In the order of `SyllableNuclei.factNames`.
        var facts: [Float]
    }

    static let factNames = [
        "rise", "fall", "prominence", "highRise", "highFall", "height", "strength", "before", "after", "lowTilt",
        "highTilt",
        "higherBefore", "higherAfter", "differsBefore", "differsAfter", "width",
    ]

    /// The depth in dB below the loudest 1 % at which the contour is cut off.
    private static let depth: Float = 24
    /// The least prominence of a candidate in dB.
    private static let leastProminence: Float = 0.5
    /// In frames. A peak further away than 0.6 s does not count as a neighbour.
    private static let neighbourhood = 60

    init(_ candidates: [Candidate]) {
        let likely = candidates.map { (frame: $0.frame, chance: Self.chance($0.facts)) }
        let count = Int(likely.reduce(0) { $0 + $1.chance }.rounded())
        let best = likely.sorted { $0.chance == $1.chance ? $0.frame < $1.frame : $0.chance > $1.chance }.prefix(count)
        frames = best.map(\.frame).sorted()
    }

    /// Returns the probability that a candidate is a syllable, 0 to 1.
    private static func chance(_ facts: [Float]) -> Float {
        let scaled = facts.indices.map { (facts[$0] - Self.means[$0]) / Self.deviations[$0] }
        var sum = bias
        var place = 0
        for first in scaled.indices {
            sum += linear[first] * scaled[first]
            for second in first..<scaled.count {
                // Subtract the mean of a square, which is 1.
                sum += products[place] * (scaled[first] * scaled[second] - (first == second ? 1 : 0))
                place += 1
            }
        }
        return 1 / (1 + expf(-sum))
    }

    // MARK: - Candidates

    static func candidates(_ frames: SoundFrames, contour raw: [Float], high rawHigh: [Float], within span: Range<Int>)
        -> [Candidate]
    {
        let loud = Contour.quantile(raw, 0.99)
        let contour = raw.map { max($0, loud - depth) }
        let highFloor = Contour.quantile(rawHigh, 0.99) - depth
        let high = rawHigh.map { max($0, highFloor) }
        let peaks = peaks(contour).filter { span.contains($0.frame) }
        guard let first = peaks.first, let last = peaks.last else { return [] }
        let spectra = Spectra(frames)
        var valleys = [lowest(contour, max(0, first.frame - neighbourhood)...first.frame)]
        for (one, next) in zip(peaks, peaks.dropFirst()) { valleys.append(lowest(contour, one.frame...next.frame)) }
        valleys.append(lowest(contour, last.frame...min(last.frame + neighbourhood - 1, contour.count - 1)))

        return peaks.indices.map { index in
            let (peak, prominence) = peaks[index]
            let before = index > 0 ? peaks[index - 1].frame : nil
            let after = index + 1 < peaks.count ? peaks[index + 1].frame : nil
            let (left, right) = (valleys[index], valleys[index + 1])
            func distance(_ other: Int?) -> Float {
                logf(Float(min(other.map { abs(peak - $0) } ?? neighbourhood, neighbourhood)) / 100)
            }
            func higher(_ other: Int?) -> Float {
                other.map { min(max(contour[$0] - contour[peak], -10), 15) / 10 } ?? -1
            }
            let wide = (max(0, peak - 30)..<min(peak + 30, contour.count)).count { contour[$0] > contour[peak] - 3 }
            let strengths = frames.strengths[max(0, peak - 1)...min(peak + 1, frames.count - 1)]
            return Candidate(
                frame: peak,
                facts: [
                    step(contour[peak] - contour[left]), step(contour[peak] - contour[right]), step(prominence),
                    step(high[peak] - high[left...peak].min()!), step(high[peak] - high[peak...right].min()!),
                    (contour[peak] - loud) / 10, strengths.max()!, distance(before), distance(after),
                    spectra.low(peak) - spectra.middle(peak), spectra.middle(peak) - spectra.high(peak),
                    higher(before), higher(after), before.map { spectra.difference(peak, $0) } ?? 2,
                    after.map { spectra.difference(peak, $0) } ?? 2, logf(Float(wide) / 100),
                ])
        }
    }

    /// Returns ln of a step in dB, limited to 0.3 to 20.
    private static func step(_ decibels: Float) -> Float { logf(min(max(decibels, 0.3), 20)) }

    private static func lowest(_ contour: [Float], _ place: ClosedRange<Int>) -> Int {
        place.min { contour[$0] < contour[$1] }!
    }

    /// Returns the local maxima, each at the middle of its plateau, with its height above the valley that separates it
    /// from any higher point.
    static func peaks(_ contour: [Float]) -> [(frame: Int, prominence: Float)] {
        var peaks: [(frame: Int, prominence: Float)] = []
        var index = 1
        while index < contour.count - 1 {
            guard contour[index] > contour[index - 1] else {
                index += 1
                continue
            }
            var end = index
            while end + 1 < contour.count, contour[end + 1] == contour[index] { end += 1 }
            if end + 1 < contour.count, contour[end + 1] < contour[index] {
                let peak = (index + end) / 2
                let prominence =
                    contour[peak] - max(valley(contour, from: peak, by: -1), valley(contour, from: peak, by: 1))
                if prominence >= leastProminence { peaks.append((peak, prominence)) }
            }
            index = end + 1
        }
        return peaks
    }

    /// Returns the lowest point before any point higher than the peak, or before the end.
    private static func valley(_ contour: [Float], from peak: Int, by step: Int) -> Float {
        var lowest = contour[peak]
        var index = peak + step
        while contour.indices.contains(index), contour[index] <= contour[peak] {
            lowest = min(lowest, contour[index])
            index += step
        }
        return lowest
    }

    /// The logarithms of a frame's bands, above the room.
    private struct Spectra {
        private let frames: SoundFrames
        private let floor: Float

        init(_ frames: SoundFrames) {
            self.frames = frames
            floor = frames.roomFloor()
        }

        private func logs(_ frame: Int) -> [Float] {
            frames.energies[(frame * MelBands.count)..<((frame + 1) * MelBands.count)].map { logf($0 + floor) }
        }

        private func mean(_ frame: Int, _ bands: Range<Int>) -> Float {
            logs(frame)[bands].reduce(0, +) / Float(bands.count)
        }

        /// Returns the mean of the bands at 260 to 700 Hz. `middle` covers 700 to 1800 Hz, and `high` 1800 to 5300 Hz.
        func low(_ frame: Int) -> Float { mean(frame, 2..<7) }
        func middle(_ frame: Int) -> Float { mean(frame, 7..<14) }
        func high(_ frame: Int) -> Float { mean(frame, 14..<22) }

        /// Returns the difference between the shapes of two frames: the root mean square over the bands.
        func difference(_ one: Int, _ other: Int) -> Float {
            let differences = zip(logs(one), logs(other)).map { $0 - $1 }
            let mean = differences.reduce(0, +) / Float(MelBands.count)
            return sqrtf(differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(MelBands.count))
        }
    }
}
