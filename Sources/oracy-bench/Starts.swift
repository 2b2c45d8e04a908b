import Glibc

/// Measures the time from the program's start to the examiner's first sound, and from `pause` to silence, in the first
/// prompt of several exams.
extension Live {
    func measureStarts(runs: Int) throws {
        let words = try pocketExam()
        let prompt = try prompt(Self.openingPrompt)
        let middle = try CutSound.middleOfSound(prompt)
        // An idle null sink has blocks of 50 ms, and of 20 ms while the examiner speaks. With this latency, the
        // recording doesn't shorten anyone's wait.
        let recording = DatedRecording("loudspeaker.monitor", of: server, latency: 60)
        defer { recording.stop() }
        var (fromExec, setUp, opening, fromSetUp, stops): ([Double], [Double], [Double], [Double], [Double]) =
            ([], [], [], [], [])
        for run in 0..<runs {
            let session = "\(work)/start-\(run)"
            let log = LogWatch(session + "/log.jsonl")
            let child = oracy(session, words)
            defer {
                child.stop()
                log.stop()
            }
            wait(10, for: "the examiner's first sound") { recording.firstAudible(from: child.startedAt) != nil }
            let first = recording.firstAudible(from: child.startedAt)!
            let sounds = recording.date(of: first)
            // At another position within the sink's block in each run.
            usleep(UInt32(max(0, sounds + middle - 0.06 + 0.0023 * Double(run) - clockNow()) * 1e6))
            let typed = clockNow()
            child.type("pause\n".utf8)
            usleep(400_000)
            guard let ready = child.complainedAt, child.complaints.contains("`oracy check`"),
                let begin = log.lines.first, let last = recording.lastAudible(from: typed - 0.1, to: typed + 0.35),
                log.lines.contains(where: { $0.commands.contains("stopPlaying") })
            else { fail("an exam did not begin and pause as it should") }
            fromExec.append(sounds - child.startedAt)
            setUp.append(ready - child.startedAt)
            opening.append(begin.seenAt - ready)
            fromSetUp.append(sounds - ready)
            stops.append(recording.date(of: last + 1) - typed)
        }
        section("the examiner's first sound, \(runs) exams")
        row("from exec", fromExec)
        row("  exec to set-up done (its line on stderr)", setUp)
        row("  devices open, session begun", opening)
        row("from set-up done", fromSetUp, bar: "300 ms")
        row("`pause` typed to silence", stops, bar: "50 ms")
    }
}
