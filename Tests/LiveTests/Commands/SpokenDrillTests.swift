import ExamCore
import Foundation
import SessionFolders
import Testing
import VirtualDevices

extension Commands {
    /// `oracy practice speak`, with a recorded speaker at a virtual microphone.
    @Suite(.serialized) struct SpokenDrills {
        @Test func anAnswerReachesItsSecondsOrNot() async throws {
            let booth = try Booth()
            // The sentence takes some three seconds. One target is shorter, the other longer, so that the exam waits
            // for more.
            for (target, word) in [("1", "Reached. 1 of 1 answers reached 1 seconds of speech."), ("8", "Not yet. ")] {
                let known = booth.sessions
                let tool = try booth.start([
                    "practice", "speak", "one-more-sentence", "--count", "1", "--target", target, "--consent",
                    "--plain",
                ])
                let folder = try await booth.newSession(besides: known)
                let asked = try folder.frozenExam().paper.sections.values.joined().flatMap(\.questions).map(\.id)
                let answer = "\(Sounds.fixtures)/answers/sentence-4.flac"
                let candidate = RecordedCandidate(
                    at: .first, of: booth.server, log: folder.log,
                    answers: Dictionary(uniqueKeysWithValues: asked.map { ($0, answer) }))
                #expect(await tool.end() == 0, "\(tool.errors)")
                candidate.leave()
                #expect(tool.lines.contains { $0.hasPrefix(word) }, "\(tool.lines)")
                let page = try String(contentsOfFile: folder.path + "/tellings.html", encoding: .utf8)
                #expect(page.contains("<svg") && page.contains("One more sentence"))
                #expect(permissions(folder.path + "/tellings.html") == "600")
            }
            let log = try String(contentsOfFile: booth.data + "/practice.log", encoding: .utf8)
            let spoke = log.split(separator: "\n").filter { $0.contains(" spoke one-more-sentence ") }
            #expect(spoke.count == 2 && spoke[0].hasSuffix(" reached") && spoke[1].hasSuffix(" short"), "\(log)")
            let figures = try await booth.run("practice", "statistics")
            #expect(figures.lines.contains("one-more-sentence: 2 times, target reached 1"), "\(figures.lines)")
        }
    }
}
