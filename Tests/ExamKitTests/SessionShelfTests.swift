import ExamCore
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import SessionFolders

/// A user's shelf with sessions in any state that programs and disks have left.
@Suite struct SessionShelfTests {
    // MARK: - New sessions

    @Test func aSessionIsNamedForTheMinuteItBegan() throws {
        let test = try TestShelf()
        let moment = TestShelf.morning
        let folders = try (1...3).map { _ in try test.shelf.newFolder(format: "ielts-style", at: moment) }
        let id = moment.local.replacingOccurrences(of: " ", with: "-").replacingOccurrences(of: ":", with: "")
        #expect(folders.map(\.name) == ["", "-2", "-3"].map { "\(id)-ielts-style\($0)" })
        #expect(id.wholeMatch(of: /2026-11-2[012]-[0-9]{4}/) != nil)
        for folder in folders {
            #expect(test.folder.mode(of: "sessions/\(folder.name)") == 0o700)
            #expect(test.folder.mode(of: "sessions/\(folder.name)/takes") == 0o700)
        }
    }

    @Test func manyAtOnceGetAFolderEach() async throws {
        let test = try TestShelf()
        let shelf = test.shelf
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...40 { group.addTask { try shelf.newFolder(format: "x", at: TestShelf.morning).name } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 40)
    }

    @Test func aFolderThatCannotBeCreatedIsReported() throws {
        let problem = #expect(throws: Problem.self) { try SessionShelf(path: "/proc/nowhere").newFolder(format: "x") }
        #expect(problem?.kind == .occupied)
        #expect(problem?.sentence == "/proc/nowhere: no such file or directory")
    }

    @Test(arguments: [0, 1_795_252_349, 4_102_444_799])
    func aTimeIsReadAsItWasWritten(_ seconds: Int) {
        let time = WallTime(secondsSince1970: seconds)
        #expect(WallTime(utc: time.utc) == time)
        #expect(WallTime(utc: String(time.utc.dropLast())) == nil)
        #expect(WallTime(utc: "yesterday") == nil)
        #expect(TestShelf.morning.utc == "2026-11-21T09:12:29Z")
    }

    // MARK: - The list

    @Test func aMissingShelfIsEmpty() throws {
        #expect(SessionShelf(path: "/nowhere").list().isEmpty)
    }

    @Test func aFinishedSessionIsListedAsInItsManifest() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        let summary = try #require(test.shelf.list().first)
        #expect(summary.id == folder.name)
        #expect(summary.startedAt == TestShelf.morning)
        #expect([summary.format, summary.paper] == ["ielts-style", "bridges"])
        #expect(summary.options == ExamOptions(part: 3))
        #expect(summary.state == .over(.withdrawn))
        #expect(summary.takes.count == 3)
        #expect(summary.takes == (try folder.readManifest()?.takes))
        #expect(summary.speech > .seconds(25))
        let sizes = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            return attributes[.type] as? FileAttributeType == .typeRegular ? attributes[.size] as! Int : 0
        }
        #expect(summary.byteCount == sizes.reduce(0, +))
    }

    @Test func aSessionThatWasLeftReportsItsPlace() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(40))
        let summary = SessionSummary(folder)
        #expect(summary.state == .resumable(at: .turn(part: 3, order: 2, id: "building-2")))
        let manifest = try #require(try folder.readManifest())
        #expect(manifest.outcome == nil)
        #expect(summary.takes.map(\.file) == manifest.takes.map(\.file))
        #expect(summary.takes.map(\.speech) == manifest.takes.map(\.speech))
        for (take, stored) in zip(summary.takes, manifest.takes) {
            let difference = take.duration.duration.milliseconds - stored.duration.duration.milliseconds
            #expect(abs(difference) <= 20)
            #expect(take.byteCount == stored.byteCount)
        }
    }

    @Test func aKilledSessionHasTheAnswerThatWasBrokenOff() async throws {
        let test = try TestShelf()
        let folder = try await test.killed(after: .seconds(40))
        #expect(try folder.readManifest() == nil)
        let before = try TestShelf.picture(of: folder.path)
        let summary = SessionSummary(folder)
        #expect(try TestShelf.picture(of: folder.path) == before, "listing a session changes nothing in its folder")
        #expect(summary.state == .resumable(at: .turn(part: 3, order: 2, id: "building-2")))
        #expect(summary.takes.map(\.end) == ["finished", "deviceLost"])
        #expect(summary.takes[1].file == "takes/part3_q2.wav")
        let samples = try Fixtures.samples("\(folder.path)/takes/part3_q2.wav").count
        #expect(abs(summary.takes[1].duration.duration.milliseconds - samples / 16) <= 20)
        #expect(samples > 16_000)
    }

    @Test func aSessionIsHeldOnlyWhileAProgramHasIt() async throws {
        let test = try TestShelf()
        let folder = try await test.killed(after: .seconds(40))
        do {
            let other = OtherProgram(holding: folder)
            let summary = SessionSummary(folder)
            #expect(summary.state == .inUse)
            #expect(summary.takes.map(\.end) == ["finished"], "the open answer does not count yet")
            withExtendedLifetime(other) {}
        }
        #expect(SessionSummary(folder).state != .inUse)
    }

    /// Cuts off the log after each of its lines, and checks the place at which the session would resume.
    @Test func everyBeginningOfASessionHasAPlace() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        try FileManager.default.removeItem(atPath: folder.manifest)
        let lines = try SessionLog.lines(of: folder.log)
        var places: [SessionSummary.Place] = []
        for count in 0...lines.count {
            try Data(lines.prefix(count).map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: folder.log))
            guard case .resumable(let place) = SessionSummary(folder).state else {
                Issue.record("\(SessionSummary(folder).state) after \(count) lines")
                continue
            }
            if place != places.last { places.append(place) }
        }
        #expect(places.first == .beginning)
        #expect(places.contains(.turn(part: 3, order: 3, id: "building-3")))
        #expect(places.last == .storing)
        try FileManager.default.removeItem(atPath: folder.log)
        #expect(SessionSummary(folder).state == .resumable(at: .beginning))
    }

    @Test func theNewestIsFirst() async throws {
        let test = try TestShelf()
        for seconds in [60, -86_400, 0, 3_600] {
            let moment = WallTime(secondsSince1970: TestShelf.morning.secondsSince1970 + seconds)
            let folder = try test.shelf.newFolder(format: "x", at: moment)
            let consent = SessionRecord.Consent(words: "Yes.", givenAt: moment.utc)
            try folder.write(SessionRecord(startedAt: moment.utc, consent: consent, folders: [], voice: []))
        }
        let order = test.shelf.list().map(\.id)
        #expect(order == order.sorted(by: >))
        #expect(order.count == 4)
    }

    @Test func theLastSessionOfAMinuteIsFirst() throws {
        let test = try TestShelf()
        for number in 1...11 {
            let folder = try test.shelf.newFolder(format: "x", at: TestShelf.morning)
            // File systems count time in steps of 4 ms, so the folders' times are set a second apart.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_800_000_000 + Double(number))],
                ofItemAtPath: folder.path)
        }
        #expect(test.shelf.list().map { $0.id.split(separator: "-").last! }.prefix(3) == ["11", "10", "9"])
    }

    @Test(arguments: [
        ("exam.json", "{ \"format\": 1 }", "/exam.json: does not describe a session's exam"),
        ("exam.json", "", "/exam.json: does not describe a session's exam"),
        ("exam.json", nil, "/exam.json: no such file or directory"),
        ("session.json", "{ \"version\": 7 }", "/session.json: version: this session has version 7"),
        ("manifest.json", "{ \"version\": 1", "/manifest.json: is not JSON at line 1"),
        ("log.jsonl", "{\"log\":9}\n", "/log.jsonl:1: this program only reads logs of version 1"),
        ("log.jsonl", "{\"log\":1}\n{\"at\":0}\n", "/log.jsonl:2: is not a log line"),
    ])
    func aBrokenSessionSaysWhyAndHidesNoOther(_ file: String, _ text: String?, _ reason: String) async throws {
        let test = try TestShelf()
        try await test.session(closes: .seconds(20), encoding: false)
        let moment = WallTime(secondsSince1970: TestShelf.morning.secondsSince1970 + 60)
        let broken = try await test.session(at: moment, closes: .seconds(20), encoding: false)
        if let text {
            try Data(text.utf8).write(to: URL(filePath: "\(broken.path)/\(file)"))
        } else {
            try FileManager.default.removeItem(atPath: "\(broken.path)/\(file)")
        }
        try Data("a letter".utf8).write(to: URL(filePath: test.shelf.path + "/letter.txt"))
        try FileManager.default.createSymbolicLink(atPath: test.shelf.path + "/link", withDestinationPath: "/tmp")
        let list = test.shelf.list()
        #expect(list.count == 2)
        let states = list.map(\.state)
        #expect(states.contains(.resumable(at: .turn(part: 3, order: 1, id: "building-1"))), "\(states)")
        let sentences = states.compactMap { if case .broken(let sentence) = $0 { sentence } else { nil } }
        #expect(sentences.count == 1 && sentences[0].hasPrefix(broken.path + reason), "\(sentences)")
    }
}
