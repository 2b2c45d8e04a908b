import Foundation
import Learning
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

    @Test func storedValuesAreReadAgain() throws {
        let kept: PracticeHistory
        do {
            let log = try PracticeLog(path: path)
            try log.append([.minutes(12), Self.answered], at: now)
            try log.synchronize()
            kept = log.history
        }
        #expect(try PracticeLog.history(of: path) == kept && kept.minutesADay == 12 && kept.memories.count == 1)
        #expect(try PracticeLog(path: path).history == kept)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func aMissingLogMeansNothingHappened() throws {
        #expect(try PracticeLog.history(of: path) == PracticeHistory())
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// A kill may cut the last line anywhere. Everything before it stays, and the next event begins its own line.
    @Test func aLineThatIsTornIsCutOff() throws {
        do { try PracticeLog(path: path).append([Self.answered, .minutes(20)], at: now) }
        let whole = try Data(contentsOf: URL(filePath: path))
        let last = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
        for end in last..<whole.count - 1 {
            try whole.prefix(end).write(to: URL(filePath: path))
            let log = try PracticeLog(path: path)
            #expect(log.history.minutesADay == 10 && log.history.memories.count == 1)
            try log.append([.minutes(30)], at: now)
            #expect(try PracticeLog.history(of: path).minutesADay == 30)
        }
    }

    @Test func oneWindowAtATime() throws {
        let log = try PracticeLog(path: path)
        let failure = #expect(throws: Problem.self) { try PracticeLog(path: path) }
        #expect(failure?.kind == .occupied)
        try log.append([Self.answered], at: now)
        #expect(try PracticeLog.history(of: path).memories.count == 1, "a locked log can be read")
    }

    @Test func aLinkIsNotFollowed() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/deep", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere")
        #expect(throws: Problem.self) { try PracticeLog(path: path) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
    }
}
