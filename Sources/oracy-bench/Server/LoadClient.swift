import Foundation
import Glibc

/// Runs many candidates on one thread. Each sends 100 ms of sound ten times a second, evenly spread, and its messages
/// are read as soon as they arrive.
///
/// Uses `poll` on plain sockets, at most a thousand times a second, and prepared sound, so that the load costs little
/// compared with the server.
final class LoadClient {
    private static let period = Double(LiveCandidate.blocksAtOnce) / 50

    private let tally: LoadTally
    private var candidates: [LiveCandidate] = []
    /// The next time at which each candidate sends, on `clockNow`'s clock.
    private var due: [Double] = []
    /// All candidates in the order in which they send. It never changes, because all send equally often. `turn` is the
    /// index of the next one.
    private var order: [Int] = []
    private var turn = 0
    /// The events to wait for on each socket.
    private var watched: [pollfd] = []

    init(tally: LoadTally) {
        self.tally = tally
    }

    var sitting: Int { candidates.count { $0.isSitting } }

    /// - Parameter phase: The place within each tenth of a second at which it sends, from 0 to 1.
    private func add(_ candidate: LiveCandidate, phase: Double) {
        // Within one period, so that a new candidate gets its turn among the others.
        let now = clockNow()
        let first = ((now / Self.period).rounded(.down) + phase) * Self.period
        due.append(first > now ? first : first + Self.period)
        candidates.append(candidate)
        order = due.indices.sorted { due[$0] < due[$1] }
        turn = 0
        watched.append(pollfd())
        watch(candidates.count - 1)
    }

    /// Adds candidates one after another, evenly spread over a time, while those already there send and receive.
    ///
    /// - Parameter port: The server's port.
    func come(
        _ seats: Range<Int>, within seconds: Double, to port: Int, saying sounds: AnswerSounds,
        sitting exam: LiveCandidate.Exam = .init()
    ) {
        for (number, seat) in seats.enumerated() {
            let token = UserToken(of: UUID(), secret: ServerProcess.secret).text
            add(
                LiveCandidate(seat: seat, token: token, port: port, sounds: sounds, tally: tally, exam: exam),
                phase: Double(number) / Double(seats.count))
            run(for: seconds / Double(seats.count))
        }
    }

    /// Adds the first candidates, and waits 15 s, after which their first answers end and are stored. Ends the benchmark
    /// if not all of them sit in an exam.
    func sitDown(_ count: Int, within seconds: Double, to port: Int, saying sounds: AnswerSounds) {
        come(0..<count, within: seconds, to: port, saying: sounds)
        run(for: 15)
        guard sitting == count else { fail("\(sitting) of \(count) candidates sit in an exam") }
    }

    /// Lets the candidates send and receive for a time.
    func run(for seconds: Double) {
        run(until: clockNow() + seconds) { false }
    }

    /// Lets the candidates only receive, for a limited time.
    func listen(for seconds: Double, until isDone: () -> Bool) {
        let spoken = due
        due = due.map { _ in .infinity }
        run(until: clockNow() + seconds, orUntil: isDone)
        due = spoken
    }

    /// Stops sending, and returns when the server has processed everything.
    func settle() {
        let wanted = tally.pongs + candidates.count { $0.isSitting }
        for candidate in candidates where candidate.isSitting { candidate.ping() }
        listen(for: 60) { tally.pongs >= wanted }
        if tally.pongs < wanted { fail("\(wanted - tally.pongs) exams do not answer") }
    }

    /// Makes the latest candidates leave in the middle of their exams.
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

    /// Watches the present socket of a candidate.
    private func watch(_ index: Int) {
        let candidate = candidates[index]
        watched[index] = pollfd(
            fd: candidate.isGone ? -1 : candidate.socket.descriptor,
            events: Int16(POLLIN) | (candidate.socket.hasUnsent ? Int16(POLLOUT) : 0), revents: 0)
    }

    /// Waits for the next candidate's turn, and handles messages that arrive meanwhile.
    private func wait(until next: Double) {
        // A delay of up to a millisecond does no harm, because messages are dated when they are sent.
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
