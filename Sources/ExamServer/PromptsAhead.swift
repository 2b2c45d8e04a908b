import ExamCore
import Logging
import ServiceLifecycle
import SystemSupport

/// Synthesizes the prompts of the catalogue's exams in advance. Otherwise the first candidate would wait for them, up
/// to a minute.
///
/// It runs while the server already serves. A candidate who comes earlier waits for the missing prompts.
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
