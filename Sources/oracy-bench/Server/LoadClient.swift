import Glibc

/// Many candidates on one thread: each sends 100 ms of sound ten times a second, evenly spread, and is heard as soon as anything came.
///
/// Plain `poll` over plain sockets: what the load costs is to be little beside what it measures.
final class LoadClient {
    private static let period = Double(LiveCandidate.blocksAtOnce) / 50

    private let tally: LoadTally
    private var candidates: [LiveCandidate] = []
    /// When each speaks next, on `clockNow`'s clock.
    private var due: [Double] = []

    init(tally: LoadTally) {
        self.tally = tally
    }

    var sitting: Int { candidates.count { $0.isSitting } }

    /// - Parameter phase: where in each tenth of a second it speaks, from 0 to 1.
    func add(_ candidate: LiveCandidate, phase: Double) {
        let now = clockNow()
        candidates.append(candidate)
        due.append(((now / Self.period).rounded(.down) + 1 + phase) * Self.period)
    }

    /// Lets candidates speak and hear for some seconds.
    func run(for seconds: Double) {
        run(until: clockNow() + seconds) { false }
    }

    /// Nobody says anything more; returns when all that was said has been dealt with.
    func settle() {
        let wanted = tally.pongs + candidates.count { $0.isSitting }
        for candidate in candidates where candidate.isSitting { candidate.ping() }
        due = due.map { _ in .infinity }
        run(until: clockNow() + 60) { tally.pongs >= wanted }
        if tally.pongs < wanted { fail("\(wanted - tally.pongs) exams do not answer") }
    }

    private func run(until end: Double, orUntil isDone: () -> Bool) {
        while true {
            let now = clockNow()
            if now >= end || isDone() { return }
            for index in candidates.indices where due[index] <= now {
                tally.late(by: now - due[index])
                candidates[index].speak(at: clockNow())
                due[index] += Self.period
            }
            wait(until: min(due.min() ?? end, end))
        }
    }

    /// Waits for the next who speaks, and hears whoever has something to say meanwhile.
    private func wait(until next: Double) {
        var ends = candidates.map { candidate in
            pollfd(
                fd: candidate.socket.descriptor,
                events: Int16(POLLIN) | (candidate.socket.hasUnsent ? Int16(POLLOUT) : 0), revents: 0)
        }
        // Up to a millisecond late: messages are dated when they are sent.
        let milliseconds = Int32((max(0, next - clockNow()) * 1000).rounded(.up))
        guard poll(&ends, nfds_t(ends.count), milliseconds) > 0 else { return }
        for (candidate, end) in zip(candidates, ends) where end.revents != 0 {
            if end.revents & Int16(POLLOUT) != 0 { candidate.flush() }
            if end.revents & ~Int16(POLLOUT) != 0 { candidate.hear(at: clockNow()) }
        }
    }
}
