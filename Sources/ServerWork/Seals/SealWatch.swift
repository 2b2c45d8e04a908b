import ExamNode
import ExamStore
import Foundation
import Logging
import RecordingStores
import ServiceLifecycle
import SystemSupport

/// Reads sealed exams again in the background, some each minute and each of them once a day, and reports the ones that
/// were changed: in the log, and as a metric for the operator's alert.
///
/// Every node does this itself, so that its metric does not depend on another node.
actor SealWatch: Service {
    private let services: Services
    private let interval: Duration
    /// The most exams to read in one round.
    private let atOnce: Int
    /// The time from the beginning of a pass over all exams to the next one.
    private static let day = Duration.seconds(86_400)

    /// The last session of the previous round; nil at the beginning of a pass. A new node begins at a random place, so
    /// that nodes that are restarted often do not always read the same exams.
    private var last: UUID? = UUID()
    /// The beginning of this pass; nil if it did not begin with the first session.
    private var began: Duration?
    /// The time of the next pass; nil while one is under way.
    private var next: Duration?
    private var broken: Set<UUID> = []

    /// - Parameter interval: the time between two rounds.
    init(services: Services, every interval: Duration = .seconds(60), atOnce: Int = 20) {
        (self.services, self.interval, self.atOnce) = (services, interval, atOnce)
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await self.look(at: SteadyClock.now)
                try await Task.sleep(for: self.interval)
            }
        }
    }

    /// Reads the next exams, and again those that were broken. If the database or the storage does not answer, the next
    /// round continues at the same place.
    func look(at now: Duration) async {
        defer { services.metrics.set(.brokenSeals, Double(broken.count)) }
        do {
            for session in broken.sorted(by: { $0.uuidString < $1.uuidString }) { try await check(session) }
            if let next, now < next { return }
            if last == nil { (began, next) = (now, nil) }
            let page = try await services.store.service.sealedSessions(after: last, limit: atOnce)
            for (session, _) in page {
                try await check(session)
                last = session
            }
            if page.count < atOnce { (last, next) = (nil, began.map { $0 + Self.day }) }
        } catch is CancellationError {
            // The server stops.
        } catch {
            services.logger.warning("sealed exams cannot be read again", metadata: ["what": "\(Self.words(error))"])
        }
    }

    private func check(_ session: UUID) async throws {
        var report = try await report(of: session)
        // If a mark is added or the exam is erased between two reads, that looks like a change. A second check decides.
        if report.state == .broken { report = try await self.report(of: session) }
        services.metrics.add(.checkedSeals)
        guard report.state == .broken else {
            broken.remove(session)
            return
        }
        guard broken.insert(session).inserted else { return }
        let found = report.differs.map { "\($0.item): \($0.why)" }.joined(separator: "; ")
        services.logger.error(
            "a seal is broken", metadata: ["session": "\(session.name)", "what": "\(found)"])
    }

    private func report(of session: UUID) async throws -> SealReport {
        let service = services.store.service
        return try await SealCheck(service, services.audio).report(of: session, service.seal(of: session))
    }

    private static func words(_ error: any Error) -> String {
        (error as? StoreError)?.message ?? (error as? AudioStoreError)?.message ?? "\(type(of: error))"
    }
}
