public import ExamCore

extension ExamAssessment {
    /// The measurements of an answer before it is compared with others.
    public struct Measured: AnswerBearing, Sendable {
        public var record: AnswerRecord
        /// The SHA-256 of the recording, in hexadecimal.
        public var recording: String
        public var sound: MeasuredSound

        public init(record: AnswerRecord, recording: String, sound: MeasuredSound) {
            self.record = record
            self.recording = recording
            self.sound = sound
        }
    }

    /// Makes profiles of answers, of their parts and of the exam. Introductions are left out, since they are not
    /// measured.
    ///
    /// - Parameter answers: in the order of the exam.
    public static func make(
        session: String, answers: [Measured], calibration: DeliveryCalibration = .builtIn
    ) -> ExamAssessment {
        let assessed = answers.assessed.map { answer in
            AnswerAssessment(
                record: answer.record, recording: answer.recording, sound: answer.sound,
                delivery: DeliveryProfile(of: answer, by: calibration))
        }
        let parts = Set(assessed.map(\.record.part)).sorted().map { part in
            PartDelivery(
                part: part,
                delivery: DeliveryProfile(together: assessed.filter { $0.record.part == part }, by: calibration))
        }
        return ExamAssessment(
            session: session, answers: assessed, parts: parts,
            delivery: DeliveryProfile(together: assessed, by: calibration))
    }
}

extension DeliveryProfile {
    /// The least seconds of speech for judging an answer, and several answers together.
    public static let leastSpeech = (answer: 10.0, together: 60.0)
    /// The least level of speech above the room, in dB.
    public static let leastSpeechOverNoise = 20.0
    /// An answer is not judged if at least this share of its samples is at full scale.
    public static let mostClipping = 0.001

    /// The share of an answer that may be missing. A missing share changes a rate by the same share.
    public static let mostMissing = 0.01

    fileprivate init(of answer: ExamAssessment.Measured, by calibration: DeliveryCalibration) {
        guard !answer.record.isSilent else {
            // The recording holds only the room's sound. Its only gate is `tooShort`: without speech it is not called
            // noisy.
            var nothing = DeliveryMeasures()
            nothing.answers = 1
            self.init(nothing, [.tooShort], nil, calibration)
            return
        }
        let measures = DeliveryMeasures(answer.sound.timeline, latency: answer.record.responseLatency?.inSeconds)
        var gates: [DeliveryGate] = []
        if measures.speech < Self.leastSpeech.answer { gates.append(.tooShort) }
        if answer.sound.speechOverNoise < Self.leastSpeechOverNoise { gates.append(.noisy) }
        if answer.record.clippedShare ?? answer.sound.clippedShare >= Self.mostClipping { gates.append(.clipped) }
        let missing = Self.mostMissing * answer.sound.timeline.duration
        if (answer.record.lost?.inSeconds ?? 0) > missing || answer.record.wasBrokenOff { gates.append(.incomplete) }
        let calibration = calibration.best(for: [answer.sound.features])
        self.init(measures, gates, calibration.index(of: answer.sound.features), calibration)
    }

    /// Combines answers. The index is their mean, weighted by seconds of speech. Answers that were too noisy, clipped
    /// or incomplete do not count, but short ones do.
    fileprivate init(together answers: [AnswerAssessment], by calibration: DeliveryCalibration) {
        let answers = answers.counted
        let counted = answers.clear
        let measures = counted.reduce(DeliveryMeasures()) { $0 + $1.delivery.measures }
        // All answers use one calibration. Short answers do not affect the choice, since they may have too few phones.
        let long = counted.filter { $0.delivery.measures.speech >= Self.leastSpeech.answer }
        let calibration = calibration.best(for: (long.isEmpty ? counted : long).map(\.sound.features))
        let index = counted.index(by: calibration)
        var gates: [DeliveryGate] = []
        if measures.speech < Self.leastSpeech.together {
            gates.append(.tooShort)
            // If there is too little speech because some answers do not count, add the gates of these answers.
            for gate in DeliveryGate.allCases where gate != .tooShort {
                if answers.contains(where: { $0.delivery.gates.contains(gate) }) { gates.append(gate) }
            }
        }
        self.init(measures, gates, index, calibration)
    }

    private init(
        _ measures: DeliveryMeasures, _ gates: [DeliveryGate], _ index: Double?, _ calibration: DeliveryCalibration
    ) {
        var gates = gates
        if index == nil, gates.isEmpty { gates = [.tooShort] }
        let shown = gates.isEmpty ? index.map { ($0 * 100).rounded() / 100 } : nil
        self.init(
            calibration: calibration.id, measures: measures, gates: gates, index: shown,
            word: shown.map { calibration.word(for: $0) },
            reliability: (calibration.reliability(seconds: measures.speech) * 100).rounded() / 100)
    }
}

extension [AnswerAssessment] {
    /// The answers whose sound was neither too noisy nor clipped nor incomplete. Short ones are among them.
    var clear: [AnswerAssessment] { filter { $0.delivery.gates.allSatisfy { $0 == .tooShort } } }

    /// Returns the answers' mean index, weighted by seconds of speech. Nil if no answer has an index.
    func index(by calibration: DeliveryCalibration) -> Double? {
        let indices = compactMap { answer in
            calibration.index(of: answer.sound.features).map { ($0, answer.delivery.measures.speech) }
        }
        let seconds = indices.reduce(0) { $0 + $1.1 }
        return seconds > 0 ? indices.reduce(0) { $0 + $1.0 * $1.1 } / seconds : nil
    }
}

extension DeliveryMeasures {
    /// Counts one answer.
    ///
    /// - Parameter latency: seconds from the examiner's last word to the first speech, if known.
    public init(_ timeline: SoundTimeline, latency: Double?) {
        self.init()
        answers = 1
        if let latency {
            self.latency = latency
            latencies = 1
        }
        guard let span = timeline.span else { return }
        let counted = timeline.silences.filter { $0.length >= Self.shortestPause }
        self.span = span.length
        pauseTime = counted.reduce(0) { $0 + $1.length }
        pauses = counted.count
        longestPause = counted.map(\.length).max() ?? 0
        syllables = timeline.syllables.count
        runs = counted.count + 1
        let third = span.length / 3
        firstThird = Third(syllables: timeline.syllables.count { $0 < span.start + third }, seconds: third)
        lastThird = Third(syllables: timeline.syllables.count { $0 >= span.end - third }, seconds: third)
        if let first = counted.first {
            untilFirstPause = first.start - span.start
            pausingAnswers = 1
        }
    }
}

extension AnswerRecord {
    /// Whether a device or the room ended the answer, not the candidate or the clock.
    fileprivate var wasBrokenOff: Bool { end?.hasPrefix("deviceLost") ?? false }
}
