import ExamCore
import StoreTrials
import Study
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Shadowing over a WebSocket: the learner speaks while the client plays the sentence.
@Suite(.bothStores(quick: .sqlite)) struct SpeakingAlong {
    @Test(arguments: [SpokenDrill.shadowing, .repeatAfterMe])
    func anAnswerOpensWhenASentenceBeginsOnlyInShadowing(_ drill: SpokenDrill) async throws {
        let node = try await TestNode(TestBackend())
        let held = try DrillExam(drill, [Paper.Question(id: "one", text: "This is a rather long sentence to say.")])
        let prepared = try await node.exams.preparedExams.exam(held.format, held.paper, held.options)
        let made = try await node.make(prepared)
        let (stops, isOpen) = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            func play() throws -> Int {
                for _ in 0..<6 { client.beSilent(25) }
                return try client.message { $0["type"] as? String == "play" }?["prompt"] as! Int
            }
            let opening = try play()
            client.socket.say("{\"type\":\"played\",\"prompt\":\(opening)}")
            // The sentence begins, and is never reported as played.
            let sentence = try play()
            client.socket.say("{\"type\":\"began\",\"prompt\":\(sentence)}")
            for _ in 0..<3 { client.beSilent(25) }
            client.socket.say("{\"type\":\"ping\"}")
            _ = try client.message { $0["type"] as? String == "pong" }
            let isOpen = client.messages.contains { $0["recording"] as? Bool == true }
            return (client.messages.count { $0["type"] as? String == "stop" }, isOpen)
        }
        #expect(isOpen == (drill == .shadowing))
        #expect(stops == 0, "the sentence is played to its end")
        try await node.stop()
    }
}
