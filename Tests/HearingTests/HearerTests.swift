import Foundation
import HTTPClient
import Hearing
import HearingWorker
import Synchronization
import TestSupport
import Testing

/// Tests of a recogniser's worker that crashes, hangs, floods or is killed: each piece is heard or refused once.
@Suite(.endsIfItHangs) struct HearerTests {
    private func words(_ reply: PieceReply) -> [String]? { reply.heard?.passes.map(\.text) }

    private func hear(_ hearer: Hearer, _ number: Int16 = 1) async throws -> PieceReply {
        try await hearer.hear(PieceToHear(number)) { _ in nil }
    }

    private func failure(of hearer: Hearer) async -> ServiceFailure? {
        do throws(ServiceFailure) {
            _ = try await hearer.hear(PieceToHear(1)) { _ in nil }
            return nil
        } catch {
            return error
        }
    }

    @Test func aPieceIsHeardInTwoPasses() async throws {
        let worker = try ReplayedWorker("say I think so | Um, I think so")
        let hearer = worker.hearer()
        let reply = try await hearer.hear(PieceToHear(7, seconds: 14)) { _ in nil }
        #expect(words(reply) == ["I think so", "Um, I think so"] && reply.aligned == nil && reply.failure == nil)
        #expect(worker.requests.map(\.piece) == [7] && worker.requests.map(\.samples) == [224_000])
        #expect(worker.requests.map(\.language) == ["en"])
        #expect(hearer.version == "replay whisper/1.8.5" && hearer.counts.processorSeconds == 1.5)
    }

    @Test func oneWorkerHearsAllPieces() async throws {
        let worker = try ReplayedWorker("say yes")
        let hearer = worker.hearer()
        for number in 1...5 { _ = try await hear(hearer, Int16(number)) }
        #expect(worker.requests.map(\.piece) == [1, 2, 3, 4, 5])
        #expect(Set(worker.requests.map(\.process)).count == 1)
    }

    @Test func chosenWordsAreAligned() async throws {
        let worker = try ReplayedWorker("say I think so", hasPhones: true)
        let reply = try await worker.hearer().hear(PieceToHear(1)) { heard in
            heard.passes[0].text == "I think so" ? [[8], [], [39, 34]] : nil
        }
        #expect(reply.aligned?.words == [.init(start: 0, end: 0.1), nil, .init(start: 0.2, end: 0.30000000000000004)])
        #expect(reply.aligned?.distance == 0.25)
    }

    @Test func withoutPhonesNothingIsAligned() async throws {
        let worker = try ReplayedWorker("say I think so")
        let reply = try await worker.hearer().hear(PieceToHear(1)) { _ in [[8], [173], [39]] }
        #expect(reply.heard != nil && reply.aligned == nil)
    }

    // MARK: - Crashes

    @Test(arguments: ["crash", "garbage", "other", "flood"]) func aPieceIsTriedAgainInANewWorker(
        _ fault: String
    ) async throws {
        let worker = try ReplayedWorker(fault, "say yes")
        let hearer = worker.hearer()
        #expect(words(try await hear(hearer)) == ["yes", "yes"])
        #expect(worker.requests.map(\.piece) == [1, 1])
        #expect(Set(worker.requests.map(\.process)).count == 2 && hearer.counts.died == 1)
    }

    /// The worker hears other pieces, so this piece is the cause.
    @Test func aPieceThatKillsTwoWorkersIsGivenUpAlone() async throws {
        let worker = try ReplayedWorker("say one", "crash", "crash", "say three")
        let hearer = worker.hearer()
        #expect(words(try await hear(hearer, 1)) == ["one", "one"])
        let lost = try await hear(hearer, 2)
        #expect(lost.heard == nil && lost.failure == "the recogniser stopped twice on this part")
        #expect(words(try await hear(hearer, 3)) == ["three", "three"])
        #expect(worker.requests.map(\.piece) == [1, 2, 2, 3])
    }

    /// Nothing was heard yet, so the machine may be the cause, and the piece is asked for again later.
    @Test func aWorkerThatNeverWorksLosesNoPiece() async throws {
        let worker = try ReplayedWorker("crash", "crash", "say yes")
        let hearer = worker.hearer()
        #expect(
            await failure(of: hearer)
                == ServiceFailure(.later(nil), "words: the recogniser stopped twice; try again later"))
        #expect(words(try await hear(hearer)) == ["yes", "yes"])
    }

    @Test func afterThreeDeathsItIsLeftAlone() async throws {
        let worker = try ReplayedWorker("say yes", "crash", "crash", "crash", "say yes")
        let hearer = worker.hearer()
        _ = try await hear(hearer)
        #expect(try await hear(hearer).failure != nil)
        #expect(
            await failure(of: hearer)
                == ServiceFailure(.later(nil), "words: the recogniser stopped 3 times; try again later"))
        #expect(words(try await hear(hearer)) == ["yes", "yes"])
    }

    @Test func aWorkerThatHangsIsKilled() async throws {
        let worker = try ReplayedWorker("hang", "say yes")
        let hearer = worker.hearer { $0.seconds = 3 }
        #expect(words(try await hear(hearer)) == ["yes", "yes"])
        let first = try #require(worker.requests.first?.process)
        #expect(kill(pid_t(first), 0) != 0, "the first one is gone")
        #expect(hearer.counts.timedOut == 1)
    }

    /// The processor lacks an instruction, so trying again would not help.
    @Test func aMissingInstructionEndsHearingForGood() async throws {
        let worker = try ReplayedWorker("illegal", "say yes")
        let hearer = worker.hearer()
        for _ in 1...2 { #expect(await failure(of: hearer)?.kind == .setUp) }
        #expect(worker.requests.count == 1)
    }

    @Test func aProcessorIsLookedAtBeforeAnythingStarts() async throws {
        let worker = try ReplayedWorker("say yes", features: ["fma", "avx2", "nothing"])
        let hearer = Hearer(
            worker.files, program: ReplayedWords.program, features: ProcessorFeatures(cpuinfo: "flags\t: fma sse4_2"))
        #expect(
            await failure(of: hearer)
                == ServiceFailure(.setUp, "words: this processor has no avx2, nothing, which the recogniser needs"))
        #expect(worker.requests.isEmpty)
    }

    @Test func aWorkerThatUsesMuchMemoryIsReplaced() async throws {
        let worker = try ReplayedWorker("eat yes", "say yes")
        let hearer = worker.hearer()
        for number in 1...2 { #expect(words(try await hear(hearer, Int16(number))) == ["yes", "yes"]) }
        #expect(Set(worker.requests.map(\.process)).count == 2)
        #expect(hearer.counts.died == 0)
    }

    @Test func anIdleWorkerEnds() async throws {
        let worker = try ReplayedWorker("say yes")
        let hearer = worker.hearer { $0.idle = .zero }
        _ = try await hear(hearer)
        try await eventually("the worker is gone") { hearer.processID == nil }
        #expect(words(try await hear(hearer)) == ["yes", "yes"])
    }

    // MARK: - Starting

    @Test(arguments: [
        ("unusable is damaged", "words: the model cannot be used: is damaged"),
        ("old", "words: the protocol cannot be used: oracy-words is of another version; install Oracy again"),
    ]) func aWorkerThatCannotWorkSaysWhy(_ script: String, _ sentence: String) async throws {
        let worker = try ReplayedWorker(script)
        #expect(await failure(of: worker.hearer()) == ServiceFailure(.setUp, sentence))
    }

    @Test func aWorkerThatDiesWhileItStartsIsTriedLater() async throws {
        let worker = try ReplayedWorker("crashStart")
        #expect(await failure(of: worker.hearer())?.kind == .later(nil))
    }

    @Test func missingProgramsAndModelsAreReported() async throws {
        let worker = try ReplayedWorker("say yes")
        #expect(
            await failure(of: Hearer(worker.files, program: nil))
                == ServiceFailure(.setUp, "words: oracy-words is missing; install Oracy again"))
        #expect(await failure(of: Hearer(worker.files, program: "/nowhere/oracy-words"))?.kind == .setUp)
        try FileManager.default.removeItem(atPath: worker.files.start.model)
        #expect(
            await failure(of: worker.hearer())
                == ServiceFailure(.setUp, "words: \(worker.files.lock): cannot be read"))
    }

    // MARK: - Turns

    /// One process of the machine uses the model at a time, here two recognisers of one process.
    @Test func anotherOnesWorkerIsWaitedFor() async throws {
        let worker = try ReplayedWorker("say yes")
        let waits = Mutex(0)
        let first = worker.hearer()
        let second = Hearer(worker.files, program: ReplayedWords.program) { waits.withLock { $0 += 1 } }
        _ = try await hear(first, 1)
        let later = Task { try await second.hear(PieceToHear(2)) { _ in nil } }
        try await eventually("the second one waits") { waits.withLock { $0 } == 1 }
        #expect(worker.requests.map(\.piece) == [1])
        await first.end()
        #expect(words(try await later.value) == ["yes", "yes"])
    }

    /// Fifty learners whose exams end at the same time, twenty pieces each: all are heard once, each learner's in
    /// order.
    @Test func manyLearnersAreServed() async throws {
        let worker = try ReplayedWorker("say yes")
        let hearer = worker.hearer()
        let (learners, pieces) = (50, 20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for learner in 0..<learners {
                group.addTask {
                    for piece in 0..<pieces {
                        _ = try await hearer.hear(
                            PieceToHear(Int16(learner * pieces + piece), party: "\(learner)", seconds: 0.1)
                        ) { _ in nil }
                    }
                }
            }
            try await group.waitForAll()
        }
        let order = worker.requests.map(\.piece)
        #expect(Set(order) == Set(0..<(learners * pieces)) && order.count == learners * pieces)
        for learner in 0..<learners {
            let own = order.filter { $0 / pieces == learner }
            #expect(own == own.sorted(), "the pieces of \(learner) are in order")
        }
    }

    /// A learner with one piece does not wait for the twenty that another learner brought before.
    @Test func aShortAnswerDoesNotWaitForALongOne() async throws {
        let worker = try ReplayedWorker("hang", "say yes")
        let hearer = worker.hearer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ number: Int16, _ party: String) {
                group.addTask { _ = try await hearer.hear(PieceToHear(number, party: party)) { _ in nil } }
            }
            add(0, "long")
            try await eventually("the first piece is being heard") { worker.requests.count == 1 }
            for number in 1...20 { add(Int16(number), "long") }
            try await eventually("the others wait") { hearer.queue.waiting == 20 }
            add(100, "short")
            try await eventually("the short answer waits") { hearer.queue.waiting == 21 }
            kill(try #require(hearer.processID), SIGKILL)
            try await group.waitForAll()
        }
        #expect(worker.requests.map(\.piece).prefix(3) == [0, 0, 100] && worker.requests.count == 23)
    }

    @Test func aCancelledPieceEndsItsWorker() async throws {
        let worker = try ReplayedWorker("hang", "say yes")
        let hearer = worker.hearer()
        let task = Task { try await hearer.hear(PieceToHear(1)) { _ in nil } }
        try await eventually("it is being heard") { worker.requests.count == 1 }
        task.cancel()
        await #expect(throws: ServiceFailure(.cancelled, "words: cancelled")) { try await task.value }
        #expect(words(try await hear(hearer, 2)) == ["yes", "yes"])
        #expect(hearer.counts.heard == 1)
    }

    /// Each worker is killed while it hears: every piece is heard once all the same.
    @Test func killedWorkersLoseNoPiece() async throws {
        let worker = try ReplayedWorker("say yes", "hang", "say yes", "hang", "say yes", "hang", "say yes")
        let hearer = worker.hearer()
        _ = try await hear(hearer, 0)
        for number in 1...3 {
            let task = Task { try await hearer.hear(PieceToHear(Int16(number))) { _ in nil } }
            try await eventually("it is being heard") { worker.requests.count == 2 * number }
            kill(try #require(hearer.processID), SIGKILL)
            #expect(words(try await task.value) == ["yes", "yes"])
        }
        #expect(worker.requests.map(\.piece) == [0, 1, 1, 2, 2, 3, 3])
    }
}
