import ExamCore
import Testing

@testable import Assessment

/// Tests of the profiles of answers, parts and exams: the measures, and the reasons (gates) for which a profile has no
/// word such as `steady`.
@Suite struct ProfileTests {
    /// A calibration whose index is 5 plus the syllable rate, so that tests can show the arithmetic.
    static let calibration = DeliveryCalibration(
        id: "test-00000000", corpus: "", speakers: 2, sentences: 2, intercept: 5,
        features: [.init(name: "syllableRate", low: -10, high: 10, mean: 0, deviation: 1, weight: 1)],
        cuts: [6.5, 8.2],
        speakerVariance: 2, secondVariance: 2)

    /// Returns an answer with a pause of a second in the middle of its speech, and with four syllables a second.
    ///
    /// - Parameters:
    ///   - speech: the seconds of speech.
    ///   - rate: the value of the only feature that `calibration` uses. It does not change the syllables.
    ///   - noise: the level of the speech over the noise, dB.
    static func answer(
        part: Int = 1, order: Int = 1, speech: Double = 12, rate: Double = 3, noise: Double = 30,
        change: (inout ExamAssessment.Measured) -> Void = { _ in }
    ) -> ExamAssessment.Measured {
        let half = speech / 2
        let timeline = SoundTimeline(
            duration: speech + 2, span: TimeRange(0.5, speech + 1.5), silences: [TimeRange(0.5 + half, 1.5 + half)],
            syllables: (0..<Int(speech * 4)).map { index in
                let at = Double(index) / 4
                return 0.5 + at + (at >= half ? 1 : 0)
            })
        var answer = ExamAssessment.Measured(
            record: AnswerRecord(question: "q\(order)", part: part, order: order, end: "finished"), recording: "ab",
            sound: MeasuredSound(
                timeline: timeline, speechOverNoise: noise, clippedShare: 0, features: ["syllableRate": rate]))
        change(&answer)
        return answer
    }

    static func profile(_ answer: ExamAssessment.Measured) -> DeliveryProfile {
        ExamAssessment.make(session: "s", answers: [answer], calibration: calibration).answers[0].delivery
    }

    @Test func countsBecomeRates() throws {
        let measures = Self.profile(Self.answer { $0.record.responseLatency = Seconds(.milliseconds(800)) }).measures
        #expect(measures.syllables == 48)
        #expect(measures.span == 13)
        #expect(measures.speech == 12)
        #expect(measures.speechRate == 48.0 / 13)
        #expect(measures.articulationRate == 4)
        #expect(measures.phonationTimeRatio == 12.0 / 13)
        #expect(measures.meanLengthOfRun == 24)
        #expect(measures.pausesPerMinute == 60.0 / 13)
        #expect(measures.meanPause == 1)
        #expect(measures.longestPause == 1)
        #expect(measures.responseLatency == 0.8)
        #expect(measures.timeToFirstPause == 6)
        #expect(abs(try #require(measures.firstThird.rate) - 4) < 0.3)
        // Too short to count as a pause.
        let short = Self.profile(Self.answer { $0.sound.timeline.silences = [TimeRange(3, 3.24)] }).measures
        #expect(short.pauses == 0)
        #expect(short.timeToFirstPause == nil)
        #expect(short.meanPause == nil)
    }

    @Test func aProfileWithAGateHasNoWord() {
        func gates(_ change: (inout ExamAssessment.Measured) -> Void) -> [DeliveryGate] {
            let profile = Self.profile(Self.answer(change: change))
            #expect(profile.gates.isEmpty == (profile.word != nil))
            #expect((profile.index == nil) == (profile.word == nil))
            return profile.gates
        }
        #expect(gates { _ in } == [])
        #expect(Self.profile(Self.answer(speech: 9.9)).gates == [.tooShort])
        #expect(gates { $0.sound.speechOverNoise = 19.9 } == [.noisy])
        #expect(gates { $0.sound.clippedShare = 0.001 } == [.clipped])
        // The share measured while recording is used instead of the share measured after encoding.
        #expect(gates { ($0.sound.clippedShare, $0.record.clippedShare) = (0.01, 0) } == [])
        #expect(gates { $0.record.clippedShare = 0.002 } == [.clipped])
        #expect(gates { $0.record.lost = Seconds(.milliseconds(20)) } == [], "a small loss changes no rate")
        #expect(gates { $0.record.lost = Seconds(.seconds(2)) } == [.incomplete])
        #expect(gates { $0.record.end = "deviceLost" } == [.incomplete])
        // Without features, there is no word.
        #expect(gates { $0.sound.features = [:] } == [.tooShort])
        #expect(
            gates {
                $0.sound.timeline.span = nil
                $0.sound.timeline.silences = []
            } == [.tooShort])
    }

    /// An exam with an unanswered question is judged by the other answers. The recording of that question holds only
    /// the room's sound.
    @Test func anUnansweredQuestionHasNoSpeech() {
        let silent = Self.answer(order: 2, speech: 11, noise: 3) { $0.record.end = "noAnswer" }
        let exam = ExamAssessment.make(
            session: "s", answers: [Self.answer(speech: 76), silent], calibration: Self.calibration)
        #expect(exam.delivery.gates == [] && exam.delivery.word != nil)
        #expect(exam.answers[1].delivery.gates == [.tooShort])
        #expect(exam.answers[1].delivery.evidence == "No speech was found.")
        #expect(exam.answers[1].delivery.measures.speech == 0)
        // If there is speech, but it is too noisy to count, the reason given is the noise, not missing speech.
        let noisy = ExamAssessment.make(
            session: "s", answers: [Self.answer(speech: 76, noise: 3), silent], calibration: Self.calibration)
        #expect(noisy.delivery.gates == [.tooShort, .noisy])
        #expect(noisy.delivery.evidence.hasPrefix("Not judged: the room is too loud"))
    }

    @Test func partsAndExamsWeighAnswersBySpeech() throws {
        let answers = [
            Self.answer(part: 1, order: 1, speech: 8, rate: 1), Self.answer(part: 1, order: 2, speech: 56, rate: 3),
            Self.answer(part: 2, order: 1, speech: 40, rate: 4),
            Self.answer(part: 2, order: 2, speech: 30, rate: 5, noise: 3),
        ]
        let exam = ExamAssessment.make(session: "s", answers: answers, calibration: Self.calibration)
        #expect(exam.parts.map(\.part) == [1, 2])
        // A short answer counts in its part.
        #expect(exam.parts[0].delivery.index == 7.75)  // 5 + (8 × 1 + 56 × 3) / 64
        #expect(exam.parts[0].delivery.word == .steady)
        #expect(exam.parts[0].delivery.measures.answers == 2)
        // A noisy answer does not count, and the rest is too short. Both reasons are given.
        #expect(exam.parts[1].delivery.gates == [.tooShort, .noisy])
        #expect(exam.parts[1].delivery.measures.answers == 1)
        #expect(exam.delivery.measures.speech == 104)
        #expect(exam.delivery.index == 8.23)  // 5 + (8 × 1 + 56 × 3 + 40 × 4) / 104
        #expect(ExamAssessment.make(session: "s", answers: []).delivery.gates == [.tooShort])
    }

    /// Answers that are for practice, or were begun again, do not influence the exam.
    @Test func practiceAndRepeatedAnswersHaveNoWeight() {
        let answers = [
            Self.answer(part: 1, order: 1, speech: 90, rate: 1) { $0.record.practice = true },
            Self.answer(part: 1, order: 2, speech: 90, rate: 1) { $0.record.end = "startedAgain" },
            Self.answer(part: 1, order: 2, speech: 80, rate: 3),
        ]
        let exam = ExamAssessment.make(session: "s", answers: answers, calibration: Self.calibration)
        #expect(exam.answers.count == 3 && exam.delivery.measures.speech == 80 && exam.delivery.index == 8)
    }

    @Test func reliabilityGrowsWithSpeech() {
        let some = [2.0, 12, 60].map { Self.profile(Self.answer(speech: $0)).reliability }
        #expect(some == some.sorted())
        #expect(some[0] == 0.67)
        #expect(some[2] == 0.98)
        #expect(Self.calibration.reliability(seconds: 0) == 0)
    }

    /// Above the plateau, more speed changes nothing. Each feature moves the index in one direction only.
    @Test(arguments: [DeliveryCalibration.builtIn, .builtInWithPhones])
    func beyondThePlateauNothingCounts(_ calibration: DeliveryCalibration) throws {
        for feature in calibration.features {
            func index(_ value: Double) throws -> Double {
                let others = Dictionary(uniqueKeysWithValues: calibration.features.map { ($0.name, $0.mean) })
                return try #require(calibration.index(of: others.merging([feature.name: value]) { $1 }))
            }
            #expect(try index(feature.high) == (try index(feature.high + 1)))
            #expect(try index(feature.low) == (try index(feature.low - 1)))
            let isBetterLower = feature.name == "voiceGaps"
            #expect((try index(feature.high) - index(feature.low)) * (isBetterLower ? -1 : 1) > 0.5, "\(feature.name)")
            #expect(calibration.index(of: [feature.name: 1]) == nil)
        }
    }

    /// Answers in which phones were heard are judged by the calibration that knows them, and a part only if all are.
    @Test func heardPhonesChooseTheCalibration() throws {
        let (plain, withPhones) = (DeliveryCalibration.builtIn, DeliveryCalibration.builtInWithPhones)
        let phones = try #require(HeardPhones((0..<400).map { (start: 0.15 * Double($0), clarity: -0.2) }))
        func answer(_ order: Int, _ phones: HeardPhones?) -> ExamAssessment.Measured {
            Self.answer(order: order, speech: 60) { answer in
                let means = plain.features.map { ($0.name, $0.mean) }
                answer.sound.features = Dictionary(uniqueKeysWithValues: means)
                answer.sound = answer.sound.with(phones)
            }
        }
        func exam(_ second: HeardPhones?) -> ExamAssessment {
            ExamAssessment.make(session: "s", answers: [answer(1, phones), answer(2, second)])
        }
        let all = exam(phones)
        #expect(all.answers.map(\.delivery.calibration) == [withPhones.id, withPhones.id])
        #expect(all.delivery.calibration == withPhones.id && all.delivery.index != plain.intercept)
        #expect(all.delivery.evidence.hasSuffix("of speech and its phones."))
        let some = exam(nil)
        #expect(some.answers.map(\.delivery.calibration) == [withPhones.id, plain.id])
        #expect(some.delivery.calibration == plain.id && some.delivery.index == 7.35)
        // Recordings that were measured before keep their calibration.
        var old = answer(1, phones)
        old.sound.features = ["syllableRate": 1.1, "pitchBend": -2.2]
        let before = ExamAssessment.make(session: "s", answers: [old])
        #expect(before.delivery.calibration == DeliveryCalibration.first.id && before.delivery.word != nil)
        // A calibration of one's own stays.
        let own = ExamAssessment.make(session: "s", answers: [answer(1, phones)], calibration: Self.calibration)
        #expect(own.delivery.calibration == Self.calibration.id)
    }
}
