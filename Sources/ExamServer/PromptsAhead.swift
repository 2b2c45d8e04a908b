import ExamCore
import ExamKit
import ExamNode
import Logging
import ServiceLifecycle
import SystemSupport

/// Synthesizes the prompts of the catalogue's exams in advance. Otherwise the first candidate would wait for them, up
/// to a minute. It begins with all exams in their usual voices, and continues with the other voices.
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
        let voices = [nil] + exams.preparedExams.voices.names.dropFirst().map(Optional.some)
        for voice in voices {
            for format in exams.catalogue.formats {
                for paper in exams.catalogue.fitting(format) {
                    if Task.isCancelled { return }
                    papers += await speak(format, paper, voice) ? 1 : 0
                }
            }
        }
        logger.info(
            "prompts are spoken",
            metadata: ["exams": "\(papers)", "seconds": "\((SteadyClock.now - began).components.seconds)"])
    }

    /// - Returns: false if the prompts cannot be spoken.
    private func speak(_ format: ExamFormat, _ paper: Paper, _ voice: String?) async -> Bool {
        do {
            let exam = try await exams.preparedExams.exam(format, paper, ExamOptions(mode: .test), voice: voice)
            if exam.voice.name
                != exams.preparedExams.voices.voice(voice, for: format.id)?.speaking(format.language).name
            {
                exams.services.logger.warning(
                    "another voice speaks",
                    metadata: ["format": "\(format.id)", "paper": "\(paper.id)", "what": "\(exam.warnings.last ?? "")"])
            }
            return true
        } catch {
            let reason = (error as? Problem)?.sentence ?? "\(type(of: error))"
            exams.services.logger.warning(
                "prompts cannot be spoken",
                metadata: ["format": "\(format.id)", "paper": "\(paper.id)", "what": "\(reason)"])
            return false
        }
    }
}
