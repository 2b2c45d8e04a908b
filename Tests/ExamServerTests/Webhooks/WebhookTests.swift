import Assessment
import Foundation
import LoopbackServers
import StoreTrials
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import HTTPClient
@testable import ServerWork

/// Endpoints receive events, signed, and again until they confirm them. Events never reach a private network.
@Suite(.bothStores) struct WebhookTests {
    private static let secret = "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString()

    /// A receiver on this machine with scripted answers.
    private final class Receiver: Sendable {
        let got = Mutex<[HTTPClient.HTTPRequest]>([])
        let answers: Mutex<[HTTPClient.HTTPResponse]>
        private let listening = Mutex<HTTPServer?>(nil)

        /// - Parameter answers: The answers, one after another. After the last one it answers 204.
        init(_ answers: [HTTPClient.HTTPResponse] = []) throws {
            self.answers = Mutex(answers)
            let server = try HTTPServer { [unowned self] request in
                got.withLock { $0.append(request) }
                return self.answers.withLock { $0.isEmpty ? HTTPClient.HTTPResponse(status: 204) : $0.removeFirst() }
            }
            listening.withLock { $0 = server }
        }

        var url: String { listening.withLock { $0!.url } + "/hook?secret=1" }
        var count: Int { got.withLock { $0.count } }
        func stop() { listening.withLock { $0?.stop() } }
    }

    private static func settings(
        _ address: String, id: String = "school", events: Set<SessionEvent>? = nil, isPrivate: Bool = true
    ) throws -> Webhooks {
        setenv("ORACY_TEST_WEBHOOK", secret, 1)
        return try Webhooks(
            WebhookSettings(endpoints: [
                .init(
                    id: id, address: address, key: ServiceKey(environment: "ORACY_TEST_WEBHOOK"), events: events,
                    private: isPrivate)
            ]), in: ".")
    }

    /// Runs a test with a completed session and a sender of its events.
    private func withSender(
        _ webhooks: Webhooks, _ body: (WebhookSender, Services, UUID, UUID) async throws -> Void
    ) async throws {
        try await withWorkerPlace { place, store in
            store.tellEvents(to: webhooks.events)
            let services = try place.services(store)
            let (session, user, _) = try await place.hold(services, answers: 1)
            try await body(WebhookSender(services: services, endpoints: webhooks.endpoints), services, session, user)
        }
    }

    /// Lets the delays pass.
    private func passTime(_ services: Services) async throws {
        try await services.store.service.write {
            _ = try $0.change("UPDATE processing_queue SET due = 0 WHERE kind = 'tell'")
        }
    }

    private func waiting(_ services: Services) async throws -> Int { try await services.store.service.waitingEvents() }

    @Test func anEventIsSentOnceAndSigned() async throws {
        let receiver = try Receiver()
        try await withSender(Self.settings(receiver.url)) { sender, services, session, user in
            #expect(try await sender.tellOnce("w"))
            #expect(try await sender.tellOnce("w") == false)
            let request = try #require(receiver.got.withLock { $0.first })
            #expect(receiver.count == 1 && request.method == "POST")
            #expect(request.header("content-type") == "application/json")
            let body = try #require(try JSONSerialization.jsonObject(with: Data(request.bytes)) as? [String: Any])
            #expect(body["type"] as? String == "session.completed" && body["timestamp"] is String)
            let data = body["data"] as? [String: String]
            #expect(data == ["session": session.uuidString.lowercased(), "user": user.uuidString.lowercased()])
            let (id, time) = (request.header("webhook-id") ?? "", request.header("webhook-timestamp") ?? "")
            let expected = try WebhookSecret(Self.secret, of: "x").signature(
                id: id, time: try #require(Int(time)), body: request.bytes)
            #expect(request.header("webhook-signature") == expected && id.hasPrefix("msg_"))
            // Completed again with the same data: no event.
            #expect(try await waiting(services) == 0)
        }
        receiver.stop()
    }

    /// The example of a signature in Standard Webhooks.
    @Test func signaturesAreThoseOfTheStandard() throws {
        let secret = try WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", of: "x")
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test(.needs(Trials.obstacle(to: "standardwebhooks"))) func aForeignReceiverVerifiesIt() async throws {
        let receiver = try Receiver()
        try await withSender(Self.settings(receiver.url)) { sender, _, session, _ in
            #expect(try await sender.tellOnce("w"))
            let request = try #require(receiver.got.withLock { $0.first })
            let path = NSTemporaryDirectory() + "webhook-\(UUID())"
            defer { unlink(path) }
            try Data(request.bytes).write(to: URL(filePath: path))
            let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map {
                "\($0)=\(request.header($0) ?? "")"
            }
            let (status, said) = await Trials.run(
                Trials.folder + "/bin/python", [Programs.file("Webhooks/verify.py"), Self.secret, path] + headers)
            #expect(status == 0 && said.contains("session.completed \(session.uuidString.lowercased())"), "\(said)")
        }
        receiver.stop()
    }

    /// After failures, a busy receiver and a redirect, the same id and body are sent until the receiver confirms. Its
    /// `Retry-After` is respected.
    @Test func failedEventsAreSentAgainWithTheSameId()
        async throws
    {
        let elsewhere = try Receiver()
        let receiver = try Receiver([
            .init(status: 500), .init(status: 302, headers: ["location": elsewhere.url]),
            .init(status: 429, headers: ["retry-after": "77"]),
        ])
        try await withSender(Self.settings(receiver.url)) { sender, services, _, _ in
            for round in 1...3 {
                #expect(try await sender.tellOnce("w"), "round \(round)")
                #expect(try await waiting(services) == 1)
                #expect(try await sender.tellOnce("w") == false, "the event is not sent again too early")
                if round == 3 {
                    let left: Double = try await services.store.service.read {
                        try $0.first("SELECT due - {seconds} AS left FROM processing_queue WHERE kind = 'tell'")!.value(
                            "left")
                    }
                    #expect((70...78).contains(left))
                }
                try await passTime(services)
            }
            #expect(try await sender.tellOnce("w"))
            #expect(try await waiting(services) == 0)
            let all = receiver.got.withLock { $0 }
            #expect(all.count == 4 && Set(all.map { $0.header("webhook-id") ?? "" }).count == 1)
            #expect(Set(all.map(\.bytes)).count == 1)
            #expect(elsewhere.count == 0, "redirects are not followed")
        }
        receiver.stop()
        elsewhere.stop()
    }

    /// An event is given up after its attempts, or at once if the receiver is gone, and stays stored for an operator.
    @Test func aGoneReceiverGetsNoMoreEvents() async throws {
        let receiver = try Receiver([.init(status: 410)])
        try await withSender(Self.settings(receiver.url)) { sender, services, _, _ in
            #expect(try await sender.tellOnce("w"))
            #expect(try await waiting(services) == 0)
            let status: String = try await services.store.service.read {
                try $0.first("SELECT status FROM processing_queue WHERE kind = 'tell'")!.value("status")
            }
            #expect(status == "dead")
        }
        receiver.stop()
        let deaf = try Receiver((0..<40).map { _ in .init(status: 503) })
        try await withSender(Self.settings(deaf.url)) { sender, services, _, _ in
            var tries = 0
            while try await sender.tellOnce("w") {
                tries += 1
                try await passTime(services)
            }
            #expect(tries == JobKind.tell.mostRetries + 1 && deaf.count == tries)
        }
        deaf.stop()
    }

    /// A receiver that doesn't answer is left alone for a while, and events that wait for it use up no attempts.
    @Test func anUnreachableReceiverDelaysNoOther() async throws {
        let receiver = try Receiver()
        let gone = try Receiver()
        let away = gone.url
        gone.stop()
        setenv("ORACY_TEST_WEBHOOK", Self.secret, 1)
        let key = ServiceKey(environment: "ORACY_TEST_WEBHOOK")
        let both = try Webhooks(
            WebhookSettings(endpoints: [
                .init(id: "a-away", address: away, key: key, private: true),
                .init(id: "b-there", address: receiver.url, key: key, private: true),
            ]), in: ".")
        try await withWorkerPlace { place, store in
            store.tellEvents(to: both.events)
            let services = try place.services(store)
            for _ in 0..<3 { _ = try await place.hold(services, answers: 1) }
            let sender = WebhookSender(services: services, endpoints: both.endpoints)
            while try await sender.tellOnce("w") {}
            #expect(receiver.count == 3)
            let tried: Int = try await services.store.service.read {
                try $0.first("SELECT sum(retry_count) AS tried FROM processing_queue WHERE kind = 'tell'")!.value(
                    "tried")
            }
            #expect(tried == 1, "only the first event was tried; the others waited")
        }
        receiver.stop()
    }

    /// A sender that dies after the receiver's confirmation: the event may be sent twice, under the same id, but it is
    /// never lost.
    @Test func aDeadNodesEventsAreSentByAnother() async throws {
        let receiver = try Receiver()
        try await withSender(Self.settings(receiver.url)) { sender, services, _, _ in
            // Claimed by a sender that notes nothing more, as after kill -9.
            let job = try #require(try await services.store.service.claim(.tell, worker: "dead", seconds: -1))
            let event = try #require(try await services.store.service.eventToTell(by: job))
            #expect(try await sender.tellOnce("w"))
            #expect(receiver.got.withLock { $0.first?.header("webhook-id") } == event.id)
            #expect(try await services.store.service.told(job) == false, "a dead sender cannot change the job")
            #expect(try await waiting(services) == 0)
        }
        receiver.stop()
    }

    /// The address of the connection counts, not the name that leads there.
    @Test func privateAddressesAreRefusedUnlessAllowed() async throws {
        let receiver = try Receiver()
        let port = receiver.url.split(separator: ":")[2].prefix { $0.isNumber }
        for host in [
            "127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "2130706433", "[::ffff:127.0.0.1]",
        ] {
            setenv("ORACY_TEST_WEBHOOK", Self.secret, 1)
            let webhooks = try Self.settings("https://\(host):\(port)/", isPrivate: false)
            try await withSender(webhooks) { sender, services, _, _ in
                #expect(try await sender.tellOnce("w"), "\(host)")
                let words: String = try await services.store.service.read {
                    try $0.first("SELECT error_message FROM processing_queue WHERE kind = 'tell'")!.value(
                        "error_message")
                }
                #expect(words == "school is an address of a private network", "\(host)")
            }
        }
        #expect(receiver.count == 0)
        receiver.stop()
    }

    @Test func publicAddressesAreRecognised() {
        func v4(_ text: String) -> Bool {
            PublicAddress.isOne(v4: text.split(separator: ".").compactMap { UInt32($0) }.reduce(0) { $0 << 8 | $1 })
        }
        for address in [
            "8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.167.1.1",
        ] {
            #expect(v4(address), "\(address)")
        }
        for address in [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.169.254", "172.16.0.1",
            "172.31.255.255", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255",
        ] {
            #expect(!v4(address), "\(address)")
        }
    }

    /// The events besides a session's end: evaluated, given up, and marked by people.
    @Test func eachEventIsSent() async throws {
        let receiver = try Receiver()
        try await withWorkerPlace { place, store in
            let webhooks = try Self.settings(receiver.url)
            store.tellEvents(to: webhooks.events)
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessors: assessor.panel)
            let sender = WebhookSender(services: services, endpoints: webhooks.endpoints)
            let (session, _, _) = try await place.hold(services, answers: 1)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(try await store.service.askForMarks(of: session, markers: 1))
            let task = try #require(try await store.service.takeNext(for: .init(UUID())))
            let marker: UUID = try await store.service.read {
                try $0.first("SELECT marker FROM marking_places WHERE id = ?", [task.id])!.value("marker")
            }
            _ = try await store.service.keep(
                sheet: MarksGiven(bands: [.fluency: 6]), of: task.id, by: marker, rubric: "r", assessor: "none",
                needsThird: { _ in false })
            while try await sender.tellOnce("w") {}
            let failing = CountingAssessor(place, version: "2") { _ in throw URLError(.timedOut) }
            let others = try place.services(store, assessors: failing.panel)
            // A database that fails makes the job fail in the end.
            let (lost, _, _) = try await place.hold(others, answers: 1)
            for _ in 0...JobKind.evaluate.mostRetries {
                let job = try #require(
                    try await store.service.claim(worker: "x", assessor: failing.panel.version, seconds: 60))
                _ = try await store.service.fail(job, "away", retryIn: 0)
            }
            while try await sender.tellOnce("w") {}
            let told = receiver.got.withLock { $0 }.compactMap { request -> String? in
                let body = (try? JSONSerialization.jsonObject(with: Data(request.bytes))) as? [String: Any]
                let own = (body?["data"] as? [String: String])?["session"] == lost.uuidString.lowercased()
                return (body?["type"] as? String).map { own ? "lost \($0)" : $0 }
            }
            #expect(
                told == [
                    "session.completed", "session.evaluated", "session.marked", "lost session.completed",
                    "lost session.failed",
                ])
        }
        receiver.stop()
    }

    /// Each error in the file is reported with its field.
    @Test func settingsThatCannotBeUsedAreNamed() throws {
        let key = #""key": {"environment": "K"}"#
        let wrong: [(String, String)] = [
            (
                #"{"version": 1, "endpoints": [{"id": "a b", "address": "https://a.example", \#(key)}]}"#,
                "endpoints[0].id"
            ),
            (#"{"version": 1, "endpoints": [{"id": "a", "address": "a.example", \#(key)}]}"#, "endpoints[0].address"),
            (#"{"version": 1, "endpoints": [{"id": "a", "address": "http://a.example", \#(key)}]}"#, "is http"),
            (
                #"{"version": 1, "endpoints": [{"id": "a", "address": "https://a.example", "key": {}}]}"#,
                "endpoints[0].key"
            ),
            (
                #"{"version": 1, "endpoints": [{"id": "a", "address": "https://a.example", \#(key), "events": ["x"]}]}"#,
                "events"
            ),
            (#"{"version": 2, "endpoints": []}"#, "version"),
            ("{", "line 1"),
        ]
        let path = NSTemporaryDirectory() + "webhooks-\(UUID()).json"
        defer { unlink(path) }
        for (text, words) in wrong {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let problem = #expect(throws: Problem.self) { try Webhooks(file: path) }
            #expect(
                problem?.sentence.contains(words) == true && problem?.sentence.contains(path) == true, "\(problem!)")
        }
        #expect(throws: Problem.self) { try WebhookSecret("whsec_c2hvcnQ=", of: "a") }
        #expect(throws: Problem.self) { try WebhookSecret("secret", of: "a") }
    }
}
