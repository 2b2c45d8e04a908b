import DetectorScores

/// All rows of the report. To add one, add a line here and a file for its sound in `DetectorScores/Conditions`.
extension LabelledSound {
    /// The names of the set that is changed, and of the set with hardly any pauses.
    private static let answers = "answers"
    private static let short = "short"

    var conditions: [Condition] {
        (asRecorded + inNoise + inUnknownNoise + levels + microphones + rooms + loudFirstWord + noiseAlone).filter {
            !$0.sources.isEmpty
        }
    }

    private var asRecorded: [Condition] {
        sets.map { Condition(title: "\($0.name), clean", about: "as recorded", sources: $0.recordings) }
    }

    /// Every answer in every noise at 10 dB, and at 5 and 0 dB in two noises that are steady enough. Each noise is used
    /// from two places.
    private var inNoise: [Condition] {
        [10.0, 5, 0].flatMap { ratio in
            noises.filter { ratio == 10 || ["babble", "pink"].contains($0.name) }.map { noise in
                changed(
                    "\(noise.name), \(Int(ratio)) dB",
                    "in the data's noise, speech so many dB above it; two places of the noise",
                    seeds: 2
                ) { answer, seed in
                    let name = "\(answer.name)|\(noise.name)" + (seed == 1 ? "" : "|\(seed)")
                    return NoiseMixture.recording(answer, in: noise.samples, named: name, ratio: ratio)
                }
            }
        }
    }

    /// Answers in kinds of noise that none of the folds' detectors was fitted to.
    private var inUnknownNoise: [Condition] {
        unknownNoises.map { noise in
            changed(
                "\(noise.name), 10 dB", "in a kind of noise that the detector was not fitted to, speech 10 dB above it"
            ) {
                answer, _ in
                NoiseMixture.recording(answer, in: noise.samples, named: "\(answer.name)|\(noise.name)", ratio: 10)
            }
        }
    }

    private var levels: [Condition] {
        [6.0, 9].map { decibels in
            level(
                "drop \(Int(decibels))", "\(Int(decibels)) dB quieter from the first pause after the middle on",
                .drop(decibels))
        } + [level("fade 12", "12 dB quieter in the end than in the beginning", .fade(12))]
            + [9.0, 12].map { decibels in
                level(
                    "loud \(Int(decibels))", "a word \(Int(decibels)) dB over the rest 0.7 s before it", .loud(decibels)
                )
            }
            + [12.0, 20].map { decibels in
                level(
                    "agc \(Int(decibels))", "automatic gain of up to \(Int(decibels)) dB over pink noise at 20 dB",
                    .agc(decibels))
            }
            + [10.0, 15].map { decibels in
                level(
                    "step \(Int(decibels))",
                    "pink noise begins in the middle of the answer, speech \(Int(decibels)) dB above it",
                    .step(decibels))
            }
    }

    private func level(_ title: String, _ about: String, _ change: LevelChange) -> Condition {
        changed(title, about) { answer, _ in change.applied(to: answer) }
    }

    private var microphones: [Condition] {
        [
            changed("quiet", "30 dB quieter, in 16 bits") { answer, _ in Loudness.gain(-30).applied(to: answer) },
            changed("clipped", "so loud that 5 % of the samples of speech are cut off") { answer, _ in
                Loudness.clipped(0.05).applied(to: answer)
            },
            changed("hum", "50 Hz and 19 harmonics, as loud as the speech (0 dB)") { answer, _ in
                Hum(ratio: 0).applied(to: answer)
            },
            level(
                "gate 20", "a headset's gate: digital silence while it is 20 dB quieter than the speech in the mean",
                .gate(20)),
            changed(
                "quiet lead-in",
                "its own room only from 0.1 s before the first word on; before that, and afterwards, white noise of −66 dBFS"
            ) {
                answer, _ in
                QuietLeadIn(level: -66).applied(to: answer)
            },
            changed("telephone", "300 to 3,400 Hz") { answer, _ in TelephoneBand().applied(to: answer) },
        ]
    }

    private var rooms: [Condition] {
        let ringing = [
            changed("reverberation", "a room of 0.6 s (RT60), its sound as loud as the voice itself (0 dB)") {
                answer, _ in
                Reverberation(decay: 0.6, directRatio: 0).applied(to: answer)
            },
            changed(
                "far reverberation", "the same room, its sound 6 dB louder than the voice itself: at twice the distance"
            ) {
                answer, _ in
                Reverberation(decay: 0.6, directRatio: -6).applied(to: answer)
            },
        ]
        guard let cough = noise("cough") else { return ringing }
        var coughing = changed("cough", "a cough as loud as the speech (0 dB) 0.5 s after the last word of each turn") {
            answer, _ in
            SoundAfterTurns(cough.samples, ratio: 0).applied(to: answer)
        }
        coughing.kind = .lateEnds
        return ringing + [coughing]
    }

    private var loudFirstWord: [Condition] {
        sets.filter { $0.name == Self.short }.map { set in
            Condition(
                title: "\(set.name), first word +12 dB",
                about: "the first word, 0.45 s at most, 12 dB louder than it was",
                sources: set.recordings
            ) { recording, _ in Loudness.firstWord(12).applied(to: recording) }
        }
    }

    /// Noises of two minutes each.
    private var noiseAlone: [Condition] {
        (noises + ownNoises + unknownNoises).map { noise in
            Condition(
                title: "\(noise.name) alone",
                about: "two minutes at −35 dBFS without speech; a single sound comes every 3 s", kind: .noiseAlone,
                sources: [LabelledRecording(name: noise.name, samples: noise.samples, speech: Speech([]))]
            ) { noise, _ in
                NoiseAlone.recording(noise.samples, named: noise.name, level: -35, seconds: 120)
            }
        }
    }

    /// Returns a condition of changed answers. It is empty without the data.
    private func changed(
        _ title: String, _ about: String, seeds: Int = 1,
        _ change: @escaping (LabelledRecording, Int) -> LabelledRecording?
    ) -> Condition {
        let answers = sets.first { $0.name == Self.answers }?.recordings ?? []
        return Condition(
            title: "\(Self.answers) + \(title)", about: about, sources: answers, seeds: seeds, change: change)
    }
}
