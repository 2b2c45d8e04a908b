import ExamCore
import Foundation
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// A node dies between the end of an exam and its seal: any other one seals it.
@Suite(.bothStores) struct SealsOfDeadNodes {
    @Test func aWorkerOfAnotherNodeSealsBeforeItAssesses() async throws {
        try await withWorkerPlace { place, store in
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessors: assessor.panel)
            // The node that completed the session died before the seal.
            let (session, _, _) = try await place.hold(services, answers: 2)
            #expect(try await store.service.session(session)?.seal == nil)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            let row = try #require(try await store.service.session(session))
            #expect(row.seal != nil && row.evidence == row.seal && row.status == .evaluated)
            let report = try await SealCheck(store.service, services.audio).report(
                of: session, store.service.seal(of: session))
            #expect(report.state == .sealed && report.recordings == 2, "\(report.differs)")
            #expect(report.entries.last?.kind == .result)
        }
    }

    /// No worker is needed, and any number of sealers may look at the same time.
    @Test func theSealersOfAllNodesPutOneSeal() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            var sessions: [UUID] = []
            for _ in 0..<5 { sessions.append(try await place.hold(services, answers: 1).session) }
            let waits = try await place.hold(services, answers: 1, late: 1).session
            let sealed = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { await Sealer(services: services).sealAll() } }
                return await group.reduce(0, +)
            }
            #expect(sealed == 5)
            for session in sessions {
                let seal = try #require(try await store.service.seal(of: session))
                #expect(try await store.service.session(session)?.seal == seal.hash && seal.differences() == [])
            }
            #expect(try await store.service.session(waits)?.seal == nil)
            // The server waits a day at most for an answer that never comes.
            #expect(await Sealer(services: services).sealAll(patience: -1) == 1)
            #expect(try await store.service.session(waits)?.seal != nil)
            #expect(await Sealer(services: services).sealAll(patience: -1) == 0)
        }
    }

    /// A node that comes back after the seal adds nothing: its answers stay on its own disk.
    @Test func anAnswerOfANodeThatComesBackAfterTheSealIsNotAdded() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            let (session, user, _) = try await place.hold(services, answers: 1)
            await services.seal(session)
            let before = try #require(try await store.service.seal(of: session))
            await #expect(throws: StoreError.self) {
                _ = try await place.answer(services, services.owned(by: user).heldHere, session, order: 2)
            }
            #expect(try await store.service.seal(of: session) == before)
            #expect(try await services.owned(by: user).responses(of: session).count == 1)
        }
    }

    /// An abandoned exam may still have answers on the disk of a node that is away. It is sealed a day after it was
    /// closed.
    @Test func anExamThatWasLeftIsSealedLater() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            let (user, row) = (
                UUID(),
                TestSession(
                    id: UUID(), name: "left", format: "ielts-style", paper: "bridges", startedAt: "2020-01-01T00:00:00Z"
                )
            )
            _ = try await services.owned(by: user).heldHere.put(row)
            #expect(try await store.service.setLiveToken("a hash", session: row.id))
            try await store.service.append([#"{"event":"begun","phase":"testing"}"#], to: row.id, from: 1)
            try await LiveExams(services).closeAbandoned()
            #expect(try await store.service.session(row.id)?.status == .completed)
            #expect(await Sealer(services: services).sealAll() == 0)
            _ = try await place.answer(services, services.owned(by: user).heldHere, row.id, order: 1)
            #expect(await Sealer(services: services).sealAll(patience: -1) == 1)
            let seal = try #require(try await store.service.seal(of: row.id))
            let manifest = try JSONDecoder().decode(SealManifest.self, from: Data(seal.manifest.utf8))
            #expect(manifest.held == .server && manifest.answers.count == 1)
        }
    }
}
