import Foundation
import Glibc

/// Many candidates on one thread: each sends 100 ms of sound ten times a second, evenly spread, and is heard as soon as anything came.
///
/// Plain `poll` over plain sockets, a thousand times a second at most, and sound that is ready to be sent: what the load costs is to be
/// little beside what it measures.
final class LoadClient {
    private static let period = Double(LiveCandidate.blocksAtOnce) / 50

    private let tally: LoadTally
    private var candidates: [LiveCandidate] = []
    /// When each speaks next, on `clockNow`'s clock.
    private var due: [Double] = []
    /// All of them in the order in which they speak, in turn, for each speaks as often as the others; and whose turn it is.
    private var order: [Int] = []
    private var turn = 0
    /// What is waited for of each.
    private var watched: [pollfd] = []

    init(tally: LoadTally) {
        self.tally = tally
    }

    var sitting: Int { candidates.count { $0.isSitting } }

    /// - Parameter phase: where in each tenth of a second it speaks, from 0 to 1.
    private func add(_ candidate: LiveCandidate, phase: Double) {
        // Within one period, as all the others: who comes has its turn among theirs.
        let now = clockNow()
        let first = ((now / Self.period).rounded(.down) + phase) * Self.period
        due.append(first > now ? first : first + Self.period)
        candidates.append(candidate)
        order = due.indices.sorted { due[$0] < due[$1] }
        turn = 0
        watched.append(pollfd())
        watch(candidates.count - 1)
    }

    /// Has candidates come one after the other, evenly spread over some seconds, and those who are there speak and hear meanwhile.
    ///
    /// - Parameter port: the server's.
    func come(_ seats: Range<Int>, within seconds: Double, to port: Int, saying sounds: AnswerSounds) {
        for (number, seat) in seats.enumerated() {
            let token = UserToken(of: UUID(), secret: ServerProcess.secret).text
            add(
                LiveCandidate(seat: seat, token: token, port: port, sounds: sounds, tally: tally),
                phase: Double(number) / Double(seats.count))
            run(for: seconds / Double(seats.count))
        }
    }

    /// Lets candidates speak and hear for some seconds.
    func run(for seconds: Double) {
        run(until: clockNow() + seconds) { false }
    }

    /// Lets candidates hear, and nobody speak, for some seconds at most.
    func listen(for seconds: Double, until isDone: () -> Bool) {
        let spoken = due
        due = due.map { _ in .infinity }
        run(until: clockNow() + seconds, orUntil: isDone)
        due = spoken
    }

    /// Nobody says anything more; returns when all that was said has been dealt with.
    func settle() {
        let wanted = tally.pongs + candidates.count { $0.isSitting }
        for candidate in candidates where candidate.isSitting { candidate.ping() }
        listen(for: 60) { tally.pongs >= wanted }
        if tally.pongs < wanted { fail("\(wanted - tally.pongs) exams do not answer") }
    }

    /// So many of the latest go, in the middle of their exams.
    func leave(_ count: Int) {
        for candidate in candidates.suffix(count) { candidate.leave() }
    }

    private func run(until end: Double, orUntil isDone: () -> Bool) {
        while true {
            let now = clockNow()
            if now >= end || isDone() { return }
            while !order.isEmpty, due[order[turn]] <= now {
                let index = order[turn]
                tally.late(by: now - due[index])
                candidates[index].speak(at: clockNow())
                watch(index)
                due[index] += Self.period
                turn = (turn + 1) % order.count
            }
            wait(until: min(order.isEmpty ? end : due[order[turn]], end))
        }
    }

    /// Has the system tell when this one's socket has something, whichever it is now.
    private func watch(_ index: Int) {
        let candidate = candidates[index]
        watched[index] = pollfd(
            fd: candidate.isGone ? -1 : candidate.socket.descriptor,
            events: Int16(POLLIN) | (candidate.socket.hasUnsent ? Int16(POLLOUT) : 0), revents: 0)
    }

    /// Waits for the next who speaks, and hears whoever has something to say meanwhile.
    private func wait(until next: Double) {
        // Up to a millisecond late: messages are dated when they are sent.
        usleep(500)
        let milliseconds = Int32((max(0, min(next - clockNow(), 1)) * 1000).rounded(.up))
        guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return }
        for index in watched.indices where watched[index].revents != 0 {
            let end = watched[index].revents
            if end & Int16(POLLOUT) != 0 { candidates[index].flush() }
            if end & ~Int16(POLLOUT) != 0 { candidates[index].hear(at: clockNow()) }
            watch(index)
        }
    }
}
