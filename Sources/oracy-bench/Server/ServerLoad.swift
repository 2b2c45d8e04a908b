import AudioFiles
import Foundation
import Glibc
import LoopbackServers

/// Measures the cost of live exams for a server: many at the same time, in real time, over WebSocket, with stored
/// answers.
///
/// `oracy-server` runs in its own process, with SQLite and a folder, as on a single machine. One thread of this program
/// runs all candidates. Its CPU isn't the server's, and is reported.
///
/// **A session-second** is one second of a candidate's microphone, silence and the examiner's turns included.
///
/// **Sessions a core** = 1 / (the server's CPU seconds per session-second). This includes everything that the process
/// did in that time, from its sockets to its database.
///
/// **The codec alone** is what the server encodes for these exams (for sound sent as samples: the stored answers) or
/// decodes (for sound sent as packets: all of it), measured in the same run with the same libopus, on one thread, with
/// nothing else.
///
/// **Beside the codec** is the rest.
struct ServerLoad {
    private let top: String
    private let work: String
    private var sessions: Int?
    private var minutes = 2.0
    private var ramp = 30.0
    private var forms = [AnswerSounds.Form.pcm, .opus]
    private var stormers = 0
    private var isPostgres = false

    /// Returns the number of sessions that a core must hold. Without `--sessions`, a run has four fifths of them.
    private static func bar(_ form: AnswerSounds.Form) -> Int { form == .pcm ? 380 : 560 }

    /// - Parameter words: `--sessions N`, `--minutes M`, `--ramp SECONDS` (the time over which the candidates arrive),
    ///   `--sound pcm` or `opus`, `--storm N` (this many more candidates open an exam within ten seconds, halfway, and
    ///   leave again), `--postgres` (with its own PostgreSQL on this machine, whose transactions are counted but not
    ///   its CPU).
    init(top: String, work: String, _ words: [String] = []) {
        self.top = top
        self.work = work
        var words = words[...]
        while let option = words.popFirst() {
            if option == "--postgres" {
                isPostgres = true
                continue
            }
            let word = words.popFirst() ?? ""
            if option == "--sound" {
                guard let form = AnswerSounds.Form(rawValue: word) else { Self.usage() }
                forms = [form]
                continue
            }
            guard let value = Double(word), value > 0 else { Self.usage() }
            switch option {
            case "--sessions": sessions = Int(value)
            case "--minutes": minutes = value
            case "--ramp": ramp = value
            case "--storm": stormers = Int(value)
            default: Self.usage()
            }
        }
    }

    private static func usage() -> Never {
        fail(
            "server [--sound pcm|opus] [--sessions N] [--minutes M] [--ramp SECONDS] [--storm N] [--postgres]", code: 64
        )
    }

    func measure() throws {
        for form in forms { try measure(form) }
    }

    private func measure(_ form: AnswerSounds.Form) throws {
        signal(SIGPIPE, SIG_IGN)
        let sessions = sessions ?? Self.bar(form) * 4 / 5
        let work = "\(work)/server-\(form.rawValue)"
        let sounds = try AnswerSounds(folder: top + "/AudioFixtures/answers", as: form)
        let postgres = isPostgres ? try PostgresServer.startAndWait(isDurable: true) : nil
        let server = try ServerProcess(
            built + "/oracy-server", folder: work, prompts: top + "/AudioFixtures/prompts",
            database: try postgres.map { try $0.makeDatabaseAndWait() })
        func commits() throws -> Double {
            try postgres.flatMap {
                Double(try $0.executeAndWait("SELECT sum(xact_commit) FROM pg_stat_database", in: "postgres"))
            } ?? 0
        }
        let idle = server.memory
        let tally = LoadTally()
        let client = LoadClient(tally: tally)
        client.sitDown(sessions, within: ramp, to: server.port, saying: sounds)

        let storedBefore = Set(server.recordings())
        let (before, commitsBefore) = (Reading(server), try commits())
        tally.isMeasuring = true
        client.run(for: minutes * 30)
        let (memory, usual) = (server.memory, Reading(server))
        var stormy = usual
        if stormers > 0 {
            client.come(
                sessions..<(sessions + stormers), within: 10, to: server.port, saying: sounds)
            stormy = Reading(server)
            client.run(for: 5)
            client.leave(stormers)
        }
        client.run(for: minutes * 30)
        tally.isMeasuring = false
        let (after, committed) = (Reading(server), try commits() - commitsBefore)
        let stored = server.recordings().filter { !storedBefore.contains($0) }
        let peak = server.peakMemory
        // Candidates keep sending until the ended answers are stored, because an exam without sound stands still.
        let (ended, calm) = (tally.endedAnswers, clockNow())
        while server.recordings().count < ended, clockNow() < calm + 60 { client.run(for: 1) }
        let (arrived, took) = (server.recordings().count, clockNow() - calm)
        let losses = server.losses()
        client.settle()
        let (heard, lost) = (
            server.metrics()["oracy_heard_blocks_total"] ?? 0, server.metrics()["oracy_lost_blocks_total"] ?? 0
        )
        server.stop()
        let codec = try CodecAlone(server.recordings(), most: 300, sounds: sounds, work: work)
        func alone(_ cost: () throws -> Double) rethrows -> Spread {
            Spread(figures: try (0..<5).map { _ in try cost() })
        }

        let kind = form == .pcm ? "samples (PCM)" : "packets (Opus)"
        section("\(sessions) live exams at once on \(kind), \(decimal(minutes, 1)) minutes in real time")
        let span = after.at - before.at
        let sessionSeconds = Double(tally.measuredBlocks) / 50
        let cost = (after.server - before.server) / sessionSeconds
        let recorded = stored.reduce(0) { $0 + Self.seconds(ofRecording: $1) } / sessionSeconds
        let (encoding, decoding) = (try alone(codec.encoding), try alone(codec.decoding))
        let bound = form == .pcm ? encoding.median * recorded : decoding.median
        print("  the server's CPU                \(decimal(cost * 1000, 2)) ms a session-second")
        print("  sessions a core                 \(decimal(1 / cost, 0))   bar: \(Self.bar(form))")
        print("  encoding alone                  \(encoding.text("ms", scale: 1000, places: 2)) a second of sound")
        print(
            "  the same by libsndfile          \(decimal(try codec.encodingByLibsndfile() * 1000, 2)) ms, as it was before"
        )
        print("  decoding alone                  \(decoding.text("ms", scale: 1000, places: 2)) a second of sound")
        print("  answers stored                  \(stored.count): \(decimal(recorded * 100, 0)) % of the time")
        print("  the codec alone                 \(decimal(bound * 1000, 2)) ms a session-second")
        print("  the server beside it            \(decimal(cost / bound, 2)) ×")
        print(
            "  beside the codec                \(decimal((cost - bound) * 1000, 2)) ms a session-second   bar: 0.8 ms")
        print("a block's arrival to its event")
        let way = usual.blockToEvent.since(before.blockToEvent)
        print("  by the server's own account     \(way.text)   bar: 20 ms at p99")
        if stormers > 0 {
            print("  while \(stormers) exams are opened     \(stormy.blockToEvent.since(usual.blockToEvent).text)")
        }
        print("  sent to read, by its client     \(Self.quantiles(tally.ways)), \(tally.ways.count) events")
        if isPostgres {
            print("PostgreSQL")
            print("  transactions                    \(decimal(committed / sessionSeconds, 3)) a session-second")
        }
        print("memory")
        let each = (memory - idle) / Double(sessions)
        print("  a session                       \(decimal(each, 2)) MB   bar: 0.30 MB")
        print("  idle, under load, at most       \(decimal(idle, 0)), \(decimal(memory, 0)), \(decimal(peak, 0)) MB")
        print("sound")
        print(
            "  up                              \(decimal(Double(tally.measuredBytes) / sessionSeconds / 1000, 2)) kB a session-second",
            form == .opus ? "  bar: 4.6 kB" : "")
        print("  blocks sent, heard              \(tally.sentBlocks), \(Int(heard))")
        print("  lost, by count and by logs      \(Int(lost)), \(losses)   bar: 0")
        print(
            "  from an answer's end to stored  \(Self.quantiles(tally.storing)), \(tally.storing.count) answers   bar: 60 s"
        )
        print("  answers ended, and files        \(ended), \(arrived), \(decimal(took, 0)) s after the last was said")
        for (trouble, count) in tally.troubles.sorted(by: { $0.key < $1.key }) { print("  \(trouble): \(count)") }
        for (outcome, count) in tally.examsOver.sorted(by: { $0.key < $1.key }) {
            print("  exams \(outcome): \(count)")
        }
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
