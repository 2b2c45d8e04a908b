import BackendAPI
import Foundation
import HTTPClient
import Synchronization
import SystemSupport
import Testing
import UploadQueue

@testable import Backends

/// The agreed routes, with a strict fake backend.
@Suite struct BackendUploaderTests {
    private let sample: SampleSession

    init() throws { sample = try SampleSession(seed: 3) }

    private var uploads: [Upload] {
        get throws {
            [
                sample.session, try sample.answer(part: 1, order: 1, byteCount: 90_000),
                try sample.answer(part: 2, order: 1, byteCount: 70_000, suffix: "wav"), sample.completion,
            ]
        }
    }

    private func uploader(_ client: any HTTPExchanging, token: String? = FakeBackend.token) -> BackendUploader {
        BackendUploader(url: "https://exams.example.org/api/", client: client) { () throws(DeliveryFailure) in token }
    }

    @Test func aSessionArrivesByTheAgreedRoutes() async throws {
        let backend = FakeBackend()
        var persistence = Persistence()
        #expect(await persistence.deliver(try uploads, by: uploader(backend)))
        #expect(persistence.failures.isEmpty)
        let id = sample.facts.id.name
        let answers = try uploads.filter { $0.stage == .answer }
        var expected = ["PUT /v1/sessions/\(id)"]
        for answer in answers {
            expected.append("PUT /v1/sessions/\(id)/answers/\(answer.id.name)/recording")
            expected.append("PUT /v1/sessions/\(id)/answers/\(answer.id.name)")
        }
        expected.append("PUT /v1/sessions/\(id)/completion")
        #expect(backend.requests.map { "\($0.method) \($0.url.dropFirst(backend.base.count))" } == expected)
        for answer in answers {
            let stored = try #require(backend.now.recordings["\(id)/\(answer.id.name)"])
            #expect(SHA256.hexadecimal(of: stored) == answer.file!.sha256)
        }
        #expect(backend.now.answers.count == 2)
        #expect(backend.now.completions.count == 1)
    }

    /// Any mishap to any request: in the end the backend has the same as without it.
    @Test func anyMishapToAnyRequestHasOneEffect() async throws {
        let calm = FakeBackend()
        var persistence = Persistence()
        try #require(await persistence.deliver(try uploads, by: uploader(calm)))
        var count = 0
        for number in 1...calm.requests.count {
            for mishap in UnreliableWay.Mishap.allCases {
                let backend = FakeBackend()
                let way = UnreliableWay(to: backend, mishap: (number, mishap))
                var persistence = Persistence()
                #expect(await persistence.deliver(try uploads, by: uploader(way)), "\(mishap) at \(number)")
                #expect(backend.now == calm.now, "\(mishap) at \(number)")
                #expect(
                    persistence.failures.map(\.kind) == [mishap.failure].compactMap { $0 }, "\(mishap) at \(number)")
                if mishap == .unavailable { #expect(persistence.failures.first?.retryAfter == .seconds(7)) }
                count += 1
            }
        }
        print("Backend: \(count) mishaps, each with one effect")
        #expect(count == 6 * UnreliableWay.Mishap.allCases.count)
    }

    @Test func bytesThatWereDamagedOnTheWayAreSentAgain() async throws {
        let sendings = Atomic(0)
        let backend = FakeBackend { bytes in
            sendings.add(1, ordering: .relaxed).oldValue == 0 ? bytes.dropLast() + [bytes.last! ^ 1] : bytes
        }
        let answer = try sample.answer()
        let uploader = uploader(backend)
        try await uploader.deliver(sample.session, with: Courier())
        let failed = await failure(of: uploader, answer)
        #expect(failed?.kind == .transient)
        #expect(failed?.code == "422/digest-mismatch")
        #expect(await failure(of: uploader, answer) == nil)
        #expect(backend.now.recordings.values.map(SHA256.hexadecimal(of:)) == [answer.file!.sha256])
    }

    @Test func aLocalChangeIsDistinguishedFromDamageInTransit() async throws {
        let backend = FakeBackend()
        let answer = try sample.answer()
        let uploader = uploader(backend)
        try await uploader.deliver(sample.session, with: Courier())
        var bytes = try Data(contentsOf: URL(filePath: answer.file!.path))
        bytes[1000] ^= 1
        try bytes.write(to: URL(filePath: answer.file!.path))
        #expect(await failure(of: uploader, answer)?.kind == .fileAltered)
        try bytes.dropLast().write(to: URL(filePath: answer.file!.path))
        let before = backend.requests.count
        #expect(await failure(of: uploader, answer)?.kind == .fileAltered)
        try FileManager.default.removeItem(atPath: answer.file!.path)
        #expect(await failure(of: uploader, answer)?.kind == .fileMissing)
        #expect(backend.requests.count == before, "a connection was opened although the file is damaged or missing")
        #expect(backend.now.recordings.isEmpty)
    }

    @Test func aRecordingThatArrivedIsNotSentAgainUnlessItHasGone() async throws {
        let backend = FakeBackend()
        let answer = try sample.answer()
        let notes = KeptNotes()
        // The second request is the answer's own.
        let way = uploader(UnreliableWay(to: backend, mishap: (2, .requestLost)))
        try await uploader(backend).deliver(sample.session, with: Courier())
        #expect(await failure(of: way, answer, with: notes.courier)?.kind == .transient)
        backend.removeRecordings()
        #expect(await failure(of: way, answer, with: notes.courier)?.kind == .parentMissing)
        #expect(await failure(of: way, answer, with: notes.courier) == nil)
        #expect(await failure(of: way, answer, with: notes.courier) == nil)
        #expect(backend.requests.filter { $0.url.hasSuffix("/recording") }.count == 2)
        #expect(backend.now.answers.count == 1)
    }

    @Test func otherBytesAreNotTakenForTheRecording() async throws {
        let backend = FakeBackend()
        let answer = try sample.answer()
        let uploader = uploader(backend)
        try await uploader.deliver(sample.session, with: Courier())
        backend.put(recording: [1, 2, 3], at: "\(sample.facts.id.name)/\(answer.id.name)")
        #expect(await failure(of: uploader, answer)?.kind == .refused)
        #expect(backend.now.answers.isEmpty)
    }

    @Test func anEarlyAnswerWaitsForItsSession() async throws {
        let failed = await failure(of: uploader(FakeBackend()), try sample.answer())
        #expect(failed?.kind == .parentMissing)
        #expect(failed?.message == "Too early: The session is not here yet")
    }

    @Test(arguments: ["an.old-token", "", "two words", "a\r\nHost: b", nil])
    func anInvalidTokenNeedsASignIn(_ token: String?) async throws {
        let backend = FakeBackend()
        let failed = await failure(of: uploader(backend, token: token), sample.session)
        #expect(failed?.kind == .signInNeeded)
        #expect(backend.now == FakeBackend.State())
        if let token, !token.isEmpty { #expect(failed?.message.contains(token) == false) }
    }

    /// Statuses as a proxy or another server may send them, with the queue's reaction to each.
    @Test(arguments: [
        (400, DeliveryFailure.Kind.refused), (403, .refused), (404, .refused), (405, .refused), (408, .timedOut),
        (412, .transient), (413, .refused), (415, .refused), (422, .transient), (425, .transient), (429, .transient),
        (500, .transient), (502, .transient), (503, .transient), (504, .timedOut), (507, .transient),
        (511, .unreachable),
        (301, .transient), (307, .transient), (206, .transient),
    ])
    func everyStatusHasItsMeaning(_ status: Int, _ kind: DeliveryFailure.Kind) async throws {
        let way = FixedAnswer(
            HTTPResponse(status: status, headers: ["content-type": "text/plain"], body: Array("no".utf8)))
        #expect(await failure(of: uploader(way), try sample.answer())?.kind == kind)
    }

    @Test func damageThatOnlyTheDigestShowsIsNoticed() async throws {
        let other = try #require(ReprDigest(sha256: String(repeating: "0", count: 64)))
        let way = FixedAnswer(HTTPResponse(status: 201, headers: ["repr-digest": other.field]))
        #expect(await failure(of: uploader(way), try sample.answer())?.kind == .transient)
    }

    @Test func aCancelledDeliverySaysSo() async throws {
        let failed = await failure(
            of: uploader(FixedAnswer(failure: HTTPFailure(.cancelled, "cancelled"))), sample.session)
        #expect(failed?.kind == .cancelled)
    }
}

/// A server that gives every request the same answer.
struct FixedAnswer: HTTPExchanging {
    private let answer: Result<HTTPResponse, HTTPFailure>

    init(_ response: HTTPResponse) { answer = .success(response) }
    init(failure: HTTPFailure) { answer = .failure(failure) }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse { try answer.get() }
}
