import Foundation
import Testing

/// Tests of the server's store run on SQLite and on PostgreSQL: `StoreTrials` opens the database, and a suite's trait
/// says which one.
@Suite struct StoreRules {
    /// The files that open a database by themselves, with the reason.
    private static let exceptions = [
        "ExamServerTests/Edge/ReadyTests.swift": "a cluster of its own, which is frozen",
        "ExamServerTests/Operator/BackupTests.swift": "a backup is SQLite's file, and is restored as one",
        "ExamServerTests/Operator/FilesOfKilledServers.swift": "the file of a server that was killed",
        "ExamServerTests/Processing/LeaseTests.swift": "a store that waits less for SQLite's lock",
        "ExamStoreTests/Migrations.swift": "a file that is not a database",
        "ExamStoreTests/Outages.swift": "clusters of its own, which are killed, and addresses that lead nowhere",
        "ExamStoreTests/Walls.swift": "a superuser, whom the store refuses",
    ]

    /// Calls that make a server or a store. A suite with one of them needs a trait.
    private static var makers: Regex<(Substring, Substring?)> {
        /\b(RunningServer|TestNode|TestBackend|UploadServer|School|OperatedServer|FuzzServer) ?[({]|withUploadServer|withWorkerPlace|withStore|withTwoPracticeNodes|serverForThePage|withTwoNodes|withDen|withOptionTrial|TestDatabase/
    }

    private static func files() throws -> [(name: String, text: String)] {
        let tests = HouseRules.package.appending(path: "Tests")
        return try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter {
            $0.hasSuffix(".swift") && !$0.hasPrefix("HouseRulesTests/") && !$0.hasPrefix("Support/StoreTrials/")
        }.map { ($0, try String(contentsOf: tests.appending(path: $0), encoding: .utf8)) }
    }

    private static func opensAStore(_ text: String) -> Bool { text.contains(/ExamDatabase\s*\.(sqlite|postgres)\(/) }

    private static func saysItsDatabases(_ text: String) -> Bool { text.contains(/\.bothStores|\.store\(\s*only:/) }

    @Test func onlyStoreTrialsOpensStores() throws {
        let found = Set(try Self.files().filter { Self.opensAStore($0.text) }.map(\.name))
        #expect(found == Set(Self.exceptions.keys), "use TestDatabase, or say here why not")
    }

    @Test func everySuiteWithAStoreSaysOnWhichDatabases() throws {
        var found = 0
        for (name, text) in try Self.files() where text.contains("@Suite") && text.contains(Self.makers) {
            found += 1
            #expect(Self.saysItsDatabases(text), "\(name): add .bothStores or .store(only:) to its suite")
        }
        #expect(found > 60, "\(found)")
    }

    @Test func theRulesSeeWhatTheyForbid() {
        #expect(Self.opensAStore("let store = try ExamDatabase.sqlite(path: path)"))
        #expect(Self.opensAStore("ExamDatabase\n    .postgres(address)"))
        #expect(!Self.opensAStore("let store = try database.open()"))
        for suite in ["@Suite(.bothStores(quick: .postgres)) struct A", "@Suite(.store(only: .sqlite, because: \"\"))"]
        {
            #expect(Self.saysItsDatabases(suite))
        }
        #expect(!Self.saysItsDatabases("@Suite struct A { RunningServer() }"))
        for line in [
            "let server = try await RunningServer(clock: clock)", "try await RunningServer { $0.markers = 1 }",
        ] {
            #expect(line.contains(Self.makers), "\(line)")
        }
    }
}
