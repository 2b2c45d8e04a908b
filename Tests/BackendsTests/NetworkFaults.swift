import BackendAPI
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import SystemSupport
import TestSupport
import Testing
import UploadQueue

import struct ExamCore.SplitMix64

@testable import Backends

/// Sends whole sessions through the queue, the real client and a proxy that breaks connections, to a server on this
/// machine. In spite of the faults, everything arrives once, with the recorded bytes.
@Suite struct NetworkFaults {
    private static let seeds = Thoroughness.count(2, check: 30)
    /// The number of a session's first connections that meet the fault, depending on the seed.
    private static let mostBroken = 3

    private static let kinds: [(name: String, fault: @Sendable (inout SplitMix64) -> Fault)] = [
        ("latency", { .latency(.milliseconds($0.below(30))) }),
        ("slow", { .slow(bytesPerSecond: 60_000 + $0.below(100_000)) }),
        ("reset while sending", { .resetAfterUp($0.below(50_000)) }),
        ("reset while answered", { .resetAfterDown($0.below(150)) }),
        ("stall while sending", { .stallAfterUp($0.below(50_000)) }),
        ("stall while answered", { .stallAfterDown($0.below(150)) }),
        ("half-open", { _ in .halfOpen }),
        ("half-close while sending", { .halfCloseAfterUp($0.below(50_000)) }),
        ("half-close while answered", { .halfCloseAfterDown($0.below(150)) }),
        ("request repeated", { _ in .duplicate }),
        ("answer lost", { _ in .lostAnswer }),
    ]

    @Test func anyNetworkFaultLeavesEachAnswerOnce() async throws {
        let client = CurlClient()
        var totals = (runs: 0, failures: 0, repeated: 0)
        for (name, draw) in Self.kinds {
            for seed in 0..<Self.seeds {
                let run = try await run(seed, client, draw)
                #expect(run.violation == nil, "\(name), seed \(seed): \(run.violation ?? "")")
                totals = (totals.runs + 1, totals.failures + run.failures, totals.repeated + run.repeated)
            }
        }
        #expect(totals.failures > totals.runs / 2, "the faults were felt")
        print(
            "row 7: \(Self.kinds.count) faults × \(Self.seeds) seeds: \(totals.runs * 4) uploads, \(totals.failures) failed attempts, "
                + "\(totals.repeated) repeated writes, 0 lost, 0 duplicated effects, 0 corrupted")
    }

    private func run(
        _ seed: Int, _ client: CurlClient, _ draw: (inout SplitMix64) -> Fault
    ) async throws -> (violation: String?, failures: Int, repeated: Int) {
        let sample = try SampleSession(seed: UInt64(seed))
        let uploads = [
            sample.session, try sample.answer(part: 1, order: 1, byteCount: 30_000),
            try sample.answer(part: 1, order: 2, byteCount: 7_000),
            sample.completion,
        ]
        let server = try BackendServer()
        defer { server.stop() }
        var drawing = SplitMix64(seed: UInt64(seed))
        let fault = draw(&drawing)
        let broken = 1 + seed % Self.mostBroken
        let proxy = try FaultProxy(to: server.port) { $0 < broken ? fault : .none }
        defer { proxy.stop() }
        let queue = try DeliveryQueue(folder: sample.folder + "/uploads")
        try queue.add(uploads)
        let failures = Mutex(0)
        let uploader = Counted(
            BackendUploader(url: proxy.url, client: Impatient(client)) { () throws(DeliveryFailure) in nil }
        ) { failures.withLock { $0 += 1 } }
        var limits = DeliveryLimits()
        limits.firstDelays = [.milliseconds(2)]
        (limits.delayBase, limits.longestDelay) = (.milliseconds(5), .milliseconds(50))
        (limits.probeBase, limits.longestProbe) = (.milliseconds(5), .milliseconds(50))
        let end = try await queue.send(through: uploader, until: .atRest, deadline: .seconds(60), limits: limits)
        let violation = end.delivered == 4 ? server.violation(of: uploads) : "\(end.delivered) of 4 arrived"
        return (violation, failures.withLock { $0 }, server.repeated)
    }
}

/// A client that gives up a silent connection early, so that a stall doesn't take fifteen seconds.
private struct Impatient: HTTPExchanging {
    private let client: CurlClient

    init(_ client: CurlClient) { self.client = client }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        var limits = limits
        limits.idle = .milliseconds(200)
        return try await client.exchange(request, limits: limits, sent: sent)
    }
}

/// Counts the failures on their way to the queue.
private struct Counted: Uploader {
    private let uploader: BackendUploader
    private let failed: @Sendable () -> Void

    init(_ uploader: BackendUploader, failed: @escaping @Sendable () -> Void) {
        self.uploader = uploader
        self.failed = failed
    }

    var place: String { uploader.place }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        do throws(DeliveryFailure) {
            try await uploader.deliver(upload, with: courier)
        } catch {
            failed()
            throw error
        }
    }
}

/// The agreed routes on a socket. It stores requests by their address, and refuses damaged or different recordings.
private final class BackendServer: Sendable {
    private let server: HTTPServer
    private let kept: Kept

    private final class Kept: Sendable {
        let state = Mutex<(bodies: [String: [UInt8]], repeated: Int, replaced: String?)>(([:], 0, nil))

        func put(_ request: HTTPRequest) -> HTTPResponse {
            guard request.method == "PUT" else { return HTTPResponse(status: 405) }
            let bytes = request.bytes
            let isRecording = request.path.hasSuffix("/recording")
            if isRecording {
                let digest = request.header("Repr-Digest").flatMap(ReprDigest.init(field:))
                guard digest == ReprDigest(sha256: SHA256.hexadecimal(of: bytes)) else {
                    return HTTPResponse(status: 422)
                }
            }
            return state.withLock { state in
                if let there = state.bodies[request.path] {
                    state.repeated += 1
                    if there != bytes && isRecording { state.replaced = request.path }
                }
                state.bodies[request.path] = bytes
                return HTTPResponse(status: 201)
            }
        }
    }

    init() throws {
        let kept = Kept()
        self.kept = kept
        server = try HTTPServer { kept.put($0) }
    }

    var port: Int { server.port }
    var repeated: Int { kept.state.withLock { $0.repeated } }

    func stop() { server.stop() }

    /// Returns a difference between the arrived data and the expected data; nil if all is well.
    func violation(of uploads: [Upload]) -> String? {
        let state = kept.state.withLock { $0 }
        if let replaced = state.replaced { return "\(replaced) was replaced by other bytes" }
        let routes = BackendRoutes(base: "")
        var expected: Set<String> = []
        for upload in uploads {
            switch upload.content {
            case .session: expected.insert(routes.session(upload))
            case .submission: expected.insert(routes.submission(upload.session.id))
            case .completion: expected.insert(routes.completion(upload))
            case .answer(_, let file):
                expected.formUnion([routes.recording(upload), routes.answer(upload)])
                let bytes = FileManager.default.contents(atPath: file.path).map(Array.init)
                if state.bodies[routes.recording(upload)] != bytes {
                    return "\(file.path) is not there as it was recorded"
                }
            }
        }
        let there = Set(state.bodies.keys)
        return there == expected ? nil : "\(there.symmetricDifference(expected).sorted()) too many or too few"
    }
}
