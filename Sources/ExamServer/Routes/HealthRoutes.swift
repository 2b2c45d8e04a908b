import ExamNode
import ExamStore
import HTTPTypes
import Hummingbird
import RecordingStores
import ServerWork
import SystemSupport
import UploadQueue

/// Routes for operators. They need no token, and their answers contain nothing about people.
struct HealthRoutes: Sendable {
    private let services: Services
    private let ready: [(part: String, probe: Probe<Void>)]
    /// Returns whether the server is about to stop.
    private let isDraining: @Sendable () -> Bool
    private let waiting: Probe<WorkerMetrics>

    /// The time for each check. `/ready` must answer within two seconds, even if a check hangs.
    private static let patience = Duration.milliseconds(1_700)

    init(_ services: Services, exams: LiveExams) {
        self.services = services
        let queue = exams.queue
        isDraining = { exams.registry.isDraining }
        ready = [
            ("database", Probe(patience: Self.patience) { try await services.store.ping() }),
            ("recordings", Probe(patience: Self.patience) { try await services.audio.ping() }),
            (
                "disk",
                Probe(patience: Self.patience) {
                    try await runBlocking(on: .probes) { () throws(Problem) in
                        try queue.admitSession(within: services.settings.room)
                    }
                }
            ),
        ]
        waiting = Probe(patience: Self.patience) { try await WorkerMetrics(of: services) }
    }

    func add(to routes: some RouterMethods<ServerContext>) {
        // Alive: the process answers.
        routes.get("health") { _, _ in Answer(["status": "ok"]) }
        // Clients of signed addresses use the versioned path for all requests.
        routes.get("v1/health") { _, _ in Answer(["status": "ok"]) }
        // Ready: the storage answers, too, and there is space. Otherwise requests should go to another node.
        routes.get("ready") { _, _ async throws -> Answer<[String: String]> in
            guard !isDraining() else {
                throw APIProblem(
                    .serviceUnavailable, "not-ready", "Not ready",
                    "This server is about to stop, and begins no more exams.", retryAfter: 5)
            }
            let failing = await failing()
            guard failing.isEmpty else {
                throw APIProblem(
                    .serviceUnavailable, "not-ready", "Not ready",
                    "No answer, or no room: \(failing.joined(separator: ", ")).", retryAfter: 5)
            }
            return Answer(["status": "ok"])
        }
    }

    /// Adds the metrics to the common port, or to their own.
    func addMetrics(to routes: some RouterMethods<ServerContext>) {
        routes.get("metrics") { _, _ in
            WorkerMetrics.set(await waiting.answer(), in: services.metrics)
            services.sound.tell(services.metrics)
            services.panel.tellOfWords(services.metrics)
            services.metrics.set(.outboundBytes, Double(services.outbound.waiting))
            if let free = FileFacts.free(at: services.settings.folder) {
                services.metrics.set(.freeBytes, Double(free))
            }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: services.metrics.text)))
        }
    }

    /// Returns the names of failing parts. All are checked at the same time.
    private func failing() async -> [String] {
        await withTaskGroup(of: (Int, Bool).self) { group in
            for (place, part) in ready.enumerated() {
                group.addTask { (place, await part.probe.answer() != nil) }
            }
            var answered: Set<Int> = []
            for await (place, isAnswered) in group where isAnswered { answered.insert(place) }
            return ready.indices.filter { !answered.contains($0) }.map { ready[$0].part }
        }
    }
}
