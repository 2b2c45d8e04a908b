import Assessors
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import Waiting

@testable import ExamNode
@testable import ExamServer

/// A language model on this machine that can only write about bees. Its first frame is too short.
final class WritingService: Sendable {
    private let asked = Mutex(0)
    private let mayAnswer = Mutex(true)
    private let knowsKey = Mutex(true)
    private let listening = Mutex<HTTPServer?>(nil)

    var count: Int { asked.withLock { $0 } }

    var url: String { listening.withLock { $0?.url ?? "" } }

    init() throws {
        let server = try HTTPServer { [unowned self] request in
            if request.path == "/go" {
                goOn()
                return HTTPResponse(status: 200, body: [])
            }
            let body = String(decoding: request.bytes, as: UTF8.self)
            let number = asked.withLock { count in
                count += 1
                return count
            }
            _ = Patience.poll { mayAnswer.withLock { $0 } ? true : nil }
            guard knowsKey.withLock({ $0 }) else { return HTTPResponse(status: 401, body: []) }
            let said = body.contains(#"\"topic\" : \"bees\""#) ? Self.bees(number == 1 ? 4 : 5) : "I would rather not."
            let content = String(decoding: (try? JSONEncoder().encode(said)) ?? Data(), as: UTF8.self)
            return HTTPResponse(
                status: 200, headers: ["content-type": "application/json"],
                body: Array("{\"choices\":[{\"message\":{\"content\":\(content)},\"finish_reason\":\"stop\"}]}".utf8))
        }
        listening.withLock { $0 = server }
    }

    func stop() {
        let server = listening.withLock { $0 }
        server?.stop()
    }

    /// Accepts questions without answering them until `goOn`.
    func pause() { mayAnswer.withLock { $0 = false } }
    func goOn() { mayAnswer.withLock { $0 = true } }

    /// From now on requires another key, or accepts the usual one again.
    func askForAnotherKey(_ isSo: Bool) { knowsKey.withLock { $0 = !isSo } }

    /// - Parameter recipient: The name of the recipient of topics.
    func panel(recipient: String? = nil) throws -> AssessorPanel {
        var entry = AssessorEntry(id: "papers", kind: .languageModel)
        entry.address = url + "/v1"
        entry.model = "m-1"
        entry.recipient = recipient
        entry.seconds = 20
        var panel = AssessorPanel()
        panel.writer = try PaperWriter(entry, in: ".")
        return panel
    }

    private static let questions = [
        ("Where did you last see a bee?", "remember", "What was it doing?"),
        ("How often do you eat honey at home?", "remember", "What do you eat it with?"),
        ("How did you feel about bees as a child?", "understand", "What has changed since then?"),
        ("What would you like to ask someone who keeps a hive?", "apply", "Why does that interest you?"),
        ("How would you make a small garden more pleasant for bees?", "apply", "Which plants would you choose?"),
    ]

    private static func bees(_ count: Int) -> String {
        let own = questions.prefix(count).map { text, bloom, followUp in
            "{\"text\": \"\(text)\", \"bloom\": \"\(bloom)\", \"followUp\": \"\(followUp)\"}"
        }
        return """
            {"title": "Bees", "difficulty": "Easy", "keywords": ["bee", "honey", "hive"], "lead": "Let us talk about bees.",
             "questions": [\(own.joined(separator: ", "))]}
            """
    }
}
