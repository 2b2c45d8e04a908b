import Foundation
import TestSupport
import Testing
import Waiting

@testable import VirtualDevices

/// `oracy practice fetch`, `take`: a backend's test that is taken offline and graded there.
@Suite struct FetchedTestTool {
    private let home: Home
    private let den: Den

    init() throws {
        home = try Home()
        den = try Den()
    }

    private func tool(_ arguments: String..., typing text: String? = nil) throws -> Tool.Result {
        try Tool.run(arguments, home: home.path, input: text.map { try PseudoTerminal(typing: $0 + "\u{04}") })
    }

    @Test(.endsIfItHangs) func aTestHandedInOfflineArrivesAndIsGraded() throws {
        #expect(try tool("practice", "fetch").code == 66, "answers go nowhere yet")
        var server = try den.serve()
        _ = try tool("uploads", "to", "backend", "http://127.0.0.1:\(server.port)")
        #expect(try tool("practice", "fetch").output.contains("has no test for you"))
        let fetched = try tool("practice", "fetch", "--new", "3")
        #expect(fetched.code == 0 && fetched.output.contains(": 3 questions, in progress\n"), "\(fetched)")
        let id = try #require(fetched.output.split(separator: ":").first.map(String.init))
        let file = "\(home.path)/.local/share/oracy/practice-tests/\(id).fetched.json"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(!(try String(contentsOfFile: file, encoding: .utf8)).contains("rightAnswer"))

        server.process.kill()
        let left = try tool("practice", "take", id, typing: "a\nb\nq\n")
        #expect(
            left.code == 75 && left.output.contains("2 of 3 answered. To continue: oracy practice take \(id)"),
            "\(left)")
        let taken = try tool("practice", "take", id, typing: "c\ns\nyes\n")
        #expect(taken.code == 0 && taken.output.contains("Handed in, but"), "\(taken)")
        #expect(try tool("practice", "take", id).errors.contains("was handed in before"))
        #expect(try tool("practice", "tests").output.contains("handed in, not graded yet"))
        #expect(try tool("uploads").output.contains("1 waiting"))
        let unreached = try tool("practice", "fetch")
        #expect(unreached.code == 69 && unreached.errors.contains("There is no connection."), "\(unreached)")

        server = try den.serve(port: server.port, number: 2)
        #expect(try tool("uploads", "flush").output == "Everything has arrived.\n")
        let graded = Patience.poll {
            let output = (try? tool("practice", "fetch").output) ?? ""
            return output.contains(" %\n") ? output : nil
        }
        let line = try #require(graded)
        let shown = try tool("practice", "show", id).output
        let right = shown.split(separator: "\n").count { $0.contains(". Right: ") }
        #expect(line.contains(": 3 questions, \([0: 0, 1: 33, 2: 67, 3: 100][right]!) %"), "\(line) \(shown)")
        #expect(shown.split(separator: "\n").count { $0.hasPrefix("  right  ") } == 3, "\(shown)")
        #expect(shown.split(separator: "\n").count { $0.hasSuffix("(yours)") } == 3)
        let log = try String(contentsOfFile: home.path + "/.local/share/oracy/practice.log", encoding: .utf8)
        #expect(log.split(separator: "\n").count { $0.contains(" tested \(id) \(right) 3 ") } == 1, "\(log)")

        // With a network, one command does all of it.
        let second = try tool("practice", "fetch", "--new", "2").output
        let other = try #require(second.split(separator: " ").last.map { $0.filter { $0 != "\n" } })
        let atOnce = try tool("practice", "take", other, typing: "a\na\ns\nyes\n")
        #expect(atOnce.code == 0 && atOnce.output.contains(" of 2  "), "\(atOnce)")
        #expect(try tool("practice", "erase", "--yes").output.contains("practice-tests/\(id).fetched.json"))
        server.process.kill()
    }
}
