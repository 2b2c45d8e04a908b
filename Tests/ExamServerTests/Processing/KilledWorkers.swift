import ExamCore
import Foundation
import Glibc
import Synchronization
import Testing

@testable import ExamServer
@testable import ExamStore

/// Workers in processes of their own, killed between each two of their steps: whatever was stored is not done again.
@Suite(.serialized) struct KilledWorkers {
    /// Where a worker dies, on its way through a session of three answers.
    enum Death: Codable, CaseIterable, Sendable {
        /// Claimed, and nothing done yet. / Two answers are stored.
        case fetchingFirst, fetchingThird
        /// The assessor is being asked, and has no answer yet.
        case callingFirst, callingThird
        /// It has an answer, which nobody has heard: the one case where a call is repeated.
        case hearingFirst, hearingThird
        /// All answers are stored; the session's result is not made yet. / It is made, and not stored.
        case gathering, gathered

        /// Of three answers: about which a call's answer is lost.
        var unheard: Int? {
            switch self {
            case .hearingFirst: 0
            case .hearingThird: 2
            default: nil
            }
        }
    }

    @Test(arguments: WorkerPlace.Base.here)
    func aCallThatWasKeptIsNeverMadeAgain(_ base: WorkerPlace.Base) async throws {
        try await withWorkerPlace(base) { place, store in
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessor: assessor)
            for death in Death.allCases {
                let (session, user, answers) = try await place.hold(services, answers: 3)
                await #expect(processExitsWith: .signal(SIGKILL), "\(death)") {
                    [place = place as WorkerPlace, death = death as Death] in
                    try await KilledWorkers.workAndDie(place, death)
                }
                let before = assessor.calls()
                let kept = try await store.service.assessments(of: session, by: assessor.version)
                // Two minutes pass.
                try await expireLeases(store)
                let worker = Workers(services: services, count: 1)
                #expect(try await worker.workOnce("alive"), "\(death)")
                #expect(try await worker.workOnce("alive") == false, "\(death)")

                let found = try await services.owned(by: user).responses(of: session)
                #expect(found.map(\.processing) == ["completed", "completed", "completed"], "\(death)")
                #expect(try await store.service.session(session)?.status == .evaluated, "\(death)")
                #expect(try await store.service.session(session)?.overallBand == 6, "\(death)")
                for (place, answer) in answers.enumerated() {
                    let calls = assessor.calls(of: answer)
                    let paid = calls.filter(\.isEnd)
                    #expect(paid.count == (place == death.unheard ? 2 : 1), "\(death): answer \(place + 1)")
                    #expect(Set(calls.map(\.key)).count == 1, "\(death): a repeated call has the same key")
                    #expect(calls.map(\.attempt) == calls.map(\.attempt).sorted())
                    #expect(calls.filter { !$0.isEnd }.map(\.attempt) == Array(1...calls.count { !$0.isEnd }))
                    // What is shown is what that call said.
                    #expect(found[place].transcript == paid.last?.number, "\(death)")
                    guard kept[answer] != nil else { continue }
                    #expect(calls == before.filter { $0.answer == answer }, "\(death): it was kept, and asked again")
                }
            }
            #expect(assessor.paid() == Death.allCases.count * 3 + 2)
        }
    }

    /// In a process of its own.
    fileprivate static func workAndDie(_ place: WorkerPlace, _ death: Death) async throws {
        let store = try place.open()
        let calls = Mutex(0)
        let assessor = CountingAssessor(place) { step in
            let isNow =
                switch step {
                case .called:
                    calls.withLock { calls in
                        calls += 1
                        return calls == 1 && death == .callingFirst || calls == 3 && death == .callingThird
                    }
                case .said:
                    calls.withLock {
                        $0 == 1 && death == .hearingFirst || $0 == 3 && death == .hearingThird
                    }
                case .gathering: death == .gathering
                case .gathered: death == .gathered
                }
            if isNow { die() }
        }
        let folder = try FolderAudioStore(path: place.folder + "/audio")
        let audio = DeadlyAudio(store: folder, fetch: [.fetchingFirst: 1, .fetchingThird: 3][death] ?? .max)
        let services = try place.services(store, assessor: assessor, audio: audio)
        _ = try await Workers(services: services, count: 1).workOnce("killed")
    }
}

/// As kill -9 does it.
private func die() -> Never {
    kill(getpid(), SIGKILL)
    while true { pause() }
}

/// Recordings whose reader dies before the so-and-so-many-th of them.
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
    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try await store.keys(of: session, user: user)
    }
    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }
    func ping() async throws(AudioStoreError) {}
}
