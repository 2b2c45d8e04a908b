import Foundation
import Glibc

/// Measures a rush of candidates during running exams: 100 exams are opened within 5 seconds while another 100 run, in
/// real time, over WebSocket.
///
/// Opening an exam takes a request, a row, a lease, a folder, a commit of the queue and a WebSocket. None of that
/// should affect running exams. So this measures the time from their blocks to their events, from the first new
/// candidate until some seconds after the last.
struct Storm {
    private static let sitting = 100
    private static let coming = 100
    private static let span = 5.0
    /// The time after the last candidate, so that delayed work still counts.
    private static let after = 5.0

    private let top: String
    private let work: String

    init(top: String, work: String) {
        self.top = top
        self.work = work + "/storm"
    }

    func measure() throws {
        signal(SIGPIPE, SIG_IGN)
        let sounds = try AnswerSounds(folder: top + "/AudioFixtures/answers", as: .opus)
        let server = try ServerProcess(
            built + "/oracy-server", folder: work, prompts: top + "/AudioFixtures/prompts")
        let tally = LoadTally()
        let client = LoadClient(tally: tally)
        client.sitDown(Self.sitting, within: 15, to: server.port, saying: sounds)

        let calm = Reading(server)
        tally.isMeasuring = true
        client.run(for: Self.span + Self.after)
        let (quiet, before) = (tally.ways, Reading(server))
        client.come(
            Self.sitting..<(Self.sitting + Self.coming), within: Self.span, to: server.port, saying: sounds)
        let lateComers = Self.sitting + Self.coming - client.sitting
        client.run(for: Self.after)
        let after = Reading(server)
        tally.isMeasuring = false
        guard client.sitting == Self.sitting + Self.coming else {
            fail("\(client.sitting) of \(Self.sitting + Self.coming) candidates sit in an exam after the storm")
        }
        client.settle()
        let losses = server.losses()
        server.stop()

        section("\(Self.coming) exams opened within \(decimal(Self.span, 0)) s while \(Self.sitting) run")
        print("a block's arrival to its event, by the server's own account")
        print("  before the storm                \(before.blockToEvent.since(calm.blockToEvent).text)")
        print(
            "  in the storm                    \(after.blockToEvent.since(before.blockToEvent).text)   bar: 20 ms at p99"
        )
        print("sent to read, by its client")
        print("  before the storm                \(ServerLoad.quantiles(quiet)), \(quiet.count) events")
        let stormy = Array(tally.ways.dropFirst(quiet.count))
        print("  in the storm                    \(ServerLoad.quantiles(stormy)), \(stormy.count) events")
        print("not open when the last had come   \(lateComers)")
        print("lost frames, by logs              \(losses)   bar: 0")
        let (busy, idle, stolen) = after.machine.shares(since: before.machine)
        print(
            "the machine meanwhile: busy \(decimal(busy, 0)) %, idle \(decimal(idle, 0)) %, stolen \(decimal(stolen, 1)) %;",
            "server \(decimal((after.server - before.server) / (after.at - before.at) * 100, 0)) % of a core")
        print("  clients speak late by           \(ServerLoad.quantiles(tally.lateness))")
    }
}
