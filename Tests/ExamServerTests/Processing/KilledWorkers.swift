import Assessment
import Assessors
import ExamCore
import Foundation
import Glibc
import StoreTrials
import Synchronization
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import RecordingStores
@testable import ServerWork

/// Workers in processes of their own, killed between any two of their steps. Stored work is not repeated.
@Suite(.serialized, .bothStores) struct KilledWorkers {
    /// The step at which a worker dies in a session of three answers.
    enum Death: Codable, CaseIterable, Sendable {
        /// The job is claimed and nothing is done yet, or two answers are stored.
        case fetchingFirst, fetchingThird
        /// The assessor is called, and has no answer yet.
        case callingFirst, callingThird
        /// The assessor has an answer that the worker has not received: the only case in which a call is repeated.
        case hearingFirst, hearingThird
        /// The first assessor's finding is stored, and the second one is called.
        case callingSecondOfFirst, callingSecondOfThird

        var isUnheard: Bool { self == .hearingFirst || self == .hearingThird }
    }

    @Test
    func aCallThatWasKeptIsNeverMadeAgain() async throws {
        try await withWorkerPlace { place, store in
            let assessor = CountingAssessor(place)
            let second = CountingAssessor(place, id: "second")
            let services = try place.services(store, assessors: AssessorPanel([.init(assessor), .init(second)]))
            for death in Death.allCases {
                let (session, user, answers) = try await place.hold(services, answers: 3)
                await #expect(processExitsWith: .signal(SIGKILL), "\(death)") {
                    [place = place as WorkerPlace, death = death as Death] in
                    try await KilledWorkers.workAndDie(place, death)
                }
                let before = assessor.calls()
                let kept = try await SaidOfAnswers(of: session, in: store.service).findings
                // Two minutes pass.
                try await expireLeases(store)
                let worker = Workers(services: services, count: 1)
                #expect(try await worker.workOnce("alive"), "\(death)")
                #expect(try await worker.workOnce("alive") == false, "\(death)")

                let found = try await services.owned(by: user).responses(of: session)
                #expect(found.map(\.processing) == ["completed", "completed", "completed"], "\(death)")
                #expect(try await store.service.session(session)?.status == .evaluated, "\(death)")
                var lost = 0
                for (place, answer) in answers.enumerated() {
                    for id in ["counting/1", "second/1"] {
                        let calls = assessor.calls(of: answer).filter { $0.assessor == id }
                        let paid = calls.filter(\.isEnd)
                        lost += paid.count - 1
                        #expect((1...2).contains(paid.count), "\(death): \(id), answer \(place + 1)")
                        #expect(Set(calls.map(\.key)).count == 1, "\(death): a repeated call has the same key")
                        let isKept = kept[answer]?.contains { "\($0.source.id)/\($0.source.version)" == id } == true
                        guard isKept else { continue }
                        let earlier = before.filter { $0.answer == answer && $0.assessor == id }
                        #expect(calls == earlier, "\(death): an assessor is not called again if its finding is stored")
                    }
                    // The transcript shown is the one from the stored call of the first assessor.
                    let first = assessor.calls(of: answer).filter { $0.assessor == "counting/1" && $0.isEnd }
                    #expect(found[place].transcript == first.last?.number, "\(death)")
                }
                // Only a call whose answer was not received is repeated. Four answers are assessed at a time, so others
                // may be on their way when the process dies, each of them once.
                #expect(lost <= (death.isUnheard ? 3 : 2), "\(death): \(lost)")
                if death.isUnheard { #expect(lost >= 1, "\(death)") }
            }
        }
    }

    /// Runs a worker that dies, in a process of its own.
    fileprivate static func workAndDie(_ place: WorkerPlace, _ death: Death) async throws {
        let store = try place.open()
        let calls = Mutex(0)
        @Sendable func number(_ step: CountingAssessor.Step) -> Int {
            calls.withLock {
                if case .called = step { $0 += 1 }
                return $0
            }
        }
        let assessor = CountingAssessor(place) { step in
            switch (step, number(step), death) {
            case (.called, 1, .callingFirst), (.called, 3, .callingThird): die()
            case (.said, 1..., .hearingFirst), (.said, 3..., .hearingThird): die()
            default: break
            }
        }
        let seconds = Mutex(0)
        let second = CountingAssessor(place, id: "second") { step in
            guard case .called = step else { return }
            let count = seconds.withLock {
                $0 += 1
                return $0
            }
            if count == 1 && death == .callingSecondOfFirst || count == 3 && death == .callingSecondOfThird { die() }
        }
        let folder = try FolderAudioStore(path: place.folder + "/audio")
        let audio = DeadlyAudio(store: folder, fetch: [.fetchingFirst: 1, .fetchingThird: 3][death] ?? .max)
        let services = try place.services(
            store, assessors: AssessorPanel([.init(assessor), .init(second)]), audio: audio)
        _ = try await Workers(services: services, count: 1).workOnce("killed")
    }
}

/// Ends the process as kill -9 does.
private func die() -> Never {
    kill(getpid(), SIGKILL)
    while true { pause() }
}

/// Recordings whose reader dies before it fetches the one with this number.
private struct DeadlyAudio: AudioStore {
    let store: FolderAudioStore
    let fetch: Int
    private let fetched = Counter()

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    init(store: FolderAudioStore, fetch: Int) {
        self.store = store
        self.fetch = fetch
    }

    func read(
        _ key: AudioKey, range: Range<Int>?
    ) async throws(AudioStoreError) -> AsyncThrowingStream<[UInt8], any Error> {
        let count = fetched.count.withLock {
            $0 += 1
            return $0
        }
        if count == fetch { die() }
        return try await store.read(key, range: range)
    }

    func put(
        _ path: String, as key: AudioKey, sha256: String, mediaType: String
    ) async throws(AudioStoreError) { try await store.put(path, as: key, sha256: sha256, mediaType: mediaType) }
    func size(of key: AudioKey) async throws(AudioStoreError) -> Int? { try await store.size(of: key) }
    func delete(_ key: AudioKey) async throws(AudioStoreError) { try await store.delete(key) }
    func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] { try await store.keys(of: user) }
    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try await store.keys(of: session, user: user)
    }
    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }
    func ping() async throws(AudioStoreError) {}
}
