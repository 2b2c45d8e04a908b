import Foundation
import Glibc

/// Measures a server whose recogniser has much to do: 50 exams end at once while 50 others run, in real time, over
/// WebSocket.
///
/// Three runs, each with a new server: without words; with a recogniser that replays, and computes about as long as the
/// real one; and with the real one, if `ORACY_WORDS` names its folder. The running exams must not notice. The ended ones
/// must get their words in the order of their ends.
struct WordsLoad {
    private static let sitting = 50
    /// The exam that ends: four answers, a minute and a quarter.
    private static let exam = LiveCandidate.Exam(format: "short", paper: "few", isOnly: true)
    /// The seconds of processor time that the replaying recogniser uses for a second of sound. The real one uses 0.15 on
    /// an idle machine, and more for short pieces.
    private static let cost = 0.2
    /// The seconds for which the exams that run are measured at least, from the end of the others.
    private static let least = 60.0
    private static let most = 900.0

    private enum Words {
        case none, replayed
        case real(String)
    }

    private let top: String
    private let work: String
    private var ending = 50
    private var isOnlyReal = false

    /// - Parameter words: `--ending N` (so many exams end), `--real` (only the run with the real recogniser).
    init(top: String, work: String, _ words: [String] = []) {
        self.top = top
        self.work = work + "/words"
        var words = words[...]
        while let option = words.popFirst() {
            switch option {
            case "--real": isOnlyReal = true
            case "--ending":
                guard let count = words.popFirst().flatMap({ Int($0) }), count > 0 else { Self.usage() }
                ending = count
            default: Self.usage()
            }
        }
    }

    private static func usage() -> Never { fail("words [--ending N] [--real]", code: 64) }

    func measure() throws {
        signal(SIGPIPE, SIG_IGN)
        let sounds = try AnswerSounds(folder: top + "/AudioFixtures/answers", as: .opus)
        section("\(ending) exams end at once, and are written down, while \(Self.sitting) run")
        var kinds: [(name: String, words: Words)] =
            isOnlyReal ? [] : [("without words", .none), ("a replayed recogniser", .replayed)]
        if let folder = ProcessInfo.processInfo.environment["ORACY_WORDS"] {
            kinds.append(("the real recogniser", .real(folder)))
        } else {
            print("The real recogniser is not measured: ORACY_WORDS names no folder.")
        }
        for (number, kind) in kinds.enumerated() {
            print(kind.name)
            try measure(kind.words, in: "\(work)-\(number)", saying: sounds)
        }
    }

    private func measure(_ words: Words, in folder: String, saying sounds: AnswerSounds) throws {
        let server = try server(words, in: folder)
        let tally = LoadTally()
        let client = LoadClient(tally: tally)
        client.sitDown(Self.sitting, within: 15, to: server.port, saying: sounds)
        client.come(
            Self.sitting..<(Self.sitting + ending), within: 2, to: server.port, saying: sounds,
            sitting: Self.exam)
        var log = EvaluationLog()
        // The first of them ends.
        wait(for: client, atMost: 300) {
            log.read(server.complaints)
            return !log.ended.isEmpty
        }
        let before = Reading(server)
        tally.isMeasuring = true
        client.run(for: Self.least)
        wait(for: client, atMost: Self.most) {
            log.read(server.complaints)
            return log.done.count >= ending
        }
        let after = Reading(server)
        tally.isMeasuring = false
        client.settle()
        let (losses, metrics) = (server.losses(), server.metrics())
        server.stop()
        report(tally, log, before, after)
        print("  lost frames, by logs              \(losses)   bar: 0")
        if let spent = metrics["oracy_words_seconds_total"], spent > 0 {
            print("  the recogniser's CPU              \(decimal(spent, 0)) s")
        }
    }

    private func wait(for client: LoadClient, atMost seconds: Double, until isDone: () -> Bool) {
        let end = clockNow() + seconds
        while !isDone() {
            guard clockNow() < end else { fail("the exams were not written down within \(Int(seconds)) s") }
            client.run(for: 1)
        }
    }

    private func report(_ tally: LoadTally, _ log: EvaluationLog, _ before: Reading, _ after: Reading) {
        print(
            "  a block's arrival to its event    \(after.blockToEvent.since(before.blockToEvent).text)   bar: 20 ms at p99"
        )
        print("  sent to read, by its client       \(ServerLoad.quantiles(tally.ways)), \(tally.ways.count) events")
        let ends = log.ended.map(\.at).sorted()
        let dones = log.done.map(\.at).sorted()
        if let first = ends.first, let last = ends.last, let done = dones.last {
            print(
                "  \(ends.count) exams ended within            \(decimal(last - first, 1)) s,",
                "and all were evaluated \(decimal(done - last, 1)) s later")
        }
        print("  exams evaluated before an earlier \(log.overtaking)   bar: 0")
        let waits = log.waits
        print(
            "  from an exam's end to its words   p50 \(decimal(quantile(0.5, of: waits), 1)),",
            "max \(decimal(waits.max() ?? .nan, 1)) s")
        let (busy, idle, stolen) = after.machine.shares(since: before.machine)
        print(
            "  the machine meanwhile             busy \(decimal(busy, 0)) %, idle \(decimal(idle, 0)) %,",
            "stolen \(decimal(stolen, 1)) %; clients speak late by \(ServerLoad.quantiles(tally.lateness))")
    }

    private func server(_ words: Words, in folder: String) throws -> ServerProcess {
        var environment: [String: String] = [:]
        let place: String
        switch words {
        case .none: place = "off"
        case .replayed:
            place = folder + "-replayed"
            environment["ORACY_WORDS_PROGRAM"] = built + "/words-replay"
            try Self.makeReplayed(in: place)
        case .real(let folder): place = folder
        }
        return try ServerProcess(
            built + "/oracy-server", folder: folder, prompts: top + "/AudioFixtures/prompts",
            options: ["--words", place, "--exams", top + "/Tests/ExamServerTests/Page/exams"],
            environment: environment)
    }

    /// Makes the folder of an installation whose model is a script for `words-replay`.
    private static func makeReplayed(in folder: String) throws {
        let contents = [
            "installed.json": "{}", "library/libwhisper.so.1.8.5": "",
            "model/ggml-replayed.bin": "work \(cost) I like it because it is quiet\n",
        ]
        for (name, text) in contents {
            let path = "\(folder)/\(name)"
            try files.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}

/// The ends of exams and of their evaluations, from a server's log.
struct EvaluationLog {
    /// An event of a session.
    struct Event {
        var session: String
        /// Seconds on the clock of the log.
        var at: Double
    }

    private(set) var ended: [Event] = []
    private(set) var done: [Event] = []
    private var readBytes = 0

    /// Reads the lines that came since the last time.
    mutating func read(_ log: String) {
        let new = log.utf8.dropFirst(readBytes)
        guard let end = new.lastIndex(of: UInt8(ascii: "\n")) else { return }
        readBytes += new.distance(from: new.startIndex, to: end) + 1
        for line in (Substring(new[..<end])).split(separator: "\n") {
            // TIME LEVEL MESSAGE session=ID …
            if line.contains(" info exam stored session=") {
                ended.append(Self.event(line))
            } else if line.contains(" info evaluation done session=") {
                done.append(Self.event(line))
            }
        }
    }

    private static func event(_ line: Substring) -> Event {
        let words = line.split(separator: " ")
        let session = words.first { $0.hasPrefix("session=") }.map { $0.dropFirst("session=".count) } ?? ""
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let time = words.first.flatMap({ try? style.parse(String($0)) }) else { fail("a line without a time") }
        return Event(session: String(session), at: time.timeIntervalSince1970)
    }

    /// For each exam, the seconds from its end to the end of its evaluation.
    var waits: [Double] {
        let ends = Dictionary(ended.map { ($0.session, $0.at) }) { first, _ in first }
        return done.compactMap { event in ends[event.session].map { event.at - $0 } }
    }

    /// The number of exams that were evaluated before one that had ended a tenth of a second or more before them.
    var overtaking: Int {
        let ends = Dictionary(ended.map { ($0.session, $0.at) }) { first, _ in first }
        let order = done.compactMap { ends[$0.session] }
        return order.indices.count { index in order[(index + 1)...].contains { $0 < order[index] - 0.1 } }
    }
}
