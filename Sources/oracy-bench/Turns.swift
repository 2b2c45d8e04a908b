import ExamCore
import Glibc
import VirtualDevices

/// Measures the time from the last sample of an answer to the log line that ends it, and from the last sample of a
/// prompt to its log line.
extension Live {
    private struct Turn {
        /// The time from the answer's last sample to its end in the log, minus the silence of the format.
        var seen: Double
        /// The lead of a null sink: it hands the last sample of a block to recording clients before it would play it. A
        /// real microphone has no lead, so this is added to the measured time.
        var ahead: Double
        /// The end of the voice according to the detector, minus its true end, on the room's clock.
        var dating: Double
        /// The time from the moment when the silence was long enough to the end of the block in which the exam noticed
        /// it.
        var block: Double
        /// The time from the moment when that block's last sample was spoken to the line in the log.
        var way: Double
    }

    /// The silence of the format in `pocketExam`.
    private static let silence = 0.8

    func measureTurns(runs: Int) throws {
        let words = try pocketExam()
        var answers: [String: String] = [:]
        for (question, answer) in Self.questions {
            let cut = "\(work)/\(answer).wav"
            try CutSound.cut("\(top)/AudioFixtures/answers/\(answer).flac", to: cut)
            answers[question] = cut
        }
        var turns: [Turn] = []
        var promptEnds: [Double] = []
        for run in 0..<runs {
            let session = "\(work)/turns-\(run)"
            let log = LogWatch(session + "/log.jsonl")
            let mouth = DatedRecording("mouth.monitor", of: server, latency: 20)
            let microphone = DatedRecording("microphone", of: server, rate: 16_000, latency: 20)
            let loudspeaker = DatedRecording("loudspeaker.monitor", of: server, latency: 60)
            let candidate = RecordedCandidate(
                at: .first, of: server, log: session + "/log.jsonl", answers: answers, wait: .milliseconds(300))
            let child = oracy(session, words)
            wait(60, for: "the end of an exam") { child.ended() != nil }
            candidate.leave()
            usleep(100_000)
            for part in [mouth, microphone, loudspeaker] { part.stop() }
            log.stop()
            let lines = log.lines
            turns += try lines.indices.compactMap { try turn(lines, $0, session, mouth, microphone) }
            promptEnds += try lines.compactMap { try promptEnd($0, loudspeaker) }
        }
        guard turns.count == runs * answers.count else { fail("only \(turns.count) answers ended as expected") }
        section("the end of an answer, \(turns.count) answers with a sharp end")
        row("last sample to the log, less the silence", turns.map { $0.seen + $0.ahead }, bar: "60 ms")
        row("  the detector dates it later by", turns.map(\.dating))
        row("  rest of the 20 ms block", turns.map(\.block))
        row("  the microphone's 20 ms, loop, log", turns.map { $0.way + $0.ahead })
        row("without adding the null sink's lead", turns.map(\.seen))
        section("the end of a prompt, \(promptEnds.count) prompts")
        row("last sample to the log", promptEnds)
    }

    private func turn(
        _ lines: [LogWatch.Line], _ index: Int, _ session: String, _ mouth: DatedRecording, _ microphone: DatedRecording
    ) throws -> Turn? {
        let close = lines[index]
        guard let take = close.take("closeTake"),
            close.commands.contains(where: { $0.hasPrefix("closeTake \(take) finished") }),
            let open = lines[..<index].last(where: { $0.take("openTake") == take }),
            let heardEnd = lines[..<index].reversed().lazy.compactMap({ Self.endOfVoice($0.event) }).first,
            let last = mouth.lastAudible(from: open.seenAt, to: close.seenAt),
            let caught = microphone.lastAudible(from: open.seenAt, to: close.seenAt),
            let arrival = microphone.arrival(of: caught)
        else { return nil }
        let spoken = mouth.date(of: last)
        // The take begins when it is opened, so the place of the answer's last sample in it gives its time on the room's
        // clock.
        let samples = try CutSound.samples("\(session)/takes/\(take).opus")
        guard let end = samples.lastIndex(where: { abs($0) > Float(DatedRecording.audible) / 32_768 }) else {
            return nil
        }
        let spokenInRoom = open.at + Double(end) / 16_000
        return Turn(
            seen: close.seenAt - spoken - Self.silence,
            ahead: spoken + Double(arrival.count - 1 - caught) / 16_000 - arrival.at,
            dating: heardEnd - spokenInRoom,
            block: close.at - heardEnd - Self.silence,
            way: (close.seenAt - spoken) - (close.at - spokenInRoom)
        )
    }

    /// Returns the end in seconds of a voice that counts, if the event reports one: `voiceEnded 12.340`, `voiceEnded
    /// 12.340 doubtful`.
    private static func endOfVoice(_ event: String) -> Double? {
        let words = event.split(separator: " ").map(String.init)
        guard words.count >= 2, words[0] == "voiceEnded" else { return nil }
        let sound = words.count == 2 ? .speech : EndOfAnswer.Sound(rawValue: words[2])
        return sound?.counts == true ? Double(words[1]) : nil
    }

    private static let prompts = [
        "name": "your-name-", "where": "where-from-", "library": "a-library-there-", "card": "your-card-",
        "place-card": "a-good-place-", "begin": "begin-", "towns": "are-towns-good-", "goodbye": "goodbye-",
    ]

    private func promptEnd(_ line: LogWatch.Line, _ loudspeaker: DatedRecording) throws -> Double? {
        let words = line.event.split(separator: " ")
        guard words.first == "promptEnded", let name = Self.prompts[String(words[1])],
            let last = loudspeaker.lastAudible(from: line.seenAt - 1, to: line.seenAt)
        else { return nil }
        return try line.seenAt - loudspeaker.date(of: last) - CutSound.tail(prompt(name))
    }
}
