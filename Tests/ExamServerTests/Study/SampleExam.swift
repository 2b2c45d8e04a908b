import Assessment
import ExamCore
import ExamKit
import ExamStore
import Foundation
import SessionFolders
import SystemSupport

/// A completed exam with a few answers, made from a seed, in the form of each shelf.
struct SampleExam {
    let id = UUID()
    let startedAt: String
    let frozen: FrozenExam
    let answers: [Answer]

    struct Answer {
        let row = UUID()
        var record: AnswerRecord
        var recording: String
        var sound: MeasuredSound
    }

    /// - Parameter day: The days from 1 November 2026 to the exam.
    init(day: Int, _ random: inout SplitMix64) throws {
        let began = WallTime(utc: "2026-11-01T09:00:00Z")!.secondsSince1970 + day * 86_400
        startedAt = WallTime(secondsSince1970: began + Int.random(in: 0..<36_000, using: &random)).utc
        var format = try ExamFormat.builtIn("ielts-style")
        if Int.random(in: 0..<4, using: &random) == 0 { format.id = "own-style" }
        let paper = try Paper.builtIn("bridges")
        frozen = FrozenExam(format: format, paper: paper, options: ExamOptions())
        let script = ExamScript.assemble(format, paper, options: ExamOptions()).script
        var answers: [Answer] = []
        let turns = (script?.turns ?? []).filter { $0.order > 0 }
        // An introduction belongs to the exam, but not to its results.
        let introductions = turns.filter { $0.purpose == .introduction }.prefix(1)
        let assessed = turns.filter { $0.purpose == .assessed }.prefix(Int.random(in: 3...5, using: &random))
        for turn in introductions + assessed {
            answers.append(Self.answer(turn, script?.parts[turn.part].number ?? 1, &random))
        }
        self.answers = answers
    }

    private static func answer(_ turn: ExamScript.Turn, _ part: Int, _ random: inout SplitMix64) -> Answer {
        let length = Double.random(in: 25...60, using: &random).rounded()
        var record = AnswerRecord(
            question: turn.id, part: part, order: turn.order, end: "finished", duration: Seconds(.seconds(length)),
            speech: Seconds(.seconds((length * 0.8).rounded())))
        record.purpose = turn.purpose
        (record.openedAt, record.closedAt) = (Seconds(.seconds(1)), Seconds(.seconds(1 + length)))
        var silences: [TimeRange] = []
        var at = 3.0
        while at < length - 4 {
            let pause = (Double.random(in: 0.3...1.6, using: &random) * 10).rounded() / 10
            silences.append(TimeRange(at, at + pause))
            at += pause + Double.random(in: 2...7, using: &random).rounded()
        }
        let syllables = stride(from: 1.0, to: length - 1, by: Double.random(in: 0.2...0.4, using: &random))
        let timeline = SoundTimeline(
            duration: length, span: TimeRange(0.5, length - 0.5), silences: silences, syllables: Array(syllables),
            peaks: [0.5])
        var sound = MeasuredSound(timeline: timeline, speechOverNoise: 40, clippedShare: 0)
        for feature in DeliveryCalibration.builtIn.features {
            sound.features[feature.name] = Double.random(in: feature.low...feature.high, using: &random)
        }
        return Answer(
            record: record, recording: SHA256.hexadecimal(of: Array("\(random.next())".utf8)), sound: sound)
    }
}

/// Something that happens to an answer of a completed exam.
enum SampleDeed {
    case typed(AnswerTranscript)
    case said(AssessorFinding)
}

extension SampleExam.Answer {
    /// Makes a deed from random numbers.
    func deed(_ random: inout SplitMix64) -> SampleDeed {
        let words = ["the", "bridge", "um", "was", "very", "very", "old", "because", "people", "cross", "it"]
        let count = Int.random(in: 1...60, using: &random)
        let text = (0..<count).map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
        let at = "2026-12-01T09:00:00Z"
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return .typed(
                AnswerTranscript(
                    answer: record.name, recording: recording, source: .own, writtenAt: at, text: text))
        case 1:
            let source = MarkSource(kind: .machine, id: "recogniser", version: "1")
            var finding = AssessorFinding(answer: record.name, recording: recording, source: source, saidAt: at)
            finding.transcript = AnswerTranscript(
                answer: record.name, recording: recording, source: .recogniser, writtenAt: at, text: text)
            finding.transcript?.isVerbatim = Bool.random(using: &random)
            return .said(finding)
        default:
            let number = Int.random(in: 1...2, using: &random)
            let source = MarkSource(kind: .machine, id: "assessor-\(number)", version: "3")
            var finding = AssessorFinding(answer: record.name, recording: recording, source: source, saidAt: at)
            let speech = Double((record.speech?.duration ?? .zero).milliseconds) / 1000
            finding.evidence = [Criterion.fluency, .vocabulary].map { criterion in
                CriterionEvidence(
                    trait: MarkedTrait(criterion), scope: .answer(name: record.name, speech: speech), source: source,
                    recordings: [recording],
                    outcome: .mark(Double(Int.random(in: 8...16, using: &random)) / 2))
            }
            finding.improvements = ["Say more about \(words.randomElement(using: &random)!)."]
            return .said(finding)
        }
    }
}
