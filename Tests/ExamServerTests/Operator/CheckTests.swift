import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import Testing
import Waiting

@testable import VirtualDevices

/// `oracy-server check` prints a line for each thing that it checks, and changes nothing.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct CheckTests {
    private static let options = ["--token-secret", "FOLDER/secret", "--port", "0", "--data", "FOLDER/data"]

    @Test func aMissingFolderIsFineAndNotCreated() async throws {
        try await withDen { den in
            let checked = try operate(["check"] + Self.options, in: den)
            #expect(checked.code == 0 && checked.message.isEmpty, "\(checked)")
            let lines = checked.said.split(separator: "\n")
            #expect(lines.filter { $0.hasPrefix("ok     ") }.count == 8, "\(checked.said)")
            #expect(lines.contains { $0.hasPrefix("note   without --issuer and --audience") })
            #expect(!FileManager.default.fileExists(atPath: den.folder + "/data"))
            #expect(!checked.said.contains(RunningServer.secret))
        }
    }

    @Test func aRunningServerIsReportedAndNotDisturbed() async throws {
        try await withDen { den in
            let server = try OperatedServer(Self.options, in: den)
            let url = try server.address()
            for _ in 0..<3 {
                let checked = try operate(["check"] + Self.options, in: den)
                #expect(checked.code == 0, "\(checked)")
                #expect(checked.said.contains("a server is using it (process \(server.pid))"), "\(checked.said)")
                #expect(checked.said.contains("database: SQLite, step "), "\(checked.said)")
            }
            #expect(try fetch(url, "GET", "/ready").status == 200)
            #expect(try server.stop() == 0)
            #expect(try operate(["check"] + Self.options, in: den).said.contains("no server is using it"))
        }
    }

    /// Each fault is reported with its remedy, and the exit code is the one that the server itself would end with.
    @Test func everyFaultIsReportedAndTheRestIsStillChecked() async throws {
        try await withDen { den in
            try den.write(Data("short".utf8), to: "short-secret")
            try den.write(Data("no keys".utf8), to: "keys.json")
            try den.write(Data("a file".utf8), to: "file")
            for (arguments, code, words) in [
                (
                    ["--token-secret", "FOLDER/short-secret", "--data", "FOLDER/d"], 65,
                    "tokens: the token secret has 5 bytes"
                ),
                (["--jwks", "FOLDER/keys.json", "--data", "FOLDER/d"], 65, "keys.json: is not a set of public keys"),
                (["--jwks", "FOLDER/none.json", "--data", "FOLDER/d"], 66, "none.json"),
                (["--development", "--data", "FOLDER/file"], 73, "folder: \(den.folder)/file: is not a folder"),
                (["--development", "--data", "FOLDER/d", "--assessors", "FOLDER/none"], 66, "files: "),
                (["--development", "--data", "FOLDER/d", "--rules", "FOLDER/keys.json"], 65, "keys.json"),
                (["--development", "--data", "FOLDER/d", "--exams", "FOLDER/none"], 66, "has no formats/*.json"),
                (
                    ["--development", "--data", "FOLDER/d", "--database", "postgresql://u:hush@127.0.0.1:1/x"], 69,
                    "database: "
                ),
                (
                    ["--development", "--data", "FOLDER/d", "--audio", "s3://b?endpoint=http://127.0.0.1:1"], 64,
                    "AWS_ACCESS"
                ),
            ] as [([String], Int32, String)] {
                let checked = try operate(["check"] + arguments, in: den)
                #expect(checked.code == code && checked.message.isEmpty, "\(arguments): \(checked)")
                #expect(
                    checked.said.split(separator: "\n").contains { $0.hasPrefix("wrong  ") && $0.contains(words) },
                    "\(arguments): \(checked.said)")
                #expect(checked.said.contains("ok     disk: "), "\(checked.said)")
                #expect(!checked.said.contains("hush"), "\(checked.said)")
            }
            #expect(try operate(["check", "--data", "FOLDER/d"], in: den).code == 64)
        }
    }

    /// A service that cannot be used is reported with the reason. The server starts all the same, and asks again later.
    @Test func theSignInServicesOfSchoolsAreAsked() async throws {
        try await withDen { den in
            let provider = try LyingProvider(clock: SetClock())
            defer { provider.stop() }
            try den.write(Data("hush".utf8), to: "elm-key")
            let school =
                #"{"id":"elm","name":"Elm School","issuer":"\#(provider.issuer)","client":"c","secret":{"file":"elm-key"},"#
                + #""people":[{"role":"learner"}]}"#
            let file = #"{"version":1,"address":"https://exams.example.org","schools":[\#(school)]}"#
            try den.write(Data(file.utf8), to: "schools.json")
            let options = ["--sign-in", "FOLDER/schools.json", "--port", "0", "--data", "FOLDER/d"]
            let good = try operate(["check"] + options, in: den)
            #expect(good.code == 0 && good.said.contains("ok     schools: \(den.folder)/schools.json"), "\(good)")
            #expect(good.said.contains("ok     tokens: none"), "\(good)")

            provider.lie(.description { $0["issuer"] = "https://login.evil.example" })
            let bad = try operate(["check"] + options, in: den)
            #expect(bad.code == 69 && bad.said.contains("wrong  schools: elm: "), "\(bad)")
            #expect(bad.said.contains("names another issuer") && !bad.said.contains("hush"), "\(bad)")
            let server = try OperatedServer(options, in: den)
            let url = try server.address()
            let isSaid = Patience.poll { server.log.contains("people of a school cannot sign in") ? true : nil }
            #expect(isSaid == true, "\(server.log)")
            let ways = try fetch(url, "GET", "/v1/sign-in")
            #expect(ways.text.contains(#""schools":[{"id":"elm","name":"Elm School"}]"#), "\(ways.text)")
            #expect(ways.text.contains(#""tokens":false"#), "\(ways.text)")
            #expect(try server.stop() == 0)

            try den.write(Data(file.replacing("learner", with: "head").utf8), to: "schools.json")
            let wrong = try operate(["check"] + options, in: den)
            #expect(wrong.code == 65 && wrong.said.contains("schools[0].people[0].role"), "\(wrong)")
        }
    }

    @Test(.store(only: .postgres, because: "A file of SQLite's has no clock of its own."))
    func theClockIsComparedWithTheDatabases() async throws {
        let database = try await TestDatabase().address
        try await withDen { den in
            let options = ["check"] + Self.options
            let checked = try operate(options, environment: ["ORACY_SERVER_DATABASE": database], in: den)
            #expect(checked.code == 0, "\(checked)")
            #expect(checked.said.contains("database: PostgreSQL, step 0 of "), "\(checked.said)")
            #expect(checked.said.firstMatch(of: /clock: .*Z, \d+\.\d s (behind|ahead of) the database's/) != nil)
            #expect(!checked.said.contains(PostgresServer.password))
        }
    }
}
