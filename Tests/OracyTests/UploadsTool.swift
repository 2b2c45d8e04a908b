import Foundation
import Testing

/// `oracy uploads` from the user's point of view: nothing is sent until the user says so, then everything is, and
/// failures are named.
@Suite struct UploadsTool {
    private let home: String
    private let session = "2026-11-21-0912-ielts-style"
    private var sessions: String { home + "/.local/share/oracy/sessions" }
    private var answers: String { home + "/answers" }

    init() throws {
        home = NSTemporaryDirectory() + "oracy-uploads-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }

    private func oracy(_ words: String..., typing text: String? = nil) throws -> Tool.Result {
        try Tool.run(words, home: home, input: text.map { try PseudoTerminal(typing: $0) })
    }

    /// Holds and stores a short exam.
    private func holdExam() throws {
        let replay = try oracy("replay", "\(Tool.fixtures)/scenarios/pocket-exam", "--output", "\(sessions)/\(session)")
        #expect(replay.code == 0, "\(replay.errors)")
    }

    private var arrived: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: answers).filter { $0.hasSuffix(".opus") }.sorted()
        }
    }

    @Test func nothingIsSentWithoutADestination() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try holdExam()
        let list = try oracy("uploads")
        #expect(list.code == 0 && list.output.contains("nowhere yet"))
        let watch = try oracy("uploads", "watch")
        #expect(watch.code == 66 && watch.errors.contains("oracy uploads to --help"))
    }

    @Test func aSessionIsQueuedWatchedAndArrivesWhole() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try holdExam()
        #expect(try oracy("uploads", "to", "folder", answers).code == 0)
        let add = try oracy("uploads", "add", "last")
        #expect(add.code == 0 && add.output.contains("5 answers queued"))
        #expect(try oracy("uploads").output.contains("part1_q1"))
        let watch = try oracy("uploads", "watch")
        #expect(watch.code == 0 && watch.output.contains("Everything has arrived."))
        #expect(watch.output.contains("7 of 7 arrived, 100 %"))
        let takes = try FileManager.default.contentsOfDirectory(atPath: "\(sessions)/\(session)/takes").sorted()
        #expect(try arrived.count == takes.count)
        for (copy, take) in zip(try arrived, takes) {
            let (there, here) = ("\(answers)/\(copy)", "\(sessions)/\(session)/takes/\(take)")
            #expect(FileManager.default.contentsEqual(atPath: there, andPath: here), "\(copy)")
        }
        #expect(try oracy("uploads", "add", "last").code == 0)
        let again = try oracy("uploads")
        #expect(again.output.contains("0 waiting (0 bytes), 7 arrived"), "nothing is queued twice: \(again.output)")
    }

    @Test func failedUploadsAreKeptAndNamed() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try holdExam()
        _ = try oracy("uploads", "to", "folder", answers)
        _ = try oracy("uploads", "add", "last")
        // The disk is unplugged. Then it is back, but a recording is missing.
        try FileManager.default.moveItem(atPath: answers, toPath: answers + ".away")
        let flush = try oracy("uploads", "flush", "--deadline", "0.5")
        #expect(flush.code == 75 && flush.errors.contains("7 uploads still waiting"))
        #expect(try oracy("uploads").output.contains("cannot be reached"))
        try FileManager.default.moveItem(atPath: answers + ".away", toPath: answers)
        let takes = "\(sessions)/\(session)/takes"
        try FileManager.default.moveItem(atPath: takes + "/part1_q2.opus", toPath: takes + "/away")
        let second = try oracy("uploads", "flush", "--deadline", "20", "--json")
        #expect(second.code == 75)
        let report = try JSONDecoder().decode(Report.self, from: Data(second.output.utf8))
        #expect(report.parked == 1 && report.waiting == 1 && report.delivered == 5)
        #expect(report.uploads.first?.name == "part1_q2" && report.uploads.first?.failure == "fileMissing")
        // The recording is back.
        try FileManager.default.moveItem(atPath: takes + "/away", toPath: takes + "/part1_q2.opus")
        #expect(try oracy("uploads", "retry", "\(session)/part1_q2").output.contains("1 upload will be sent again"))
        #expect(try oracy("uploads", "watch").code == 0)
        #expect(try arrived.count == 5)
    }

    @Test func aDroppedUploadIsGivenUpAndItsRecordingStays() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try holdExam()
        _ = try oracy("uploads", "to", "folder", answers)
        _ = try oracy("uploads", "add", "last")
        #expect(try oracy("uploads", "drop", "2026/part1_q3").output.contains("1 upload dropped"))
        #expect(try oracy("uploads", "watch").code == 0)
        #expect(try arrived.count == 4)
        #expect(FileManager.default.fileExists(atPath: "\(sessions)/\(session)/takes/part1_q3.opus"))
        let none = try oracy("uploads", "drop", "2025")
        #expect(none.code == 66 && none.errors.contains("no waiting or parked upload has that name"))
    }

    @Test func erasingASessionErasesItsUploadsAndSaysWhatItCannot() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try holdExam()
        _ = try oracy("uploads", "to", "folder", answers)
        _ = try oracy("uploads", "add", "last")
        _ = try oracy("uploads", "watch")
        let erase = try oracy("sessions", "erase", "last", "--yes")
        #expect(erase.code == 0 && erase.errors.contains("are not erased there"), "\(erase.errors)")
        #expect(try oracy("uploads", "--all", "--json").output.contains("\"delivered\" : 0"))
    }

    @Test func aBadDestinationIsNamedByFileAndField() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let http = try oracy("uploads", "to", "backend", "http://exams.example.org")
        #expect(http.code == 65 && http.errors.contains("https"), "\(http.errors)")
        _ = try oracy("uploads", "to", "folder", answers)
        let file = home + "/.local/share/oracy/uploads/destination.json"
        try "{\"kind\": \"pigeon\"}".write(toFile: file, atomically: true, encoding: .utf8)
        let list = try oracy("uploads")
        #expect(list.code == 65 && list.errors.contains("destination.json") && list.errors.contains("pigeon"))
        #expect(try oracy("uploads", "to", "nowhere").code == 0)
        #expect(try oracy("uploads").output.contains("nowhere yet"))
    }

    @Test func anUnreachableDestinationCausesAWarningBeforeAnExam() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        _ = try oracy("uploads", "to", "folder", answers)
        #expect(try !oracy("validate", "ielts-style", "bridges").output.contains("warning"))
        try FileManager.default.removeItem(atPath: answers)
        let validate = try oracy("validate", "ielts-style", "bridges")
        #expect(validate.code == 0 && validate.output.contains("warning: \(answers) cannot be reached now"))
    }

    @Test func theConsentSaysWhereAnswersGo() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let here = try oracy("run", "--plain", typing: "n\n")
        #expect(here.code == 77 && here.output.contains("nothing is sent anywhere"), "\(here)")
        _ = try oracy("uploads", "to", "folder", answers)
        let there = try oracy("run", "--plain", typing: "n\n")
        #expect(there.code == 77 && there.output.contains("is sent to"), "\(there)")
    }

    @Test func aTokenIsReadFromStandardInputAndKeptForItsOwnerOnly() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        _ = try oracy("uploads", "to", "backend", "https://exams.example.org")
        let sign = try oracy("uploads", "sign-in", typing: "a-token-of-mine\n")
        #expect(sign.code == 0 && !sign.output.contains("a-token") && !sign.errors.contains("a-token"), "\(sign)")
        let file = try folder(of: "backend") + "/credentials.json"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try oracy("uploads", "sign-in", typing: "\n").code == 66)
    }

    /// A server on this machine may require a token, so there has to be a way to give it one.
    @Test func aBackendOnThisMachineTakesATokenAndAFolderTakesNone() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        _ = try oracy("uploads", "to", "backend", "http://127.0.0.1:9")
        let sign = try oracy("account", "sign-in", typing: "a-token-of-mine\n")
        #expect(sign.code == 0 && sign.output.hasPrefix("Signed in"), "\(sign)")
        let file = try folder(of: "backend") + "/credentials.json"
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("a-token-of-mine"))
        #expect(try oracy("account", "sign-out").output == "Signed out.\n")
        _ = try oracy("uploads", "to", "folder", answers)
        #expect(try oracy("account", "sign-in").output.contains("needs no sign-in"))
    }

    @Test func aJournalOfANewerVersionIsNotTouched() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        _ = try oracy("uploads", "to", "folder", answers)
        _ = try oracy("uploads")
        let journal = try folder(of: "folder") + "/journal.sqlite"
        // The version of the layout is at byte 60 of a database (sqlite.org/fileformat, 1.3).
        var bytes = try Data(contentsOf: URL(filePath: journal))
        try #require(bytes.count > 100, "no database")
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try bytes.write(to: URL(filePath: journal))
        let list = try oracy("uploads")
        #expect(list.code == 65 && list.errors.contains("newer version") && list.errors.contains("nothing was touched"))
        #expect(try Data(contentsOf: URL(filePath: journal)) == bytes)
    }

    /// A new destination has none of the answers that an earlier one received, so everything is sent again.
    @Test func deliveredAnswersAreSentAgainToAnotherDestination() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try holdExam()
        _ = try oracy("uploads", "to", "folder", answers)
        _ = try oracy("uploads", "add", "last")
        #expect(try oracy("uploads", "flush").code == 0)
        let there = try arrived
        let second = home + "/second"
        _ = try oracy("uploads", "to", "folder", second)
        #expect(try oracy("uploads").output.contains("0 waiting (0 bytes), 0 arrived"))
        #expect(try oracy("uploads", "flush").output.contains("Everything has arrived."), "nothing was asked for")
        #expect(try !FileManager.default.subpathsOfDirectory(atPath: second).contains { $0.hasSuffix(".opus") })
        #expect(try oracy("uploads", "add", "last").output.contains("5 answers queued"))
        let listed = try oracy("uploads", "to", "folder", answers, then: "uploads")
        #expect(listed.output.contains("7 uploads for \(second) wait until you choose it again"), "\(listed)")
        _ = try oracy("uploads", "to", "folder", second)
        #expect(try oracy("uploads", "flush").code == 0)
        let copies = try FileManager.default.subpathsOfDirectory(atPath: second).filter { $0.hasSuffix(".opus") }
        #expect(copies.count == there.count && Set(copies).isDisjoint(with: there), "the copies have new ids")
        // An upload that was deleted there is sent again when the user says so.
        try FileManager.default.removeItem(atPath: second)
        _ = try oracy("uploads", "to", "folder", second)
        #expect(try oracy("uploads", "add", "last").output.contains("arrived at \(second) before; to send it again"))
        _ = try oracy("uploads", "add", "last", "--again")
        #expect(try oracy("uploads", "flush").code == 0)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: second).filter { $0.hasSuffix(".opus") }.sorted()
                == copies.sorted())
        // Erasing removes the session from both queues.
        #expect(try oracy("sessions", "erase", "last", "--yes").code == 0)
        for place in [answers, second] {
            #expect(try oracy("uploads", "to", "folder", place, then: "uploads").output.contains("0 arrived"))
        }
    }

    /// A new account doesn't share the sign-in of the old one.
    @Test func anotherAccountIsAnotherDelivery() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try holdExam()
        func token(_ subject: String) -> String {
            let claims = Data("{\"sub\":\"\(subject)\"}".utf8).base64EncodedString().replacing("=", with: "")
            return "e30.\(claims).x\n"
        }
        _ = try oracy("uploads", "to", "backend", "https://exams.invalid")
        _ = try oracy("uploads", "add", "last")
        // The first account to sign in gets the uploads queued before.
        #expect(try oracy("account", "sign-in", typing: token("ann")).code == 0)
        #expect(try oracy("uploads").output.contains("as ann: 7 waiting"))
        #expect(try oracy("account", "sign-in", typing: token("ben")).code == 0)
        let ben = try oracy("uploads")
        #expect(ben.output.contains("as ben: 0 waiting") && ben.output.contains("7 uploads for https://exams.invalid"))
        #expect(try oracy("account", "sign-in", typing: token("ann")).code == 0)
        #expect(try oracy("uploads").output.contains("as ann: 7 waiting"))
        // With another address at the same project, no one is signed in.
        let key = "sb_publishable_1"
        for email in ["a@b.org", "b@b.org"] {
            _ = try oracy("uploads", "to", "supabase", "https://p.invalid", "--key", key, "--email", email)
            #expect(try oracy("uploads").output.contains("as \(email), who is not signed in"))
            #expect(try oracy("uploads", "add", "last").code == 0)
            let flush = try oracy("uploads", "flush", "--deadline", "5")
            #expect(flush.code == 77 && flush.errors.contains("you are not signed in"), "\(flush)")
        }
        #expect(try oracy("account", "sign-out").code == 0)
    }

    @Test func aDestinationIsTakenFromAFileOrTheEnvironment() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let file = home + "/destination.json"
        try Data(#"{"kind":"folder","path":"\#(answers)"}"#.utf8).write(to: URL(filePath: file))
        #expect(try oracy("uploads", "to", "file", file).output.contains(answers))
        #expect(try oracy("uploads", "to", "file", file + ".not").code == 66)
        let missing = try oracy("uploads", "to", "supabase", "https://p.invalid", "--email", "a@b.org", typing: "\n")
        #expect(missing.code == 66 && missing.errors.contains("publishable key is empty"), "\(missing)")
    }

    /// Returns the folder of the only destination of a kind.
    private func folder(of kind: String) throws -> String {
        let uploads = home + "/.local/share/oracy/uploads"
        let names = try FileManager.default.contentsOfDirectory(atPath: uploads)
        return try uploads + "/" + #require(names.first { $0.hasPrefix(kind + "-") })
    }

    private func oracy(_ words: String..., then next: String) throws -> Tool.Result {
        #expect(try Tool.run(words, home: home).code == 0)
        return try oracy(next)
    }

    private struct Report: Decodable {
        struct Entry: Decodable {
            var name: String
            var failure: String?
        }

        var waiting, parked, delivered: Int
        var uploads: [Entry]
    }
}
