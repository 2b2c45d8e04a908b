package import HTTPClient
package import HearingWorker
import Synchronization
import SystemSupport

/// Hears words on this machine, one piece at a time. It starts a worker if there are pieces to hear, and ends it when
/// there are none.
///
/// Parties take turns after each piece, so that no party waits while an hour of another party's sound is heard. If a
/// worker dies, the piece is tried once more in a new one. If that one dies too, this piece is given up, and the next
/// one is heard.
package final class Hearer: PieceHearing {
    /// Limits of a worker. Tests have others.
    package struct Limits: Sendable {
        /// Seconds of wall-clock time for a request. A piece takes two on a free machine.
        package var seconds = 360.0
        /// Megabytes of memory after which a worker is replaced by a new one.
        package var megabytes = 300
        /// The time without a piece after which the worker ends. A new one loads its model in a tenth of a second.
        package var idle = Duration.seconds(20)

        package init() {}
    }

    /// Counts for metrics.
    package struct Counts: Equatable, Sendable {
        package var heard = 0
        package var died = 0
        package var timedOut = 0
        package var processorSeconds = 0.0

        package init() {}
    }

    private let files: WordsFiles
    private let program: String?
    private let limits: Limits
    private let desk = FairDesk<String>(places: 1, mostEach: 1)
    private let threads = BlockingThreads(named: "words", count: 1)
    private let features: ProcessorFeatures
    private let waits: @Sendable () -> Void

    private struct State {
        var process: HearingProcess?
        var lock: ModelLock?
        var lastID = 0
        /// Workers that died since the last reply.
        var deaths = 0
        /// Whether a piece was ever heard, so that a death is the piece's fault.
        var works = false
        /// The reason why nothing can be heard on this machine, for the rest of this process' life.
        var unusable: String?
        /// Increases with each piece, so that an old timer doesn't end a worker.
        var uses = 0
        var counts = Counts()
    }

    private let state = Mutex(State())

    /// The workers that may die in a row before the recogniser is left alone for now.
    private static let mostDeaths = 3

    /// - Parameters:
    ///   - program: the path of `oracy-words`; nil if it is missing.
    ///   - features: this machine's processor. Tests have others.
    ///   - waits: called if another process uses the model, so that this one must wait.
    package init(
        _ files: WordsFiles, program: String? = WordsProgram.find(), limits: Limits = Limits(),
        features: ProcessorFeatures = .ofThisMachine, waits: @escaping @Sendable () -> Void = {}
    ) {
        self.files = files
        self.program = program
        self.limits = limits
        self.features = features
        self.waits = waits
    }

    package var version: String {
        "\(files.modelName) whisper/\(files.libraryVersion)\(hasPhones ? " phones" : "")"
    }

    package var hasPhones: Bool { files.start.phones != nil }

    package var counts: Counts { state.withLock { $0.counts } }

    /// The numbers of waiting and running pieces.
    package var queue: (waiting: Int, running: Int) { desk.counts }

    /// The id of the worker process while it exists.
    package var processID: Int32? { state.withLock { $0.process?.id } }

    package func hear(
        _ piece: PieceToHear, aligning words: @escaping @Sendable (HearingReply.Heard) -> [[Int]]?
    ) async throws(ServiceFailure) -> PieceReply {
        do {
            return try await desk.run(for: piece.party, weight: piece.weight) {
                defer { scheduleEnd() }
                return try await attempt(piece, words)
            }
        } catch let failure as ServiceFailure {
            throw failure
        } catch {
            throw ServiceFailure(.cancelled, "words: cancelled")
        }
    }

    /// Ends the worker, if there is one.
    package func end() async {
        let process = state.withLock { state in
            defer { (state.process, state.lock) = (nil, nil) }
            return state.process
        }
        if let process { await runBlocking(on: threads) { process.end() } }
    }

    private func attempt(
        _ piece: PieceToHear, _ words: @escaping @Sendable (HearingReply.Heard) -> [[Int]]?
    ) async throws -> PieceReply {
        for attempt in 1...2 {
            let process = try await worker()
            do throws(HearingProcess.End) {
                let reply = try await ask(process, piece, words)
                state.withLock { state in
                    (state.deaths, state.works) = (0, true)
                    state.counts.heard += 1
                    state.counts.processorSeconds +=
                        (reply.heard?.processorSeconds ?? 0) + (reply.aligned?.processorSeconds ?? 0)
                }
                if (reply.heard?.residentMegabytes ?? 0) > limits.megabytes { await end() }
                return reply
            } catch {
                await end()
                try Task.checkCancellation()
                let isLast = attempt == 2
                if let failure = failure(after: error, isLast: isLast) { throw failure }
                if isLast { return PieceReply(failure: "the recogniser stopped twice on this part") }
            }
        }
        preconditionFailure("the second attempt returns or throws")
    }

    private func ask(
        _ process: HearingProcess, _ piece: PieceToHear,
        _ words: @escaping @Sendable (HearingReply.Heard) -> [[Int]]?
    ) async throws(HearingProcess.End) -> PieceReply {
        let id = state.withLock { state in
            state.lastID += 2
            return state.lastID
        }
        let seconds = limits.seconds
        let request = HearingRequest.Hear(
            id: id, samples: piece.samples.count, language: piece.language, passes: [.plain, .verbatim],
            mostTokens: piece.mostTokens)
        let result = await withTaskCancellationHandler {
            await runBlocking(on: threads) {
                Result { () throws(HearingProcess.End) in
                    let heard = try process.hear(request, piece.samples, seconds: seconds)
                    // Align even without words: the phones of the piece are in the same reply.
                    guard process.ready.hasPhones, let phones = words(heard) else { return PieceReply(heard: heard) }
                    let aligned = try process.align(.init(id: id + 1, words: phones), seconds: seconds)
                    return PieceReply(heard: heard, aligned: aligned)
                }
            }
        } onCancel: {
            process.kill()
        }
        return try result.get()
    }

    /// Returns the failure to report after a worker's end. Nil if the piece may be tried again, or only the piece is
    /// given up.
    private func failure(after end: HearingProcess.End, isLast: Bool) -> ServiceFailure? {
        state.withLock { state in
            switch end {
            case .wrongProcessor:
                let why = "words: this processor lacks an instruction that the recogniser needs"
                state.unusable = why
                return ServiceFailure(.setUp, why)
            case .timedOut: state.counts.timedOut += 1
            case .died, .unusable, .unstarted: state.counts.died += 1
            }
            state.deaths += 1
            if state.deaths >= Self.mostDeaths {
                // The next piece may try again.
                state.deaths = 0
                return ServiceFailure(
                    .later(nil), "words: the recogniser stopped \(Self.mostDeaths) times; try again later")
            }
            guard isLast, !state.works else { return nil }
            return ServiceFailure(.later(nil), "words: the recogniser stopped twice; try again later")
        }
    }

    /// Returns the worker, and starts one if necessary.
    private func worker() async throws -> HearingProcess {
        let (known, unusable) = state.withLock { state in
            state.uses += 1
            return (state.process, state.unusable)
        }
        if let unusable { throw ServiceFailure(.setUp, unusable) }
        if let known { return known }
        let missing = features.missing(of: files.neededFeatures)
        guard missing.isEmpty else {
            throw ServiceFailure(
                .setUp, "words: this processor has no \(missing.joined(separator: ", ")), which the recogniser needs")
        }
        guard let program else { throw ServiceFailure(.setUp, "words: oracy-words is missing; install Oracy again") }
        let lock: ModelLock
        do {
            lock = try await ModelLock.obtain(files.lock, isWaiting: waits)
        } catch let problem as Problem {
            throw ServiceFailure(.setUp, "words: \(problem.sentence)")
        }
        let (start, seconds) = (files.start, limits.seconds)
        let result = await runBlocking(on: threads) {
            Result { () throws(HearingProcess.End) in try HearingProcess(program, start, seconds: seconds) }
        }
        switch result {
        case .success(let process):
            state.withLock { ($0.process, $0.lock) = (process, lock) }
            return process
        case .failure(.unusable(let why)):
            throw ServiceFailure(.setUp, "words: the \(why.what.rawValue) cannot be used: \(why.why)")
        case .failure(.unstarted): throw ServiceFailure(.setUp, "words: \(program) cannot be started")
        case .failure(.wrongProcessor):
            throw failure(after: .wrongProcessor, isLast: true) ?? ServiceFailure(.setUp, "words: cannot be used here")
        case .failure(let end):
            throw failure(after: end, isLast: true)
                ?? ServiceFailure(.later(nil), "words: the recogniser stopped while it was started; try again later")
        }
    }

    /// Ends the worker if no further piece comes soon.
    private func scheduleEnd() {
        let uses = state.withLock { $0.uses }
        let idle = limits.idle
        Task { [weak self] in
            try? await Task.sleep(for: idle)
            await self?.end(ifUsed: uses)
        }
    }

    /// Ends the worker, unless it was used again since. A piece that comes now gets a new one.
    private func end(ifUsed uses: Int) async {
        let process = state.withLock { state -> HearingProcess? in
            guard state.uses == uses else { return nil }
            defer { (state.process, state.lock) = (nil, nil) }
            return state.process
        }
        if let process { await runBlocking(on: threads) { process.end() } }
    }
}
