extension DeliveryProfile {
    /// The basis of the delivery word, in one sentence. If there is no word, one sentence for each gate that prevented
    /// it.
    public var evidence: String {
        guard gates.isEmpty else {
            // If all speech is in answers that do not count, name only the gates of those answers.
            let told = measures.speech <= 0 && gates.count > 1 ? gates.filter { $0 != .tooShort } : gates
            return told.map { $0.sentence(on: measures) }.joined(separator: " ")
        }
        let figures = [
            measures.speechRate.map { "\($0.figure(1)) syllables a second" },
            measures.phonationTimeRatio.map { "\($0.percent) of the time speaking" },
            measures.pauses > 0 ? "longest pause \(measures.longestPause.figure(1)) s" : "no pause",
        ].compactMap(\.self).joined(separator: ", ")
        guard let word else {
            return measures.syllables > 0 ? "Measured but not judged: \(figures)." : "No speech was found."
        }
        let phones = calibration == DeliveryCalibration.builtInWithPhones.id ? " and its phones" : ""
        return "\(word.title): \(figures); based on \(measures.speech.figure(0)) s of speech\(phones)."
    }
}

extension DeliveryWord {
    /// The word at the beginning of a sentence: `Fluent`.
    package var title: String {
        switch self {
        case .hesitant: "Hesitant"
        case .steady: "Steady"
        case .fluent: "Fluent"
        }
    }
}

extension DeliveryGate {
    /// Returns why there is no word.
    package func sentence(on measures: DeliveryMeasures) -> String {
        switch self {
        case .tooShort where measures.speech <= 0: "No speech was found."
        case .tooShort:
            "Not judged: \(measures.speech.figure(0)) s of speech; an answer needs 10 s, a part or an exam 60 s."
        case .noisy: "Not judged: the room is too loud; speech is less than 20 dB louder."
        case .clipped: "Not judged: the recording is clipped; the microphone was too loud or too close."
        case .incomplete: "Not judged: part of the answer was not recorded."
        }
    }
}
