import ExamCore
import ExamKit
import Logging
import ServiceLifecycle
import SystemSupport

/// Speaks what exams of the catalogue say before anybody asks for one: who came first would wait for it, up to a minute.
///
/// Beside serving; whoever comes meanwhile waits for what is not spoken yet, as before.
struct PromptsAhead: Service {
    let exams: LiveExams

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await speak()
            // A service that returns ends all others.
            try? await gracefulShutdown()
        }
    }

    func speak() async {
        let (began, logger) = (SteadyClock.now, exams.services.logger)
        var papers = 0
        for format in exams.catalogue.formats {
            for paper in exams.catalogue.fitting(format) {
                if Task.isCancelled { return }
                do {
                    _ = try await exams.preparedExams.exam(format, paper, ExamOptions(mode: .test))
                    papers += 1
                } catch {
                    let reason = (error as? Problem)?.sentence ?? "\(type(of: error))"
                    logger.warning(
                        "prompts cannot be spoken",
                        metadata: ["format": "\(format.id)", "paper": "\(paper.id)", "what": "\(reason)"])
                }
            }
        }
        logger.info(
            "prompts are spoken",
            metadata: ["exams": "\(papers)", "seconds": "\((SteadyClock.now - began).components.seconds)"])
    }
}
