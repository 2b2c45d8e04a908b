/// How well a detector heard speech, and when an answer was over, on labelled recordings.
///
/// Recordings are added one by one, and the figures are of all of them together. The definitions are those of the labelled
/// data's own script, `score_vad.py`, and `DetectorScoresTests` compares the two:
///
/// - a *frame* is 10 ms, and speech if its centre is;
/// - a *turn* is labelled speech with pauses under `longPause`;
/// - an answer is *declared over* when `trailing` seconds have passed since a voice was heard; a burst shorter than `minBurst`
///   is no voice. Or the detector declares it itself;
/// - a turn that is followed by enough silence is *missed* if nothing is declared in it; it is *early* or *late* by the
///   moment declared, beside the turn's end and `trailing`;
/// - a turn is *premature*ly over if an end is declared inside it, unless in a pause as long as `trailing`;
/// - a *false start* is a voice heard wholly before the first word; the *onset* is how late that word was heard.
public struct DetectorScore: Equatable, Sendable {
    public struct Rules: Equatable, Sendable {
        /// Seconds of silence after which an answer is over.
        public var trailing = 1.5
        /// Seconds of silence between two turns, at least.
        public var longPause = 2.0
        /// Seconds that a voice lasts, at least.
        public var minBurst = 0.0

        public init(trailing: Double = 1.5, longPause: Double = 2, minBurst: Double = 0) {
            self.trailing = trailing
            self.longPause = longPause
            self.minBurst = minBurst
        }
    }

    public let rules: Rules

    /// Recordings with any labelled speech.
    public private(set) var recordings = 0
    public private(set) var turns = 0
    /// Turns followed by enough silence for an end to be declared.
    public private(set) var eligibleTurns = 0
    /// Seconds from the end of an eligible turn to the end declared, where there is one: `trailing` is ideal.
    public private(set) var latencies: [Double] = []
    /// Seconds from the first labelled word to the first voice heard, where there is one; −0.3 at least.
    public private(set) var onsets: [Double] = []

    private var (hits, falseAlarmFrames, missedFrames, silentFrames) = (0, 0, 0, 0)
    private var (prematureTurns, falseStarts) = (0, 0)

    public init(_ rules: Rules = Rules()) {
        self.rules = rules
    }

    /// Of recordings that were added elsewhere, in the same order.
    public init(of parts: some Sequence<DetectorScore>, _ rules: Rules = Rules()) {
        self.init(rules)
        for part in parts { add(part) }
    }

    private mutating func add(_ part: DetectorScore) {
        precondition(part.rules == rules, "figures by one rule")
        recordings += part.recordings
        turns += part.turns
        eligibleTurns += part.eligibleTurns
        latencies += part.latencies
        onsets += part.onsets
        hits += part.hits
        falseAlarmFrames += part.falseAlarmFrames
        missedFrames += part.missedFrames
        silentFrames += part.silentFrames
        prematureTurns += part.prematureTurns
        falseStarts += part.falseStarts
    }

    /// - Parameters:
    ///   - declared: seconds at which the detector itself said that an answer was over; nil: as `trailing` has it.
    ///   - duration: of the recording, seconds.
    public mutating func add(labelled: Speech, heard: Speech, declared: [Double]? = nil, duration: Double) {
        countFrames(labelled, heard, duration)
        guard let first = labelled.stretches.first?.lowerBound else { return }
        recordings += 1
        let voices = voices(in: heard)
        if voices.contains(where: { $0.upperBound <= first }) { falseStarts += 1 }
        if let voice = voices.first(where: { $0.upperBound > first }) {
            onsets.append(max(voice.lowerBound, first - 0.3) - first)
        }
        let ends = declared?.sorted() ?? ends(after: voices, duration)
        let all = labelled.turns(pausesUnder: rules.longPause)
        let nexts = all.dropFirst().map(\.lowerBound) + [duration]
        for (turn, next) in zip(all, nexts) {
            turns += 1
            let fair = labelled.pauses.filter {
                $0.lowerBound >= turn.lowerBound && $0.upperBound <= turn.upperBound
                    && $0.upperBound - $0.lowerBound >= rules.trailing
            }
            let isPremature = ends.contains { end in
                end >= turn.lowerBound && end < turn.upperBound - Self.tiny
                    && !fair.contains { $0.lowerBound <= end && end <= $0.upperBound }
            }
            if isPremature { prematureTurns += 1 }
            guard next - turn.upperBound >= rules.trailing + 0.5 - 1e-6 else { continue }
            eligibleTurns += 1
            let end = ends.first { $0 >= turn.upperBound - Self.tiny && $0 < next + Self.tiny }
            if let end { latencies.append(end - turn.upperBound) }
        }
    }

    private mutating func countFrames(_ labelled: Speech, _ heard: Speech, _ duration: Double) {
        // Whole frames, and one that lacks a sample by rounding.
        let count = max(0, Int((duration / 0.01 - 0.499).rounded(.toNearestOrEven)))
        for (truth, guess) in zip(labelled.frames(count), heard.frames(count)) {
            switch (truth, guess) {
            case (true, true): hits += 1
            case (false, true): falseAlarmFrames += 1
            case (true, false): missedFrames += 1
            case (false, false): silentFrames += 1
            }
        }
    }

    private func voices(in heard: Speech) -> [Range<Double>] {
        heard.stretches.filter { $0.upperBound - $0.lowerBound >= rules.minBurst - Self.tiny }
    }

    /// The moments at which silence has lasted.
    private func ends(after voices: [Range<Double>], _ duration: Double) -> [Double] {
        let nexts = voices.dropFirst().map(\.lowerBound) + [.infinity]
        return zip(voices, nexts).compactMap { voice, next in
            let end = voice.upperBound + rules.trailing
            return end <= next + Self.tiny && end <= duration + Self.tiny ? end : nil
        }
    }

    /// What sums of seconds may be wrong by.
    private static let tiny = 1e-9
}

// MARK: - Figures: parts of 1, or seconds

extension DetectorScore {
    public var frames: Int { hits + falseAlarmFrames + missedFrames + silentFrames }
    /// Of the frames heard as speech, those that are.
    public var precision: Double { part(hits, of: hits + falseAlarmFrames) }
    /// Of the frames of speech, those heard.
    public var recall: Double { part(hits, of: hits + missedFrames) }
    public var f1: Double { 2 * precision * recall / max(precision + recall, 1e-9) }
    /// Of the frames without speech, those heard as speech.
    public var falseAlarms: Double { part(falseAlarmFrames, of: falseAlarmFrames + silentFrames) }
    /// Of the frames of speech, those not heard.
    public var missedSpeech: Double { part(missedFrames, of: missedFrames + hits) }

    /// Of the eligible turns, those whose end was never declared; `early` more than 0.1 s, `late` more than 0.3 s.
    public var missed: Double { part(eligibleTurns - latencies.count, of: eligibleTurns) }
    public var early: Double { part(latencies.count { $0 < rules.trailing - 0.1 }, of: eligibleTurns) }
    public var late: Double { part(latencies.count { $0 > rules.trailing + 0.3 }, of: eligibleTurns) }
    /// Of all turns, those cut short.
    public var premature: Double { part(prematureTurns, of: turns) }
    /// Of the recordings.
    public var falseStart: Double { part(falseStarts, of: recordings) }

    /// nil where no end was declared.
    public var latencyMedian: Double? { latencies.quantile(0.5) }
    public var latencyP95: Double? { latencies.quantile(0.95) }
    /// nil where no voice was heard.
    public var onsetMedian: Double? { onsets.quantile(0.5) }
    public var onsetP95: Double? { onsets.quantile(0.95) }

    private func part(_ count: Int, of all: Int) -> Double { Double(count) / Double(max(all, 1)) }
}
