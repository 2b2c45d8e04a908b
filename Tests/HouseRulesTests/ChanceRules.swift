import Foundation
import Testing

/// The cases of a test follow from a seed. With other cases in each run, a test may fail once in fifty runs for a fault
/// that every version of the code has.
@Suite struct ChanceRules {
    /// The files that use random numbers without a seed, with the number of such lines and the reason why they decide
    /// no verdict.
    static let allowed: [String: (count: Int, why: String)] = [
        "ExamServerTests/Live/TestSocket.swift": (2, "the keys that WebSocket demands"),
        "ExamServerTests/Operator/FilesOfKilledServers.swift": (1, "no two recordings are the same"),
        "ExamServerTests/Processing/WorkerPlace.swift": (1, "no two recordings are the same"),
        "Support/SupabaseStandIn/StandInAuth+Users.swift": (2, "one-time codes"),
        "FuzzTests/FuzzPlan.swift": (1, "the seed of make fuzz, which is printed"),
        "Support/TestSupport/Thoroughness.swift": (1, "the seed of make check, which is printed"),
    ]

    @Test func casesFollowFromASeed() throws {
        let tests = HouseRules.package.appending(path: "Tests")
        var found: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) {
            guard path.hasSuffix(".swift"), !path.hasPrefix("HouseRulesTests/") else { continue }
            let count = Self.chances(in: try String(contentsOf: tests.appending(path: path), encoding: .utf8))
            if count > 0 { found[path] = count }
        }
        for (path, count) in found.sorted(by: { $0.key < $1.key }) {
            let most = Self.allowed[path]?.count ?? 0
            #expect(count <= most, "\(path) has \(count) random numbers without a seed: use SplitMix64(seed:)")
        }
        for path in Self.allowed.keys where found[path] == nil {
            Issue.record("\(path) has no random number any more: remove it from the list")
        }
    }

    /// Counts the lines that use the system's random numbers.
    private static func chances(in text: String) -> Int {
        let marks = ["SystemRandomNumberGenerator", ".random(", ".shuffle()", ".shuffled()", ".randomElement()"]
        guard marks.contains(where: text.contains) else { return 0 }
        return text.split(separator: "\n").count { line in
            !line.drop(while: { $0 == " " }).hasPrefix("//") && !line.contains("using:") && !line.contains("(&")
                && marks.contains { line.contains($0) }
        }
    }

    @Test func theRuleSeesEveryChance() {
        let lines = [
            "let a = Int.random(in: 0...2)", "x.shuffle()", "for a in b.shuffled() {", "names.randomElement()!",
            "var dice = SystemRandomNumberGenerator()", "Bool.random() ? 1 : 2",
        ]
        #expect(Self.chances(in: lines.joined(separator: "\n")) == lines.count)
        #expect(Self.chances(in: "let a = Int.random(in: 0...2, using: &dice)\n// x.shuffle()\nS.random(&dice)") == 0)
    }
}
