import ExamCore
import ExamKit
import Foundation
import Glibc
import SessionFolders
import Synchronization
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

/// Kills at random moments (`kill -9`; two hundred in `make check`), after each of which the session is resumed.
@Suite(
    .serialized,
    .needs(SoundServer.Kind.pulseAudio.obstacle))
struct KilledAtRandom {
    /// The number of exams at a time. On two cores, a debug build keeps up with the sound of this many.
    private static let lanes = 6
    private static let kills = Thoroughness.count(6, check: 200)
    /// The most seconds of sound that a kill may lose: 240 ms that are collected before they are written, a fragment of
    /// 20 ms from the microphone, and another on its way from the server. The rest is the tool's wait for a processor,
    /// on a machine that holds seven exams. The median kill must lose no more than the first three.
    private static let mostMissing = (usually: 0.28, ever: 0.6)

    @Test(.endsIfItHangs) func everyAnswerIsThereAfterAnyKill() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seed = Thoroughness.seed(repeated: ProcessInfo.processInfo.environment["ORACY_SEED"])
        let tally = Tally(kills: Self.kills)
        let began = SteadyClock.now
        let lanes = try (1...Self.lanes).map { number in
            let seated = try ToolSeat(server, server.addSeat("lane\(number)"), home: home.path + "/lane\(number)")
            return Lane(seated: seated, dice: SplitMix64(seed: seed &+ UInt64(number) &* 7_919), tally: tally)
        }
        await withTaskGroup { group in
            for lane in lanes { group.addTask { await lane.hold() } }
        }
        let counts = tally.counts
        let missing = counts.missing.sorted()
        print("seed \(seed): \(counts.kills) kills in \(SteadyClock.now - began), \(counts.exams) exams completed")
        print("killed while: \(counts.phases.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" })")
        print("missing of \(missing.count) open takes: median \(missing.median) s, most \(missing.last ?? 0) s")
        #expect(counts.problems == [], "ORACY_SEED=\(seed)")
        #expect(counts.kills >= Self.kills)
        #expect(missing.last ?? 0 <= Self.mostMissing.ever)
        // A few kills need not meet every phase.
        if Thoroughness.isCheck {
            for phase in ["before its log", "speaking", "hearing", "gap", "processing"] {
                #expect(counts.phases[phase] != nil, "no kill met \(phase): ORACY_SEED=\(seed)")
            }
            #expect(missing.count > 20)
            #expect(missing.median <= Self.mostMissing.usually)
        }
    }
}

extension [Double] {
    /// The median of sorted numbers.
    fileprivate var median: Double { isEmpty ? 0 : self[count / 2] }
}

/// The findings of all lanes.
private final class Tally: Sendable {
    struct Counts {
        var kills = 0
        var exams = 0
        var phases: [String: Int] = [:]
        var missing: [Double] = []
        var problems: [String] = []
    }

    private let state = Mutex(Counts())
    private let most: Int

    init(kills: Int) { most = kills }

    var counts: Counts { state.withLock { $0 } }
    var isFull: Bool { state.withLock { $0.kills >= most } }
    func note(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
}

extension SplitMix64 {
    fileprivate mutating func seconds(_ span: ClosedRange<Double>) -> Double { .random(in: span, using: &self) }
}

/// The moment of a kill: some time after the start, or after a new line of the log with these words.
private struct Moment {
    var words: String?
    var seconds: Double

    /// - Parameter isNew: Whether the session is new. Making it takes a tenth of a second.
    init(_ dice: inout SplitMix64, isNew: Bool) {
        if isNew && Bool.random(using: &dice) {
            self.init(nil, dice.seconds(0...0.3))
            return
        }
        switch UInt64.random(in: 0..<10, using: &dice) {
        case 0..<2: self.init(nil, dice.seconds(0...0.5))
        case 2: self.init(nil, dice.seconds(0...1.6))
        case 3: self.init(nil, dice.seconds(0...5))
        case 4..<6: self.init("openTake ", dice.seconds(0...1.6))
        case 6: self.init("\"phase\":\"preparing ", dice.seconds(0...1))
        // Encoding takes some ten milliseconds, and so do the steps after the last word.
        case 7: self.init("closeTake ", dice.seconds(0...0.12))
        default: self.init("\"phase\":\"processing ", dice.seconds(0...0.06))
        }
    }

    private init(_ words: String?, _ seconds: Double) {
        self.words = words
        self.seconds = seconds
    }

    /// The longest wait for a line.
    static let longest = Duration.seconds(7)
}

/// Holds one exam after another at one seat, and kills each several times, until there are enough kills.
private final class Lane: @unchecked Sendable {
    private var seated: ToolSeat
    private var dice: SplitMix64
    private let tally: Tally
    private var exams = 0
    private var committed: [StoredSession.Committed] = []

    init(seated: ToolSeat, dice: SplitMix64, tally: Tally) {
        self.seated = seated
        self.dice = dice
        self.tally = tally
    }

    private enum Ending {
        case killed
        case ended(Int32)
    }

    /// Runs on a thread of its own, because it waits for moments and looks often.
    func hold() async {
        await withCheckedContinuation { done in
            Thread.detachNewThread { [self] in
                do {
                    while !tally.isFull { try holdOne() }
                } catch {
                    let log = seated.log.suffix(12).joined(separator: "\n")
                    tally.note { $0.problems.append("\(seated.folder.path), exam \(exams): \(error)\n\(log)") }
                }
                done.resume()
            }
        }
    }

    private func holdOne() throws {
        exams += 1
        seated = seated.with(session: "\(seated.home)/exam\(exams)")
        committed = []
        let part = [nil, 1, 2, 3].randomElement(using: &dice)!
        let scenario = try PocketExam.scenario
        let options = ExamOptions(mode: .practice, part: part)
        guard let script = ExamScript.assemble(scenario.format, scenario.paper, options: options).script else { return }
        let stored = StoredSession(folder: seated.folder, script: script)
        let candidate = seated.candidate()
        defer { candidate.leave() }
        var silentServer = 0
        while true {
            // A session that was killed before its exam was written begins again in the same folder.
            let hasBegun = access(seated.folder.exam, F_OK) == 0
            let arguments = part.map { ["--part", "\($0)"] } ?? []
            let tool = try hasBegun ? seated.resume() : seated.run(arguments)
            switch watch(tool, until: tally.isFull ? nil : Moment(&dice, isNew: !hasBegun)) {
            case .ended(0):
                try stored.checkCompleted(script.questions, after: committed)
                return tally.note { $0.exams += 1 }
            case .ended(69) where silentServer < 3:
                silentServer += 1  // A busy machine: no microphone within two seconds.
                print("not available: \(tool.complaints)")
            case .ended(let code):
                throw StoredSession.Broken("ended with \(code): \(tool.complaints)")
            case .killed:
                if access(seated.folder.exam, F_OK) != 0 {
                    guard stored.names("/takes").isEmpty else { throw StoredSession.Broken("takes of no exam") }
                } else if access(seated.folder.log, F_OK) == 0 {
                    committed = try stored.check(after: committed)
                    guard access(seated.folder.manifest, F_OK) != 0 else {
                        try stored.checkCompleted(script.questions, after: committed)
                        return tally.note { $0.exams += 1 }
                    }
                }
            }
        }
    }

    /// Waits for the moment, and kills the tool.
    private func watch(_ tool: BreakableTool, until moment: Moment?) -> Ending {
        let began = SteadyClock.now
        var due = moment.flatMap { $0.words == nil ? began + .milliseconds(Int($0.seconds * 1000)) : nil }
        let limit = moment == nil ? Duration.seconds(120) : Moment.longest
        let before = seated.log.count
        var size: off_t = -1
        /// The take that is open, and the time at which this test first saw it.
        var open: (file: String, since: Duration)?
        while true {
            usleep(2_000)
            if let code = tool.code { return .ended(code) }
            let now = SteadyClock.now
            if now >= due ?? began + limit { break }
            var status = stat()
            guard stat(seated.folder.log, &status) == 0, status.st_size != size else { continue }
            size = status.st_size
            let lines = seated.log.dropFirst(before)
            if let words = moment?.words, due == nil, lines.contains(where: { $0.contains(words) }) {
                due = now + .milliseconds(Int(moment!.seconds * 1000))
            }
            guard let last = lines.last(where: { $0.contains("Take ") }), let place = last.range(of: "\"openTake ")
            else {
                open = nil
                continue
            }
            let file = "takes/\(last[place.upperBound...].prefix { $0 != "\"" }).wav"
            if open?.file != file { open = (file, now) }
        }
        let killed = SteadyClock.now
        tool.kill()
        note(killed, open)
        return moment == nil ? .ended(-1) : .killed
    }

    private func note(_ killed: Duration, _ open: (file: String, since: Duration)?) {
        let last = seated.log.last { $0.hasSuffix("}") }
        let phase = last.flatMap { $0.range(of: "\"phase\":\"").map { place in last![place.upperBound...] } }
        var missing: Double?
        // The log may have more lines by now than before the kill.
        if let open, seated.log.last(where: { $0.contains("Take ") })?.contains("openTake") == true {
            let bytes = FileManager.default.contents(atPath: "\(seated.folder.path)/\(open.file)")?.count ?? 0
            missing = Double((killed - open.since).milliseconds) / 1000 - Double(max(0, bytes - 44)) / 32_000
        }
        tally.note { counts in
            counts.kills += 1
            counts.phases[phase.map { String($0.prefix { $0 != " " }) } ?? "before its log", default: 0] += 1
            if let missing { counts.missing.append(missing) }
        }
    }
}

extension ExamScript {
    /// The questions with answers, in order.
    var questions: [String] { turns.filter { $0.answer != nil }.map(\.id) }
}
