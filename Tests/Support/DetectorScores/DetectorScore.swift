/// The quality of a detector on labelled recordings: how well it heard speech, and the ends of answers.
///
/// Recordings are added one by one, and the figures are for all of them together. The definitions are those of the
/// labelled data's own script, `score_vad.py`; `DetectorScoresTests` compares the two:
///
/// - a *frame* is 10 ms, and counts as speech if its centre is speech;
/// - a *turn* is labelled speech with pauses shorter than `longPause`;
/// - an answer is *declared over* if `trailing` seconds have passed since a voice was heard (a burst shorter than
///   `minBurst` isn't a voice), or the detector declares it itself;
/// - a turn followed by enough silence is *missed* if no end is declared in it; it is *early* or *late* by the
///   difference between the declared moment and the turn's end plus `trailing`;
/// - a turn is *premature*ly over if an end is declared inside it, except in a pause as long as `trailing`;
/// - a *false start* is a voice heard completely before the first word; the *onset* is the delay with which that word
///   was heard.
public struct DetectorScore: Equatable, Sendable {
    public struct Rules: Equatable, Sendable {
        /// The seconds of silence after which an answer is over.
        public var trailing = 1.5
        /// The least seconds of silence between two turns.
        public var longPause = 2.0
        /// The least seconds of a voice.
        public var minBurst = 0.0

        public init(trailing: Double = 1.5, longPause: Double = 2, minBurst: Double = 0) {
            self.trailing = trailing
            self.longPause = longPause
            self.minBurst = minBurst
        }
    }

    public let rules: Rules

    /// The recordings with any labelled speech.
    public private(set) var recordings = 0
    public private(set) var turns = 0
    /// The turns followed by enough silence for an end to be declared.
    public private(set) var eligibleTurns = 0
    /// The seconds from the end of each eligible turn to the declared end, if any; `trailing` is ideal.
    public private(set) var latencies: [Double] = []
    /// The seconds from the first labelled word to the first voice heard, if any; at least −0.3.
    public private(set) var onsets: [Double] = []

    private var (hits, falseAlarmFrames, missedFrames, silentFrames) = (0, 0, 0, 0)
    private var (prematureTurns, falseStarts) = (0, 0)

    public init(_ rules: Rules = Rules()) {
        self.rules = rules
    }

    /// Combines scores that were computed elsewhere, in the same order.
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
    ///   - declared: The seconds at which the detector itself declared an answer over; nil to derive them from
    ///     `trailing`.
    ///   - duration: The length of the recording in seconds.
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
        // Whole frames, including one that lacks a sample because of rounding.
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

    /// Returns the moments at which the silence has lasted long enough.
    private func ends(after voices: [Range<Double>], _ duration: Double) -> [Double] {
        let nexts = voices.dropFirst().map(\.lowerBound) + [.infinity]
        return zip(voices, nexts).compactMap { voice, next in
            let end = voice.upperBound + rules.trailing
            return end <= next + Self.tiny && end <= duration + Self.tiny ? end : nil
        }
    }

    /// The tolerance for sums of seconds.
    private static let tiny = 1e-9
}

// MARK: - Figures: parts of 1, or seconds

extension DetectorScore {
    public var frames: Int { hits + falseAlarmFrames + missedFrames + silentFrames }
    /// The frames of speech among those heard as speech.
    public var precision: Double { part(hits, of: hits + falseAlarmFrames) }
    /// The frames heard among those of speech.
    public var recall: Double { part(hits, of: hits + missedFrames) }
    public var f1: Double { 2 * precision * recall / max(precision + recall, 1e-9) }
    /// The frames heard as speech among those without speech.
    public var falseAlarms: Double { part(falseAlarmFrames, of: falseAlarmFrames + silentFrames) }
    /// The frames not heard among those of speech.
    public var missedSpeech: Double { part(missedFrames, of: missedFrames + hits) }

    /// The eligible turns whose end was never declared, among all eligible ones; `early` and `late` are those declared
    /// more than 0.1 s too early or 0.3 s too late.
    public var missed: Double { part(eligibleTurns - latencies.count, of: eligibleTurns) }
    public var early: Double { part(latencies.count { $0 < rules.trailing - 0.1 }, of: eligibleTurns) }
    public var late: Double { part(latencies.count { $0 > rules.trailing + 0.3 }, of: eligibleTurns) }
    /// The turns cut short among all turns.
    public var premature: Double { part(prematureTurns, of: turns) }
    /// The recordings with a false start among all recordings.
    public var falseStart: Double { part(falseStarts, of: recordings) }

    /// nil if no end was declared.
    public var latencyMedian: Double? { latencies.quantile(0.5) }
    public var latencyP95: Double? { latencies.quantile(0.95) }
    /// nil if no voice was heard.
    public var onsetMedian: Double? { onsets.quantile(0.5) }
    public var onsetP95: Double? { onsets.quantile(0.95) }

    private func part(_ count: Int, of all: Int) -> Double { Double(count) / Double(max(all, 1)) }
}
