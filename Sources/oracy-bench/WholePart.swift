import Foundation
import Glibc
import VirtualDevices

/// Measures the cost of an exam while it is held: the long turn with its questions, as lines and on a screen, for two
/// candidates at the same time.
///
/// Answers fill two thirds of it, as in a whole exam (7:14 of 11:21 in the scenario full-exam), so that recording,
/// hearing and encoding have the same weight.
extension Live {
    private struct Cost {
        var share: Double
        var memory: Double
        var wall: Double
    }

    private final class Candidate {
        let name: String
        let child: Child
        let log: LogWatch
        let speaker: RecordedCandidate
        var memory = 0.0
        var hasSkipped = false
        var cost: Cost?
        let skip: [UInt8]

        init(_ name: String, _ child: Child, _ log: LogWatch, _ speaker: RecordedCandidate, skip: String) {
            self.name = name
            self.child = child
            self.log = log
            self.speaker = speaker
            self.skip = Array(skip.utf8)
        }
    }

    func measureWholePart() throws {
        let other = try server.addSeat("other")
        var answers: [String: String] = [:]
        for (question, answer) in [
            "bridge-card": "talk", "bridge-after-1": "bridge-after-1", "bridge-after-2": "bridge-after-2",
        ] {
            answers[question] = "\(top)/AudioFixtures/answers/\(answer).flac"
        }
        let candidates = [("as lines", Seat.first, Child.Face.pipe, "skip\n"), ("screen", other, .terminal, "\t")].map {
            (name, seat, face, skip) in
            let session = "\(work)/part-\(seat.microphone)"
            let options = ["--part", "2", "--microphone", seat.microphone, "--loudspeaker", seat.loudspeaker]
            let child = oracy(session, options + (face == .pipe ? ["--plain"] : []), face: face)
            let speaker = RecordedCandidate(
                at: seat, of: server, log: session + "/log.jsonl", answers: answers, wait: .milliseconds(800))
            return Candidate(name, child, LogWatch(session + "/log.jsonl"), speaker, skip: skip)
        }
        let deadline = clockNow() + 300
        while candidates.contains(where: { $0.cost == nil }) {
            guard clockNow() < deadline else { fail("a part did not end within 5 minutes") }
            for candidate in candidates where candidate.cost == nil { attend(candidate) }
            usleep(50_000)
        }
        section("a whole live part, \(decimal(candidates[0].cost!.wall, 0)) s: talk, two questions, encoding")
        for candidate in candidates {
            candidate.log.stop()
            candidate.speaker.leave()
            let cost = candidate.cost!
            let name = candidate.name.padding(toLength: 12, withPad: " ", startingAt: 0)
            print("  \(name) CPU \(decimal(cost.share * 100, 2)) % of a core   bar: 3 %")
            print("  \(name) memory \(decimal(cost.memory, 1)) MB          bar: 40 MB")
        }
    }

    private func attend(_ candidate: Candidate) {
        candidate.memory = max(candidate.memory, candidate.child.peakMemory ?? 0)
        if let end = candidate.child.ended() {
            guard end.status == 0 else { fail("an exam failed: \(candidate.child.complaints)") }
            let wall = clockNow() - candidate.child.startedAt
            candidate.cost = Cost(share: end.cpu / wall, memory: candidate.memory, wall: wall)
        }
        // Twenty seconds of preparation are enough to see their cost.
        guard !candidate.hasSkipped,
            let ready = candidate.log.lines.first(where: { $0.event == "promptEnded bridge-card" }),
            clockNow() - ready.seenAt > 20
        else { return }
        candidate.hasSkipped = true
        candidate.child.type(candidate.skip)
    }
}
