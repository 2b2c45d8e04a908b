import AudioFiles
import ExamCore
import Foundation
import HTTPClient
import Hearing
import HearingWorker
import StoreTrials
import Synchronization
import TestSupport
import Testing

@testable import Assessors
@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// Words that are heard while their exam goes on, so that they are there when it ends.
@Suite(.bothStores, .enabled(if: ReplayedWords.obstacle == nil, "this processor lacks AVX2")) struct HearingAheadTests {
    /// A server with a recogniser that replays, and exams that go on.
    private struct Trial {
        let place: WorkerPlace
        let store: ExamDatabase
        let services: Services
        let hearer: Hearer
        let watched: WatchedHearing
        private let speech: [UInt8]

        init(_ place: WorkerPlace, _ store: ExamDatabase, _ script: String = "say I live here.") throws {
            (self.place, self.store) = (place, store)
            try ReplayedWords.install(in: place.folder + "/words", script)
            let files = try #require(WordsFiles(in: place.folder + "/words"))
            hearer = Hearer(files, program: ReplayedWords.program)
            watched = WatchedHearing(hearer)
            services = try place.services(store, assessors: AssessorPanel([.init(HeardHere(WordsHere(watched)))]))
            let path = place.folder + "/speech.wav"
            try GrowingWAV(path: path).append(Programs.samples(of: "AudioFixtures/answers/building-1.flac"))
            speech = [UInt8](try Data(contentsOf: URL(filePath: path)))
        }

        var worker: Workers { Workers(services: services, count: 1) }

        /// Begins an exam and stores answers.
        func begin(_ user: UUID, answers: Int = 1) async throws -> (session: UUID, answers: [UUID]) {
            let session = TestSession(
                id: UUID(), name: "live", format: "ielts-style", paper: "bridges", startedAt: "2026-11-21T09:12:29Z")
            _ = try await services.owned(by: user).put(session)
            var ids: [UUID] = []
            for order in 1...answers { ids.append(try await answer(session.id, user, order)) }
            return (session.id, ids)
        }

        func answer(_ session: UUID, _ user: UUID, _ order: Int) async throws -> UUID {
            try await place.answer(services, services.owned(by: user), session, order: order, bytes: speech)
        }

        func end(_ session: UUID, _ user: UUID, answers: Int) async throws {
            _ = try await services.owned(by: user).complete(
                session,
                Completion(id: UUID(), completedAt: "2026-11-21T09:26:01Z", outcome: "completed", answers: answers))
        }

        func texts(_ session: UUID, _ user: UUID) async throws -> [String?] {
            try await services.owned(by: user).responses(of: session).map(\.transcript)
        }

        func claim(_ kind: JobKind) async throws -> Job? {
            try await store.service.claim(kind, worker: "w", assessor: services.panel.version, seconds: 60)
        }
    }

    @Test func wordsAreThereBeforeTheExamIsOver() async throws {
        try await withWorkerPlace { place, store in
            let (trial, user) = (try Trial(place, store), UUID())
            let (session, _) = try await trial.begin(user, answers: 2)
            #expect(try await trial.worker.hearOnce("h"))
            #expect(try await trial.worker.hearOnce("h") == false)
            let texts = try await trial.texts(session, user)
            #expect(texts.count == 2 && texts.allSatisfy { $0?.contains("I live here.") == true })
            #expect(try await store.service.session(session)?.status == .inProgress)
            let heard = trial.hearer.counts.heard
            #expect(heard >= 2)
            // The evaluation finds the words.
            try await trial.end(session, user, answers: 2)
            #expect(try await trial.worker.workOnce("w"))
            #expect(try await store.service.session(session)?.status == .evaluated)
            #expect(trial.hearer.counts.heard == heard, "no piece is heard twice")
            #expect(try await trial.texts(session, user) == texts)
            await trial.hearer.end()
        }
    }

    /// The next claim finds an answer that came too late for the worker's list.
    @Test func anAnswerThatComesMeanwhileIsHeardNext() async throws {
        try await withWorkerPlace { place, store in
            let (trial, user) = (try Trial(place, store), UUID())
            let (session, _) = try await trial.begin(user)
            let job = try #require(try await trial.claim(.hear))
            _ = try await trial.answer(session, user, 2)
            #expect(try await trial.claim(.hear) == nil, "one worker hears an exam")
            #expect(try await store.service.heard(job))
            #expect(try await trial.worker.hearOnce("h"))
            #expect(try await trial.texts(session, user).compactMap(\.self).count == 2)
            #expect(try await trial.claim(.hear) == nil)
            await trial.hearer.end()
        }
    }

    /// If the evaluation began while the words are heard, both would ask for the same piece.
    @Test func anExamIsNotEvaluatedWhileItIsHeard() async throws {
        try await withWorkerPlace { place, store in
            let (trial, user) = (try Trial(place, store), UUID())
            let (session, _) = try await trial.begin(user)
            let job = try #require(try await trial.claim(.hear))
            try await trial.end(session, user, answers: 1)
            #expect(try await trial.claim(.evaluate) == nil)
            try await Evaluation(services: trial.services, job: job).hear()
            #expect(trial.hearer.counts.heard == 0, "the exam is over, so its evaluation hears the rest")
            #expect(try await store.service.heard(job))
            #expect(try await trial.worker.workOnce("w"))
            #expect(try await trial.texts(session, user).compactMap(\.self).count == 1)
            await trial.hearer.end()
        }
    }

    /// The learner of an exam that is over waits for its words, and those of exams that go on do not yet.
    @Test func anExamThatIsOverGetsMoreTurns() async throws {
        try await withWorkerPlace { place, store in
            let (trial, user) = (try Trial(place, store), UUID())
            let (session, _) = try await trial.begin(user)
            #expect(try await trial.worker.hearOnce("h"))
            #expect(Set(trial.watched.weights) == [1])
            _ = try await trial.answer(session, user, 2)
            try await trial.end(session, user, answers: 2)
            let before = trial.watched.weights.count
            #expect(try await trial.worker.workOnce("w"))
            #expect(Set(trial.watched.weights.dropFirst(before)) == [4])
            await trial.hearer.end()
        }
    }

    @Test func learnersTakeTurns() async throws {
        try await withWorkerPlace { place, store in
            let (trial, busy, other) = (try Trial(place, store), UUID(), UUID())
            var own: Set<UUID> = []
            for _ in 0..<3 { own.insert(try await trial.begin(busy).session) }
            let (session, _) = try await trial.begin(other)
            let first = try #require(try await trial.claim(.hear))
            let second = try #require(try await trial.claim(.hear))
            #expect(own.contains(first.session) && second.session == session)
            let third = try #require(try await trial.claim(.hear))
            #expect(own.contains(third.session))
        }
    }

    /// Services cost money, and are asked when the exam is over. A server without a recogniser hears nothing.
    @Test func onlyTheRecogniserOnThisMachineHearsAhead() async throws {
        try await withWorkerPlace { place, store in
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessors: assessor.panel)
            let owned = services.owned(by: UUID())
            let session = TestSession(
                id: UUID(), name: "live", format: "ielts-style", paper: "bridges", startedAt: "2026-11-21T09:12:29Z")
            _ = try await owned.put(session)
            _ = try await place.answer(services, owned, session.id, order: 1)
            #expect(
                try await store.service.claim(.hear, worker: "w", assessor: assessor.panel.version, seconds: 60) == nil)
            #expect(assessor.paid() == 0)
        }
    }

    /// A recogniser that is away costs no answer: the evaluation asks again, and reports the gap.
    @Test func aRecogniserThatStopsLeavesTheWordsToTheEvaluation() async throws {
        try await withWorkerPlace { place, store in
            let (trial, user) = (try Trial(place, store, "unusable no model"), UUID())
            let (session, _) = try await trial.begin(user)
            #expect(try await trial.worker.hearOnce("h"))
            #expect(try await trial.claim(.hear) == nil)
            #expect(try await SaidOfAnswers(of: session, in: store.service).gaps.isEmpty)
            try await trial.end(session, user, answers: 1)
            #expect(try await trial.worker.workOnce("w"))
            #expect(try await SaidOfAnswers(of: session, in: store.service).gaps.count == 1)
        }
    }
}

/// A recogniser that notes the share of turns of each piece.
private final class WatchedHearing: PieceHearing {
    private let hearer: Hearer
    private let noted = Mutex<[Double]>([])

    init(_ hearer: Hearer) { self.hearer = hearer }

    var weights: [Double] { noted.withLock { $0 } }
    var version: String { hearer.version }
    var hasPhones: Bool { hearer.hasPhones }

    func hear(
        _ piece: PieceToHear, aligning words: @escaping @Sendable (HearingReply.Heard) -> [[Int]]?
    ) async throws(ServiceFailure) -> PieceReply {
        noted.withLock { $0.append(piece.weight) }
        return try await hearer.hear(piece, aligning: words)
    }
}
