import Foundation
import Testing

/// A test waits for a condition, never for a time: a fixed wait is too short on a busy machine and too long on every
/// other one.
@Suite struct SleepRules {
    /// The files that sleep, how often, and why each sleep is not a wait for an event.
    static let allowed: [String: (count: Int, why: String)] = [
        "Support/Waiting/Patience.swift": (2, "the polls themselves"),
        "Support/LoopbackServers/Carrier.swift": (2, "the latency and the pace of a line are its faults"),
        "Support/LoopbackServers/TCPServer.swift": (1, "too many files are open: the next try comes a little later"),
        "Support/VirtualDevices/RecordedCandidate.swift": (
            2, "the candidate looks at the log, and thinks before speaking"
        ),
        "AssessorsTests/Asking/BrokenNetworkTests.swift": (1, "stands for a wait that is cancelled"),
        "BackendsTests/Plans/PlanClientTests.swift": (1, "stands for a wait that is cancelled"),
        "BackendsTests/Results/ResultPollTests.swift": (2, "a clock that leaps"),
        "ExamServerTests/Edge/ReadyTests.swift": (1, "storage that never answers"),
        "ExamServerTests/Processing/LeaseTests.swift": (2, "calls that last until they are cancelled"),
        "ExamServerTests/Live/ClientsThatMisbehave.swift": (3, "how slowly a client reads or comes back is its fault"),
        "ExamServerTests/Live/ExamsGoOnElsewhere.swift": (
            2, "a call that outlasts its node, and a client that comes back"
        ),
        "HTTPClientTests/CurlClientCancellationTests.swift": (1, "how slowly the server reads"),
        "HTTPClientTests/CurlClientFailureTests.swift": (2, "how slowly the server writes"),
        "HTTPClientTests/CurlClientTLSTests.swift": (1, "the moment at which a program ends"),
        "LiveTests/Breaking/FrozenTool.swift": (2, "the moment and the length of the fault"),
        "LiveTests/Breaking/KilledAtRandom.swift": (1, "looks every 2 ms for the moment to kill at"),
        "LiveTests/Commands/RunTests.swift": (1, "nothing happens in a pause: a longer wait sees no less"),
        "LiveTests/Commands/ScreenTests.swift": (1, "letters do not act as keys for two seconds after notes"),
        "LiveTests/FaultTable.swift": (2, "the moment and the length of the fault"),
        "LiveTests/PlaysInARoom.swift": (1, "a play ends unheard; if it has not ended, the test holds as well"),
        "UploadQueueFaultTests/Mutant.swift": (1, "part of the queue that is broken on purpose"),
        "UploadQueueTests/FakeBackend.swift": (1, "a backend that never answers"),
    ]

    @Test func testsSleepOnlyWithAReason() throws {
        let tests = HouseRules.package.appending(path: "Tests")
        var found: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) {
            guard path.hasSuffix(".swift"), !path.hasPrefix("HouseRulesTests/") else { continue }
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            let count = Self.sleeps(in: text)
            if count > 0 { found[path] = count }
        }
        for (path, count) in found.sorted(by: { $0.key < $1.key }) {
            let most = Self.allowed[path]?.count ?? 0
            #expect(
                count <= most,
                "\(path) sleeps \(count) times: wait with eventually or Patience, or say here why time must pass")
        }
        for path in Self.allowed.keys where found[path] == nil {
            Issue.record("\(path) does not sleep any more: take it from the list")
        }
    }

    /// Counts `Task.sleep`, `usleep`, `Thread.sleep` and the sleeping of clocks.
    private static func sleeps(in text: String) -> Int {
        text.split(separator: "\n").count { line in
            !line.drop { $0 == " " }.hasPrefix("//") && line.contains(/(?:^|[^A-Za-z])u?sleep\(/)
        }
    }

    @Test func theRuleSeesEverySleep() {
        #expect(
            Self.sleeps(in: "try await Task.sleep(for: .seconds(1))\n usleep(5)\nThread.sleep(forTimeInterval: 2)") == 3
        )
        #expect(Self.sleeps(in: "// sleep(1)\nlet sleepers = asleep(1)\nsleep: { _ in }") == 0)
    }

    /// Waits have one limit. A test with a time limit of its own would end early on a busy machine.
    @Test func testsHaveOneTimeLimit() throws {
        let tests = HouseRules.package.appending(path: "Tests")
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) where path.hasSuffix(".swift") {
            guard !path.hasPrefix("HouseRulesTests/"), path != "Support/TestSupport/Eventually.swift" else { continue }
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            #expect(!text.contains(".timeLimit("), "\(path): use .endsIfItHangs")
        }
    }
}
