package import ExamNode
package import ServiceLifecycle

/// The work of a node beside its requests and exams: evaluation, webhooks, seals, generated questions and clean-up.
package struct BackgroundWork {
    private let services: Services
    private let exams: LiveExams
    private let webhooks: Webhooks

    package init(_ services: Services, exams: LiveExams, webhooks: Webhooks) {
        (self.services, self.exams, self.webhooks) = (services, exams, webhooks)
    }

    /// Returns the services that do the work until the application stops.
    ///
    /// - Parameter workers: the number of sessions that are evaluated at a time. 0 evaluates nothing.
    package func services(workers: Int) -> [any Service] {
        var running: [any Service] = [
            Sweeper(services: services), Sealer(services: services), SealWatch(services: services),
            Workers(services: services, count: workers),
        ]
        if workers > 0 { running.append(TestGraders(services: services)) }
        if !webhooks.endpoints.isEmpty {
            running.append(WebhookSender(services: services, endpoints: webhooks.endpoints))
        }
        if let writer = services.panel.writer {
            let making = PaperMaking(catalogue: exams.catalogue)
            running.append(PaperWriters(services: services, writer: writer, making: making))
            running.append(TestWriters(services: services, writer: writer))
        }
        if let days = services.settings.retentionDays {
            running.append(Retention(services: services, exams: exams, days: days))
        }
        return running
    }
}
