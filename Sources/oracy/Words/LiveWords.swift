import Assessment
import Assessors
import ExamCore
import ExamKit
import HTTPClient
import Hearing
import SessionFolders
import StudyFolders
import Synchronization
import SystemSupport

/// Writes down answers during an exam, while the next question is asked. The exam never waits for it, and no failure
/// here can end an exam.
///
/// An answer that is not written down at the end of the exam is written down by `oracy assess`.
final class LiveWords: Sendable {
    private let recogniser: HeardHere
    private let home: AssessorsHome
    /// The time to wait at the end of an exam.
    private let lastWait: Duration

    private struct State {
        var folder: SessionFolder?
        var memory: SessionCallMemory?
        var known: [AssessorFinding] = []
        /// The texts to read aloud or to repeat, by their questions' ids.
        var texts: [String: SentenceToSay] = [:]
        /// The number of answers that came. `done` counts those that are finished.
        var count = 0
        var done = 0
        var hearing: Task<Void, Never>?
        var problem: String?
    }

    private let state = Mutex(State())
    private let takes: AsyncStream<StoredTake>
    private let incoming: AsyncStream<StoredTake>.Continuation

    /// - Returns: nil if no recogniser is installed on this machine, or if the user's settings use another one.
    static func prepare(_ home: AssessorsHome = AssessorsHome()) -> LiveWords? {
        guard let seats = try? home.seats() else { return nil }
        return seats.lazy.compactMap { $0.assessor as? HeardHere }.first.map { LiveWords($0, home) }
    }

    init(_ recogniser: HeardHere, _ home: AssessorsHome, lastWait: Duration = .seconds(20)) {
        self.recogniser = recogniser
        self.home = home
        self.lastWait = lastWait
        (takes, incoming) = AsyncStream.makeStream()
    }

    /// Begins with a session whose `exam.json` exists.
    func begin(_ folder: SessionFolder) {
        do throws(Problem) {
            let memory = try SessionCallMemory(folder, budget: home.settings().budget, spending: home.spending)
            let known = try folder.readFindings()
            let texts = try folder.sentences()
            state.withLock { ($0.folder, $0.memory, $0.known, $0.texts) = (folder, memory, known, texts) }
        } catch {
            note(error.sentence)
            return
        }
        let hearing = Task(priority: .background) {
            for await take in takes {
                if Task.isCancelled { return }
                if await hear(take) { state.withLock { $0.done += 1 } }
            }
        }
        state.withLock { $0.hearing = hearing }
    }

    /// Adds a stored answer. Called on the encoder's thread.
    @Sendable func add(_ take: StoredTake) {
        guard take.record.counts else { return }
        state.withLock { $0.count += 1 }
        incoming.yield(take)
    }

    /// Ends with the exam: waits a while for the last answers.
    ///
    /// - Parameter tell: receives a line before the wait, if answers are still missing.
    /// - Returns: the line for the summary; nil if there was nothing to write down.
    func finish(_ tell: (String) -> Void) async -> String? {
        incoming.finish()
        let (hearing, count, done) = state.withLock { ($0.hearing, $0.count, $0.done) }
        guard let hearing, count > 0 else { return nil }
        if done < count { tell("Writing down your answers: \(done) of \(count) so far") }
        let end = Task {
            try await Task.sleep(for: lastWait)
            hearing.cancel()
        }
        await hearing.value
        end.cancel()
        // Another program may continue from here.
        let (written, problem) = state.withLock { state in
            state.memory = nil
            return (state.done, state.problem)
        }
        let rest = count - written
        if let problem { return "words    \(problem); to write them down: oracy assess last" }
        if rest > 0 {
            return "words    \(written) of \(count) answers are written down; for the rest: oracy assess last"
        }
        return "words    \(count.of("answer")) written down on this machine; to read them: oracy results last"
    }

    /// - Returns: whether the answer is written down, or will never be.
    private func hear(_ take: StoredTake) async -> Bool {
        let (folder, memory, known, texts) = state.withLock { ($0.folder, $0.memory, $0.known, $0.texts) }
        guard let folder, let memory else { return false }
        do {
            let path = "\(folder.path)/\(take.file)"
            let sound = try RecordingMeasure.measure(path, leadIn: take.record.leadIn)
            let answer = AnswerToAssess(
                record: take.record, recording: take.sha256, path: path, sound: sound,
                textToSay: texts[take.record.question]?.text)
            guard let answer else { return true }
            let gaps = try await AnswerAssessing([.init(recogniser)], memory: memory, consents: []).assess(
                answer, known: known
            ) { try folder.keep($0) }
            if let gap = gaps.first, gap.failure.kind != .cancelled { note(gap.failure.sentence) }
            return gaps.isEmpty
        } catch {
            note("\(take.record.name) cannot be read")
            return false
        }
    }

    /// Collects a problem for the end of the exam.
    private func note(_ sentence: String) { state.withLock { $0.problem = $0.problem ?? sentence } }
}
