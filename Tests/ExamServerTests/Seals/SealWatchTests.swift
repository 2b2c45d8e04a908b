import Foundation
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import RecordingStores
@testable import ServerWork

/// The server reads sealed exams again, and reports the ones that were changed until they are repaired.
@Suite(.bothStores) struct SealWatchTests {
    private static let day = Duration.seconds(86_400)

    /// Takes more rounds than a pass over three exams needs, so it may begin with any of them.
    private static func pass(_ watch: SealWatch, onDay number: Int) async {
        for _ in 0..<6 { await watch.look(at: day * number) }
    }

    @Test func aChangedExamIsReportedUntilItIsRepaired() async throws {
        try await withWorkerPlace { place, store in
            let log = KeptLog()
            let services = try place.services(store, log: log)
            var sealed: [(session: UUID, user: UUID, answers: [UUID])] = []
            for _ in 0..<3 { sealed.append(try await place.hold(services, answers: 1)) }
            #expect(await Sealer(services: services).sealAll() == 3)
            let watch = SealWatch(services: services, atOnce: 2)
            await Self.pass(watch, onDay: 1)
            let checked = services.metrics.value(.checkedSeals)
            #expect(checked >= 3 && services.metrics.value(.brokenSeals) == 0)

            let (session, user, answers) = sealed[1]
            let recording = try #require(try await services.owned(by: user).recording(answers[0]))
            let file = URL(filePath: place.folder + "/audio/" + recording.key)
            let whole = try Data(contentsOf: file)
            var bytes = whole
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: file)
            // Every exam was read today. They are read again a day later.
            await Self.pass(watch, onDay: 1)
            #expect(services.metrics.value(.checkedSeals) == checked)
            await Self.pass(watch, onDay: 2)
            #expect(services.metrics.value(.brokenSeals) == 1)
            let lines = log.text.split(separator: "\n").filter { $0.contains("a seal is broken") }
            #expect(lines.count == 1, "it is logged once: \(lines)")
            #expect(
                lines.first?.contains("part1_q1 recording: has other bytes in storage") == true
                    && lines.first?.contains("session=\(session.uuidString.lowercased())") == true, "\(lines)")

            try whole.write(to: file)
            await watch.look(at: Self.day * 2)
            #expect(services.metrics.value(.brokenSeals) == 0, "the next round sees the repair")
        }
    }

    /// Without its row in `seals`, an exam would otherwise look as if it had never been sealed.
    @Test func anExamWhoseSealWasRemovedIsReported() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            _ = try await place.hold(services, answers: 1)
            _ = try await place.hold(services, answers: 1)
            #expect(await Sealer(services: services).sealAll() == 2)
            let gone = try #require(try await store.service.sealedSessions(after: nil, limit: 1).first).session
            try await store.service.write { connection in
                let place = store.dialect == .postgres ? " ON seals" : ""
                _ = try connection.change("DROP TRIGGER sealed_seals_delete\(place)")
                _ = try connection.change("DELETE FROM seals WHERE session = ?", [gone])
            }
            #expect(try await store.service.sealedSessions(after: nil, limit: 10).count == 2)
            let watch = SealWatch(services: services)
            await Self.pass(watch, onDay: 1)
            #expect(services.metrics.value(.brokenSeals) == 1)
        }
    }

    /// A server that stops in the middle of a recording would otherwise report its exam as changed.
    @Test func aReadThatIsCancelledIsNoChange() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            let (session, user, answers) = try await place.hold(services, answers: 1)
            #expect(await Sealer(services: services).sealAll() == 1)
            let recording = try #require(try await services.owned(by: user).recording(answers[0]))
            let key = try #require(AudioKey(recording.key))
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await services.audio.digest(of: key).sha256
            }
            await #expect(throws: (any Error).self) { try await reading.value }
            let watching = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let watch = SealWatch(services: services)
                for _ in 0..<6 { await watch.look(at: .zero) }
            }
            await watching.value
            #expect(services.metrics.value(.brokenSeals) == 0, "\(session)")
        }
    }

    @Test func anErasedExamAndAnAbsentStorageAreNoAlarm() async throws {
        try await withWorkerPlace { place, store in
            let log = KeptLog()
            let audio = AwayAudio(try FolderAudioStore(path: place.folder + "/audio"))
            let services = try place.services(store, audio: audio, log: log)
            let erased = try await place.hold(services, answers: 1)
            _ = try await place.hold(services, answers: 1)
            #expect(await Sealer(services: services).sealAll() == 2)
            _ = try await services.owned(by: erased.user).erase(session: erased.session)
            let watch = SealWatch(services: services)
            audio.isAway = true
            await Self.pass(watch, onDay: 1)
            #expect(services.metrics.value(.brokenSeals) == 0)
            #expect(log.text.contains("sealed exams cannot be read again"))
            audio.isAway = false
            await Self.pass(watch, onDay: 1)
            #expect(services.metrics.value(.checkedSeals) >= 2 && services.metrics.value(.brokenSeals) == 0)
        }
    }
}
