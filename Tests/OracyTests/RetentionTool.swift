import Foundation
import Glibc
import SessionFolders
import SystemSupport
import Testing

/// `oracy sessions retention`, and the reports on erased sessions.
@Suite struct RetentionTool {
    private let home: MeasuredHome
    private static let old = "2020-05-01-1000-ielts-style"

    init() throws { home = try MeasuredHome() }

    private func sitTwo() throws -> (old: SessionFolder, new: String) {
        let old = try home.session("2020-05-01T10:00:00Z")
        return (old, try home.session(WallTime.now.utc).name)
    }

    @Test func byDefaultEverythingIsKept() throws {
        _ = try sitTwo()
        #expect(try home.oracy("sessions", "retention").output == "Sessions are kept until you erase them.\n")
        #expect(try home.oracy("sessions", "retention", "--apply").code == 0)
        #expect(try home.names.count == 2)
    }

    @Test func olderSessionsGoOnceRetentionIsApplied() throws {
        let (_, new) = try sitTwo()
        let set = try home.oracy("sessions", "retention", "90")
        #expect(set.code == 0)
        #expect(set.output.hasPrefix("Sessions are kept for 90 days.\nto be erased: \(Self.old)\n"), "\(set.output)")
        #expect(try home.names.count == 2)
        #expect(try home.oracy("sessions", "retention", "--apply", "--dry-run").output == set.output)
        #expect(try home.names.count == 2)
        let applied = try home.oracy("sessions", "retention", "--apply")
        #expect(applied.code == 0 && applied.output.contains("\(Self.old)\n  takes/part2_q1.opus"), "\(applied.output)")
        #expect(try home.names == [new])
        #expect(try home.oracy("sessions", "retention", "off").output == "Sessions are kept until you erase them.\n")
    }

    @Test func aDryRunSetsNothing() throws {
        _ = try sitTwo()
        #expect(try home.oracy("sessions", "retention", "90", "--dry-run").output.contains("to be erased: \(Self.old)"))
        #expect(try home.oracy("sessions", "retention").output == "Sessions are kept until you erase them.\n")
    }

    @Test(arguments: ["0", "-1", "36501", "1.5", "soon", ""])
    func invalidNumbersOfDaysAreRefused(_ days: String) throws {
        let result = try home.oracy("sessions", "retention", "--", days)
        #expect(result.code == 64 && result.errors.contains("is not a number of days."), "\(result.errors)")
    }

    @Test func aSettingThatCannotBeReadErasesNothing() throws {
        _ = try sitTwo()
        try home.home.write("{ \"version\": 1, \"days\": 0 }", to: ".local/share/oracy/retention.json")
        let result = try home.oracy("sessions", "retention", "--apply")
        #expect(result.code == 65 && result.errors.contains("retention.json: days: 0 is not 1 to 36500"))
        #expect(try home.names.count == 2)
    }

    @Test func aSessionThatIsInUseStaysAndIsNamed() throws {
        let (old, _) = try sitTwo()
        let log = open(old.log, O_RDWR | O_CLOEXEC)
        try #require(flock(log, LOCK_EX | LOCK_NB) == 0)
        let result = try home.oracy("sessions", "retention", "90", "--apply")
        #expect(result.code == 0 && result.output.contains("kept: \(Self.old): it is in use"), "\(result.output)")
        close(log)
        #expect(try home.oracy("sessions", "retention", "--apply").code == 0)
        #expect(try home.names.count == 1)
    }

    @Test func unsentSessionsStayUntilTheyArrive() throws {
        _ = try sitTwo()
        let answers = home.home.path + "/answers"
        try FileManager.default.createDirectory(atPath: answers, withIntermediateDirectories: true)
        #expect(try home.oracy("uploads", "to", "folder", answers).code == 0)
        #expect(try home.oracy("uploads", "add", Self.old).code == 0)
        let kept = try home.oracy("sessions", "retention", "90", "--apply")
        #expect(kept.output.contains("kept: \(Self.old): 3 uploads waiting for "), "\(kept.output)")
        #expect(try home.names.count == 2)
        #expect(try home.oracy("uploads", "watch").code == 0)
        let json = try #require(try home.json("sessions", "retention", "--apply") as? [String: Any])
        #expect(try home.names.count == 1)
        let report = try #require((json["reports"] as? [[String: Any]])?.first)
        let sent = try #require((report["sent"] as? [[String: Any]])?.first)
        #expect((sent["place"] as? String)?.contains(answers) == true)
        let things = try #require(sent["things"] as? [[String: Any]])
        let removed = try #require(report["removed"] as? [[String: Any]])
        let take = try #require(removed.first { $0["name"] as? String == "takes/part2_q1.opus" })
        let there = try #require(things.first { $0["name"] as? String == "part2_q1" })
        #expect(there["sha256"] as? String == take["sha256"] as? String && (take["sha256"] as? String)?.count == 64)
        #expect(there["arrivedAt"] is String && take["removedAt"] is String)
    }

    /// The queue is gone with the setting, so it is unknown whether everything arrived.
    @Test func aForgottenDestinationPreventsErasingByAge() throws {
        let (old, _) = try sitTwo()
        try Data("0f8fad5b-d9cb-469f-a165-70867728950e folder-1\n".utf8).write(to: URL(filePath: old.delivery))
        let result = try home.oracy("sessions", "retention", "90", "--apply")
        #expect(
            result.output.contains("kept: \(Self.old): it was queued for a destination that is no longer set up here"))
        let answers = try home.home.write("", to: "answers/.here").dropLast("/.here".count)
        #expect(try home.oracy("uploads", "to", "folder", String(answers)).code == 0)
        try Data("nonsense\n".utf8).write(to: URL(filePath: old.delivery))
        #expect(
            try home.oracy("sessions", "retention", "--apply").output.contains("kept: \(Self.old): \(old.delivery): "))
        #expect(try home.names.count == 2)
    }

    @Test func findingsAreErasedWithTheSession() throws {
        let (old, _) = try sitTwo()
        for name in ["transcripts.json", "marks.json", "report.html"] {
            try Data("mine".utf8).write(to: URL(filePath: "\(old.path)/\(name)"))
        }
        let result = try home.oracy("sessions", "erase", Self.old, "--yes")
        for name in ["assessment.json", "transcripts.json", "marks.json", "report.html"] {
            #expect(result.output.contains("  \(name)  "), "\(name)")
        }
        #expect(result.output.contains(/marks\.json +4 bytes +[0-9a-f]{64}\n/), "\(result.output)")
        #expect(result.output.contains(/erased: [0-9]+ files, .*, 20[0-9-]+T[0-9:]+Z\n/))
        #expect(try home.names.count == 1)
    }
}
