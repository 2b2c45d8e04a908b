import AudioFiles
import Foundation
import Glibc

/// What live exams cost a server: many at once, in real time, over WebSocket, their answers encoded to Opus and stored.
///
/// `oracy-server` runs in a process of its own, with SQLite and a folder, as for one machine. One thread of this program is all
/// candidates; its CPU is not the server's, and is reported.
///
/// **A session-second** is a second of one candidate's microphone, silence and the examiner's turns included.
/// **Sessions a core** = 1 / (the server's CPU seconds for a session-second): everything that the process did in that time, from its
/// sockets to its database.
/// **The encoder's bound** = 1 / (CPU seconds for encoding a second of sound × seconds of answers stored for a session-second):
/// how many sessions a core could hold if it did nothing but encode what these exams recorded. It is measured in the same
/// run, with the same libopus and libogg, of the very answers that were stored, on one thread.
/// **The share** is the first by the second.
struct ServerLoad {
    private let top: String
    private let work: String
    private var sessions = 200
    private var minutes = 2.0
    private var ramp = 30.0

    /// - Parameter words: `--sessions N`, `--minutes M`, `--ramp SECONDS` (over which the candidates come).
    init(top: String, work: String, _ words: [String] = []) {
        self.top = top
        self.work = work + "/server"
        var words = words[...]
        while let option = words.popFirst() {
            guard let value = words.popFirst().flatMap(Double.init), value > 0 else { Self.usage() }
            switch option {
            case "--sessions": sessions = Int(value)
            case "--minutes": minutes = value
            case "--ramp": ramp = value
            default: Self.usage()
            }
        }
    }

    private static func usage() -> Never {
        fail("server [--sessions N] [--minutes M] [--ramp SECONDS]", code: 64)
    }

    func measure() throws {
        signal(SIGPIPE, SIG_IGN)
        let sounds = try AnswerSounds(folder: top + "/AudioFixtures/answers")
        let server = try ServerProcess(
            built + "/oracy-server", folder: work, prompts: top + "/AudioFixtures/prompts")
        let idle = server.memory
        let tally = LoadTally()
        let client = LoadClient(tally: tally)
        for seat in 0..<sessions {
            let token = UserToken(of: UUID(), secret: ServerProcess.secret).text
            client.add(
                LiveCandidate(seat: seat, token: token, port: server.port, sounds: sounds, tally: tally),
                phase: Double(seat) / Double(sessions))
            client.run(for: ramp / Double(sessions))
        }
        client.run(for: 15)  // The first answers end, and are encoded from now on.
        guard client.sitting == sessions else { fail("\(client.sitting) of \(sessions) candidates sit in an exam") }

        let storedBefore = Set(server.recordings())
        let before = Reading(server)
        tally.isMeasuring = true
        client.run(for: minutes * 60)
        tally.isMeasuring = false
        let after = Reading(server)
        let stored = server.recordings().filter { !storedBefore.contains($0) }
        let (memory, peak) = (server.memory, server.peakMemory)
        client.settle()
        let (heard, lost) = (
            server.metrics()["oracy_heard_blocks_total"] ?? 0, server.metrics()["oracy_lost_blocks_total"] ?? 0
        )
        let losses = server.losses()
        server.stop()
        let encoder = try EncoderAlone(server.recordings(), most: 300, scratch: work + "/encoded.opus")
        let alone = Spread(figures: try (0..<5).map { _ in try encoder.cost() })

        section("\(sessions) live exams at once, \(decimal(minutes, 1)) minutes in real time")
        let span = after.at - before.at
        let sessionSeconds = Double(tally.measuredBlocks) / 50
        let cost = (after.server - before.server) / sessionSeconds
        let recorded = stored.reduce(0) { $0 + Self.seconds(ofRecording: $1) } / sessionSeconds
        let bound = alone.median * recorded
        print("  the server's CPU                \(decimal(cost * 1000, 2)) ms a session-second")
        print("  sessions a core                 \(decimal(1 / cost, 0))")
        print("  encoding alone                  \(alone.text("ms", scale: 1000, places: 2)) a second of sound")
        print("  answers stored                  \(stored.count): \(decimal(recorded * 100, 0)) % of the time")
        print("  the encoder's bound             \(decimal(1 / bound, 0)) sessions a core")
        print("  share of the bound              \(decimal(bound / cost * 100, 0)) %   bar: 80 %")
        print("  beside the encoder              \(decimal((cost - bound) * 1000, 2)) ms a session-second")
        print("a block's arrival to its event")
        let way = after.blockToEvent.since(before.blockToEvent)
        print("  by the server's own account     \(way.text)   bar: 20 ms at p99")
        print("  sent to read, by its client     \(Self.quantiles(tally.ways)), \(tally.ways.count) events")
        print("memory")
        let each = (memory - idle) / Double(sessions)
        print("  a session                       \(decimal(each, 2)) MB   bar: 1 MB")
        print("  idle, under load, at most       \(decimal(idle, 0)), \(decimal(memory, 0)), \(decimal(peak, 0)) MB")
        print("frames")
        print("  sent, heard                     \(tally.sentBlocks), \(Int(heard))")
        print("  lost, by count and by logs      \(Int(lost)), \(losses)   bar: 0")
        for (trouble, count) in tally.troubles.sorted(by: { $0.key < $1.key }) { print("  \(trouble): \(count)") }
        for (outcome, count) in tally.examsOver.sorted(by: { $0.key < $1.key }) { print("  \(outcome): \(count)") }
        print("the machine meanwhile, \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores")
        let (busy, idleShare, stolen) = after.machine.shares(since: before.machine)
        print(
            "  busy \(decimal(busy, 0)) %, idle \(decimal(idleShare, 0)) %, stolen \(decimal(stolen, 1)) %;",
            "server \(decimal((after.server - before.server) / span * 100, 0)) % of a core,",
            "clients \(decimal((after.own - before.own) / span * 100, 0)) %")
        print("  clients speak late by           \(Self.quantiles(tally.lateness))")
        if idleShare < 5 { print("  the cores were saturated: times above include waiting for a core") }
    }

    private static func seconds(ofRecording path: String) -> Double {
        ((try? duration(ofSoundFile: path)) ?? .zero) / .seconds(1)
    }

    static func quantiles(_ figures: [Double]) -> String {
        let (middle, most) = (quantile(0.5, of: figures) * 1000, (figures.max() ?? .nan) * 1000)
        return figures.isEmpty
            ? "none"
            : "p50 \(decimal(middle, 2)), p99 \(decimal(quantile(0.99, of: figures) * 1000, 2)), max \(decimal(most, 1)) ms"
    }
}
