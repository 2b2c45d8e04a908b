import Foundation
import HTTPClient
import Learning
import Synchronization
import UploadQueue

@testable import Backends

/// A simulated plan server that records requests and waits, and answers as the test says.
final class MockPlanServer: HTTPExchanging {
    private let asked = Mutex<[(request: HTTPRequest, limits: HTTPLimits)]>([])
    private let waited = Mutex<[Duration]>([])
    private let answer: @Sendable (Int, HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

    /// - Parameter answer: Returns the answer to the request with this number, from 0.
    init(_ answer: @escaping @Sendable (Int, HTTPRequest) async throws(HTTPFailure) -> HTTPResponse) {
        self.answer = answer
    }

    convenience init(status: Int, _ body: [UInt8] = [], type: String = "application/json") {
        self.init { (_, _) throws(HTTPFailure) in
            HTTPResponse(status: status, headers: ["content-type": type], body: body)
        }
    }

    convenience init(failing kind: HTTPFailure.Kind) {
        self.init { (_, _) throws(HTTPFailure) in throw HTTPFailure(kind, "told to fail") }
    }

    var requests: [HTTPRequest] { asked.withLock { $0.map(\.request) } }
    var limits: [HTTPLimits] { asked.withLock { $0.map(\.limits) } }
    /// The waits between tries.
    var waits: [Duration] { waited.withLock { $0 } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = asked.withLock { asked in
            asked.append((request, limits))
            return asked.count - 1
        }
        return try await answer(number, request)
    }

    func client(
        _ url: String = "https://plans.example.org/", token: String? = "good", timeout: Duration = .seconds(15)
    ) -> PlanClient {
        PlanClient(
            url: url, client: self, token: { () throws(DeliveryFailure) in token }, timeout: timeout,
            offset: { 3600 }, sleep: { wait in self.waited.withLock { $0.append(wait) } })
    }
}

extension HTTPRequest {
    /// The request without the server's address.
    var route: String { "\(method) \(url.replacing("https://plans.example.org", with: ""))" }

    func field(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    var json: [String: Any] {
        guard case .bytes(let bytes) = body else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }
}

/// The requests' content in these tests.
enum SamplePlan {
    static let profile = LearnerProfile(
        name: "Anna", stage: "second year", targetRole: "IELTS 7", timeBudgetHoursPerDay: 1,
        availableDays: [.monday, .wednesday, .friday], constraints: ["not before 18:00"], goalBand: 7)

    static let plan = StudyPlan(for: profile, PlanEvidence(), week: StudyDay("2026-11-25")!)
    static let prep = PrepPack(for: profile, plan: plan, starterQuestions: ["Where do you live?"])

    static func problem(_ status: Int, _ code: String, _ detail: String) -> MockPlanServer {
        MockPlanServer(
            status: status,
            Array(#"{"type":"https://oracy.example/problems/\#(code)","title":"No","detail":"\#(detail)"}"#.utf8),
            type: "application/problem+json")
    }
}
