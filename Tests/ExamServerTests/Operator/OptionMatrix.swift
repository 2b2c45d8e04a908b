import Assessment
import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import Synchronization
import TestSupport
import Testing
import UploadQueue

@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork
@testable import VirtualDevices

/// The real program with each option that changes how an exam is handled. A short exam is held to its results, and the
/// effect of the option is checked.
@Suite(.bothStores(quick: .postgres)) struct OptionMatrix {
    @Test(arguments: 0...2) func theRequestedNumberOfMarkersMark(_ markers: Int) async throws {
        try await withOptionTrial { trial in
            let server = try await trial.start(["--markers", "\(markers)"])
            let session = try await trial.sit(server)
            let results = try await trial.results(of: session, server)
            let asked = results["marking"] as? [String: Int]
            #expect(asked == (markers == 0 ? nil : ["asked": markers, "done": 0]))
            for _ in 0..<markers {
                let marker = UUID()
                let taken = try await ask(server, "POST", "/v1/marking", as: marker)
                let task = try #require(taken.object["task"] as? String, "\(taken.status): \(taken.text)")
                let sheet = try await ask(server, "PUT", "/v1/marking/\(task)/sheet", School.sheet(6.5), as: marker)
                #expect(sheet.status == 201, "\(sheet.text)")
            }
            #expect(try await ask(server, "POST", "/v1/marking", as: UUID()).status == 204, "nothing is left to mark")
            if markers > 0 {
                try await eventually("the marks are the exam's band") {
                    let results = try await trial.told(server, "/v1/sessions/\(session)/results")
                    return (results["scores"] as? [String: Any])?["overall"] as? Double == 6.5
                        && results["marking"] as? [String: Int] == ["asked": markers, "done": markers]
                }
            }
            try await trial.stop(server)
        }
    }

    private func ask(
        _ server: OperatedServer, _ method: String, _ path: String, _ json: Any? = nil, as marker: UUID
    ) async throws -> HTTPClient.HTTPResponse {
        try await RunningServer.ask(server.address(), method, path, json, as: marker, .marker)
    }

    @Test func assessorsJudgeEachAnswer() async throws {
        try await withOptionTrial { trial in
            try trial.den.write(
                Data(
                    #"cat > /dev/null; echo '{"criteria": {"fluency": {"band": 6.5, "because": "no long pause"}}}'"#
                        .utf8),
                to: "judge.sh")
            try trial.den.write(
                Data(
                    #"{"version": 1, "assessors": [{"id": "judge", "kind": "command", "command": ["/bin/sh", "judge.sh"]}]}"#
                        .utf8), to: "assessors.json")
            let server = try await trial.start(["--assessors", "FOLDER/assessors.json"])
            let session = try await trial.sit(server)
            _ = try await trial.results(of: session, server)
            let assessment = try await RunningServer.ask(
                server.address(), "GET", "/v1/sessions/\(session)/assessment", as: trial.learner.user)
            let marks = assessment.object["marks"] as? [String: Any]
            let fluency = (marks?["criteria"] as? [String: [String: Any]])?["fluency"]
            #expect((fluency?["outcome"] as? [String: Any])?["mark"] as? Double == 6.5, "\(assessment.text)")
            #expect((fluency?["basis"] as? String)?.contains("judge") == true, "\(fluency ?? [:])")
            try await trial.stop(server)
        }
    }

    @Test func rulesOfAFileTurnMarksIntoResults() async throws {
        var rules = ResultRules.ielts
        (rules.id, rules.label) = ("our-school/1", "mock exam")
        let text = try JSONEncoder().encode(rules)
        try await withOptionTrial { trial in
            try trial.den.write(text, to: "rules.json")
            let server = try await trial.start(["--markers", "1", "--rules", "FOLDER/rules.json"])
            let session = try await trial.sit(server)
            _ = try await trial.results(of: session, server)
            let marker = UUID()
            let taken = try await ask(server, "POST", "/v1/marking", as: marker)
            let task = try #require(taken.object["task"] as? String, "\(taken.status): \(taken.text)")
            let sheet = try await ask(server, "PUT", "/v1/marking/\(task)/sheet", School.sheet(6.5), as: marker)
            #expect(sheet.status == 201, "\(sheet.text)")
            let assessment = try await RunningServer.ask(
                server.address(), "GET", "/v1/sessions/\(session)/assessment", as: trial.learner.user)
            let marks = assessment.object["marks"] as? [String: Any]
            #expect(marks?["rules"] as? String == "our-school/1" && marks?["label"] as? String == "mock exam")
            try await trial.stop(server)
        }
    }

    /// The worker replays words, in an installation whose files are empty.
    @Test(.needs(ReplayedWords.obstacle))
    func wordsAreWrittenDownOnThisMachine() async throws {
        try await withOptionTrial { trial in
            try ReplayedWords.install(in: trial.den.folder + "/words", "say I live here.")
            let server = try await trial.start(
                ["--words", "FOLDER/words"], environment: ["ORACY_WORDS_PROGRAM": ReplayedWords.program])
            let session = try await trial.sit(server)
            let results = try await trial.results(of: session, server)
            let answers = results["answers"] as? [[String: Any]] ?? []
            #expect(answers.contains { ($0["transcript"] as? String)?.contains("I live here.") == true }, "\(results)")
            try await trial.stop(server)
            // Without it, nothing is written down.
            let without = try await trial.start(["--words", "off"])
            let second = try await trial.sit(without)
            let silent = try await trial.results(of: second, without)["answers"] as? [[String: Any]] ?? []
            #expect(!silent.isEmpty && silent.allSatisfy { $0["transcript"] == nil })
            try await trial.stop(without)
        }
    }

    @Test func webhooksAreSentAndSigned() async throws {
        let got = Received()
        let receiver = try HTTPServer { request in
            got.requests.withLock { $0.append(request) }
            return HTTPClient.HTTPResponse(status: 204)
        }
        defer { receiver.stop() }
        let secret = "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString()
        try await withOptionTrial { trial in
            try trial.den.write(
                Data(
                    #"""
                    {"version": 1, "endpoints": [{"id": "office", "address": "\#(receiver.url)/", "private": true,
                      "key": {"environment": "OFFICE_KEY"}}]}
                    """#.utf8), to: "webhooks.json")
            let server = try await trial.start(
                ["--webhooks", "FOLDER/webhooks.json"], environment: ["OFFICE_KEY": secret])
            let session = try await trial.sit(server)
            _ = try await trial.results(of: session, server)
            var told: HTTPClient.HTTPRequest?
            try await eventually("the end of the exam is told") {
                told = got.requests.withLock { all in all.first { $0.event["type"] as? String == "session.completed" } }
                return told != nil
            }
            let request = try #require(told)
            #expect(request.event["data"] as? [String: String] == ["session": session, "user": trial.learner.name])
            let time = try #require(request.header("webhook-timestamp").flatMap { Int($0) })
            let signature = try WebhookSecret(secret, of: "office").signature(
                id: request.header("webhook-id") ?? "", time: time, body: request.bytes)
            #expect(request.header("webhook-signature") == signature)
            try await trial.stop(server)
        }
    }

    @Test(.needs(S3Trial.obstacle)) func recordingsLieInTheBucket() async throws {
        let bucket = try await S3AudioStoreTests.bucket()
        try await withOptionTrial { trial in
            let server = try await trial.start(bucket: bucket)
            let session = try await trial.sit(server)
            let results = try await trial.results(of: session, server)
            let keys = try await S3AudioStore(bucket).keys(
                of: try #require(UUID(uuidString: session)), user: trial.learner.user)
            #expect(keys.count == (results["answers"] as? [Any])?.count)
            try await trial.stop(server)
        }
    }

    @Test func oldSessionsAreErasedAndTheRestStays() async throws {
        try await withOptionTrial { trial in
            let before = try await trial.start()
            let young = try await trial.sit(before)
            let old = try SessionTests.Held(
                answers: 1, startedAt: "2020-01-01T00:00:00Z", endedAt: "2020-01-01T00:20:00Z", in: trial.den.folder)
            try await UploadQueueOf(before.address(), in: trial.den.folder).send(
                old, RunningServer.token(of: trial.learner.user))
            _ = try await trial.results(of: young, before)
            try await trial.stop(before)

            // The server looks for old sessions when it starts, and then every hour.
            let server = try await trial.start(["--retention", "1"])
            let path = "/v1/sessions/\(old.facts.id.uuidString.lowercased())"
            try await eventually("the old session is erased") {
                try await RunningServer.ask(server.address(), "GET", path, as: trial.learner.user).status == 404
            }
            _ = try await trial.results(of: young, server)
            let session = try await trial.sit(server)
            _ = try await trial.results(of: session, server)
            try await trial.stop(server)
        }
    }

    @Test(
        .needs(S3Trial.obstacle),
        .store(only: .postgres, because: "Several nodes share a database; a file of SQLite's is one process's.")
    ) func twoNodesShareAnExam() async throws {
        let bucket = try await S3AudioStoreTests.bucket()
        try await withOptionTrial { trial in
            var nodes: [OperatedServer] = []
            for name in ["a", "b"] {
                nodes.append(try await trial.start(["--node", name], bucket: bucket, name: name))
            }
            let session = try await trial.sit(nodes[0])
            for node in nodes {
                let answers = try await trial.results(of: session, node)["answers"] as? [[String: Any]] ?? []
                for answer in answers {
                    let recording = try #require(answer["recording"] as? String, "\(answer)")
                    let sound = try await RunningServer.ask(node.address(), "GET", recording, as: trial.learner.user)
                    #expect(sound.status == 200 && sound.body.count > 1_000, "\(recording)")
                }
            }
            for node in nodes { try await trial.stop(node) }
        }
    }
}

/// The requests that a receiver of webhooks got.
private final class Received: Sendable {
    let requests = Mutex<[HTTPClient.HTTPRequest]>([])
}

extension HTTPClient.HTTPRequest {
    /// The event in a webhook's body. Empty if it is not JSON.
    fileprivate var event: [String: Any] {
        ((try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]) ?? [:]
    }
}
