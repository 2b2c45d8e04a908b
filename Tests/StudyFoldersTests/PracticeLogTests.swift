import Foundation
import Learning
import Study
import SystemSupport
import TestSupport
import Testing

@testable import StudyFolders

@Suite struct PracticeLogTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/deep/practice.log" }
    private let now = StudyMoment(seconds: 1_795_435_200, offset: 0)

    init() throws { folder = try TemporaryFolder() }

    private static let answered = PracticeEvent.answered(
        .init(
            drill: 1, exercise: .init(memory: "p/q", question: "q", role: .new), verdict: .right, seconds: 4.04))

    /// Appends events after the lines that are there.
    private func append(_ events: PracticeEvent..., to log: PracticeLog) throws -> Bool {
        let end = try #require(try log.stretch(after: PracticePlace())).end
        return try log.append(events.map { PracticeLine(now, $0) }, after: end)
    }

    private func history(of log: PracticeLog) throws -> PracticeHistory {
        PracticeHistory(try #require(try log.stretch(after: PracticePlace())).lines)
    }

    @Test func storedLinesAreReadAgain() throws {
        do {
            let log = PracticeLog(path: path)
            #expect(try append(.minutes(12), Self.answered, to: log))
        }
        let read = try #require(try PracticeLog(path: path).stretch(after: PracticePlace()))
        #expect(read.lines == [PracticeLine(now, .minutes(12)), PracticeLine(now, Self.answered)] && read.isWhole)
        let rest = try PracticeLog(path: path).stretch(
            after: PracticePlace(number: 1, line: PracticeLine(now, .minutes(12)).text))
        #expect(rest?.lines == [PracticeLine(now, Self.answered)] && rest?.end == read.end)
        #expect(try PracticeLog(path: path).stretch(after: read.end)?.lines == [])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func aMissingLogMeansNothingHappened() throws {
        let read = try PracticeLog(path: path).stretch(after: PracticePlace())
        #expect(read == PracticeStretch([], end: PracticePlace(), isWhole: true))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// A log that was erased, and perhaps begun again, no longer has the earlier place.
    @Test func anErasedLogIsNoticed() throws {
        let place: PracticePlace
        do {
            let log = PracticeLog(path: path)
            #expect(try append(.minutes(12), .minutes(13), to: log))
            place = try #require(try log.stretch(after: PracticePlace())).end
        }
        for text in ["", PracticeLine(now, .minutes(12)).text + "\n"] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let log = PracticeLog(path: path)
            #expect(try log.stretch(after: place) == nil)
            #expect(try !log.append([PracticeLine(now, .minutes(14))], after: place))
        }
    }

    @Test func onlyTheEndTakesLines() throws {
        let log = PracticeLog(path: path)
        #expect(try append(.minutes(12), to: log))
        #expect(try !log.append([PracticeLine(now, .minutes(13))], after: PracticePlace()))
        #expect(try history(of: log).minutesADay == 12)
    }

    /// A kill may cut the last line anywhere. Everything before it stays, and the next event begins its own line.
    @Test func aLineThatIsTornIsCutOff() throws {
        do { #expect(try append(Self.answered, .minutes(20), to: PracticeLog(path: path))) }
        let whole = try Data(contentsOf: URL(filePath: path))
        let last = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
        for end in last..<whole.count - 1 {
            try whole.prefix(end).write(to: URL(filePath: path))
            let log = PracticeLog(path: path)
            let torn = try history(of: log)
            #expect(torn.minutesADay == 10 && torn.memories.count == 1)
            #expect(try append(.minutes(30), to: log))
            #expect(try history(of: PracticeLog(path: path)).minutesADay == 30)
        }
    }

    @Test func oneWindowAtATime() throws {
        let log = PracticeLog(path: path)
        try log.lock()
        let failure = #expect(throws: Problem.self) { try PracticeLog(path: path).lock() }
        #expect(failure?.kind == .occupied)
        #expect(throws: Problem.self) { try append(Self.answered, to: PracticeLog(path: path)) }
        #expect(try append(Self.answered, to: log))
        #expect(try history(of: PracticeLog(path: path)).memories.count == 1, "a locked log can be read")
    }

    @Test func aLinkIsNotFollowed() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/deep", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere")
        #expect(throws: Problem.self) { try PracticeLog(path: path).lock() }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
    }
}
