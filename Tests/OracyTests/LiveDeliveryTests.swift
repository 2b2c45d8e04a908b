import Backends
import ExamKit
import Foundation
import SessionFolders
import SessionUploads
import Synchronization
import TestSupport
import Testing
import UploadQueue
import Waiting

@testable import oracy

/// The end of an exam waits for its uploads, but not forever.
@Suite struct LiveDeliveryTests {
    /// Accepts a session, and doesn't finish anything else until it is opened.
    private final class SlowUploader: Uploader {
        let place = "slow"
        let isOpen = Mutex(false)

        func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
            if upload.stage == .session { return }
            if await !Patience.wait({ isOpen.withLock { $0 } }) { throw DeliveryFailure(.cancelled) }
        }
    }

    private func held(_ home: TemporaryFolder) async throws -> (SessionFolder, Manifest) {
        let path = home.path + "/sessions/pocket"
        let voice = ExaminerVoice(recordings: [Tool.fixtures + "/prompts"], cache: "/proc/nowhere")
        _ = try await Replay(Scenario(folder: Tool.fixtures + "/scenarios/pocket-exam"), voice: voice).run(into: path)
        let folder = try SessionFolder.open(at: path)
        return (folder, try #require(try folder.readManifest()))
    }

    @Test(.endsIfItHangs) func unfinishedUploadsStayQueuedAfterTheWait() async throws {
        let home = try TemporaryFolder()
        let (folder, manifest) = try await held(home)
        let uploader = SlowUploader()
        let queue = try DeliveryQueue(folder: home.path + "/uploads", destination: "folder-1")
        let delivery = LiveDelivery(
            queue: queue, uploader: uploader, to: .folder(path: "/srv"), lastWait: .milliseconds(100))
        delivery.begin(folder, isNew: true)
        let end = try #require(await delivery.finish(manifest) { _ in })
        #expect(end.arrived == nil && end.line.hasPrefix("uploads  6 uploads still waiting for /srv"), "\(end.line)")
        #expect(try queue.counts().open == 6 && queue.counts().delivered == 1)
        // Nothing that was given up for the moment is lost, and nothing is sent twice.
        uploader.isOpen.withLock { $0 = true }
        let second = LiveDelivery(queue: queue, uploader: uploader, to: .folder(path: "/srv"))
        second.begin(folder, isNew: false)
        let last = try #require(await second.finish(manifest) { _ in })
        #expect(last.arrived?.session == (try SessionDelivery.id(of: folder, at: "folder-1")), "\(last.line)")
        #expect(try queue.counts().delivered == 7)
    }

    @Test func resultsAreShownAsTheyAreWithoutFillingInAnything() {
        let results = SessionResults(
            scores: .init(overall: 6.5, fluency: 6, vocabulary: 7),
            answers: [
                .init(
                    question: "q1", part: 1, order: 1, scores: .init(fluency: 6), transcript: "I lives\u{1b}[2J here.",
                    mistakes: [.init(original: "lives", correction: "live", type: "grammar")]),
                .init(question: "q2", part: 2, order: 1, error: "no speech"),
            ])
        let expected = """
            results  from a.org

                                overall  fluency  pronunciation  grammar  vocabulary  topic
            exam                    6.5        6              -        -           7      -
            part 1, question 1        -        6              -        -           -      -
            part 2, question 1        -        -              -        -           -      -

            part 1, question 1: Where do you live?
              I lives[2J here.
              - "lives" → "live" (grammar)

            part 2, question 1
              not assessed: no speech
            """
        #expect(ResultsText(results, questions: ["q1": "Where do you live?"], from: "a.org").text == expected)
    }
}
