import ExamCore
import ExamStore
package import Foundation
import Glibc
import Logging
import RecordingStores
public import ServiceLifecycle
import SessionFolders
import SessionUploads
public import SystemSupport
package import UploadQueue

/// The live exams of a node. An exam is opened when a client comes, and saved when the server stops. If the node dies,
/// another node continues it.
///
/// It runs as a service alongside the server whose connections it serves. If its task is cancelled instead of stopped
/// gracefully, it releases nothing, as if the process had been killed, and the leases expire. `ExamRegistry` knows the
/// exams that run here, `ExamLeases` the sessions that this node may write.
public final class LiveExams: Service, Sendable {
    package let services: Services
    package let times: LiveTimes
    package let queue: DeliveryQueue
    /// The formats and papers of exams.
    package let catalogue: ExamCatalogue
    package let preparedExams: PreparedExams
    let leases: ExamLeases
    package let registry: ExamRegistry

    package var settings: ServerSettings { services.settings }
    /// This node's name in leases.
    package var node: String { leases.node }

    /// Creates the exams of a node.
    ///
    /// - Throws: `Problem` if the node's folder cannot be used, or custom formats and papers are unreadable.
    public convenience init(_ services: Services) throws(Problem) {
        try self.init(services, times: LiveTimes())
    }

    package init(_ services: Services, times: LiveTimes) throws(Problem) {
        self.services = services
        self.times = times
        let folder = services.settings.folder
        try PrivateFile.createFolder(folder + "/exams")
        queue = try DeliveryQueue(folder: folder + "/uploads")
        catalogue = try ExamCatalogue(folder: services.settings.ownExams)
        preparedExams = PreparedExams(
            cache: folder + "/prompts", folders: catalogue.folders, voices: services.settings.voices)
        leases = ExamLeases(
            node: try Self.name(of: services.settings), url: services.settings.nodeURL ?? "",
            store: services.store.service, times: times)
        registry = ExamRegistry(services, leases: leases, queue: queue, preparedExams: preparedExams, times: times)
    }

    /// Returns the node's unique name. Two nodes with the same configured name have different unique names. A restarted
    /// node has the same one as before.
    private static func name(of settings: ServerSettings) throws(Problem) -> String {
        let path = settings.folder + "/node"
        if access(path, F_OK) != 0 { try PrivateFile.replace(path, with: Array(UUID().name.prefix(8).utf8)) }
        return "\(settings.node)-\(String(decoding: try PrivateFile.read(path), as: UTF8.self))"
    }

    /// Ends the exam of an erased session and removes everything of it from this node.
    ///
    /// Other nodes notice when they renew their leases, or start.
    package func erased(_ session: UUID) { registry.erased(session) }

    // MARK: - As a service

    public func run() async throws {
        do {
            try await start()
        } catch {
            // The store is not available yet. Leases expire by themselves, and a later round finds everything that was
            // left here.
            services.logger.warning("start", metadata: ["what": "\(Self.sentence(error))"])
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.deliver() }
            group.addTask { await self.watch() }
            group.addTask { await self.sweep() }
            group.addTask { await self.stayKnown() }
            if (try? await gracefulShutdown()) != nil {
                await registry.stop()
                try? await services.store.service.forget(node: leases.node)
            } else {
                for exam in registry.all { exam.lose(.elsewhere) }
            }
            group.cancelAll()
        }
    }

    private func start() async throws {
        try await leases.releaseTheLast()
        for problem in SessionDelivery.catchUp(SessionShelf(path: settings.folder + "/exams"), into: queue) {
            services.logger.warning("answers left", metadata: ["what": "\(problem.sentence)"])
        }
    }

    /// Delivers waiting uploads as long as the node runs.
    private func deliver() async {
        let uploader = StoreUploader(services: services, leases: leases) { [registry] in await registry.arrived($0) }
        while !Task.isCancelled {
            do {
                _ = try await queue.send(through: uploader, until: .cancelled)
            } catch {
                services.logger.error("uploads", metadata: ["what": "\(error.sentence)"])
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Looks for abandoned exams.
    private func sweep() async {
        repeat {
            do {
                try await closeFinished()
                try await closeAbandoned()
                try await clearAway()
            } catch {
                services.logger.warning("left exams", metadata: ["what": "\(Self.sentence(error))"])
            }
        } while (try? await Task.sleep(for: times.sweep)) != nil
    }

    // MARK: - The clock

    /// Checks the time for all exams together. Separate timers would cause as many wake-ups as exams.
    private func watch() async {
        var lookedAt = SteadyClock.now
        while (try? await Task.sleep(for: times.tick)) != nil {
            let now = SteadyClock.now
            let time: LiveExam.Event = now - lookedAt > times.tick * 4 ? .timeJumped : .timePassed
            lookedAt = now
            for exam in registry.all { exam.look(time) }
            for connection in registry.connections { connection.look() }
            count()
            await renew(at: now)
        }
    }

    /// Renews this node's leases, and gives up exams whose lease another node has, or may have.
    private func renew(at now: Duration) async {
        let before = registry.all
        guard let renewal = await leases.renew(at: now) else { return }
        if let counts = try? queue.counts() { services.metrics.set(.waitingUploads, Double(counts.open)) }
        switch renewal {
        case .ours(let ours):
            for exam in before where !ours.contains(exam.session) {
                do {
                    exam.lose(try await exam.howItWasLost())
                } catch {
                    continue  // The store is unavailable again. The next round finds out.
                }
            }
        case .unknown(let error):
            services.logger.warning("leases", metadata: ["what": "\(error.message)"])
        case .expired(let error):
            services.logger.warning("leases", metadata: ["what": "\(error.message)"])
            for exam in before { exam.lose(.elsewhere) }
        }
    }

    private func count() {
        var counts: [String: Int] = [:]
        for exam in registry.all { counts[exam.activity.rawValue, default: 0] += 1 }
        for activity in ExamView.Activity.allCases {
            services.metrics.set(
                .sessions, Double(counts[activity.rawValue] ?? 0), label: "activity=\"\(activity.rawValue)\"")
        }
    }

    package static func sentence(_ error: any Error) -> String {
        (error as? StoreError)?.message ?? (error as? AudioStoreError)?.message ?? (error as? Problem)?.sentence
            ?? "\(type(of: error))"
    }
}
