import Assessors
import ExamKit
import FoundationEssentials
import Learning
import SystemSupport

/// A user's tests of questions with keys.
///
/// ```
/// practice-tests/ID.json            a test: what was wanted, its questions, what was answered
/// practice-tests/ID.fetched.json    one of a backend: see `FetchedTests`
/// practice-tests/ID.writer.json     which model writes it; only while it is being written
/// ```
struct TestShelf {
    private let folder = UserFolders.data + "/practice-tests"

    /// What tests are drawn from: what comes with Oracy, and packs of the user's own.
    let bank: [PracticeQuestion]

    /// - Throws: `Problem.malformed` where an own pack cannot be read.
    init() throws(Problem) { bank = try (QuestionPack.builtIn + OwnPacks().packs()).flatMap(\.questions) }

    /// - Throws: `Problem.malformed` with the file; `missing` where there is none.
    func test(_ id: String) throws(Problem) -> PracticeTest {
        guard try ids().contains(id) else {
            throw Problem(.missing, "\(id): there is no such test; `oracy practice tests` lists yours")
        }
        return try UserFile.read(PracticeTest.self, from: file(id))
    }

    func write(_ test: PracticeTest) throws(Problem) { try UserFile.write(test, to: file(test.id)) }

    /// The newest first.
    func tests() throws(Problem) -> [PracticeTest] {
        var tests: [PracticeTest] = []
        for id in try ids() { tests.append(try test(id)) }
        return tests
    }

    /// `2026-11-25-0815-3f0a`: the time, so that tests stand in order, and chance for those of one minute.
    func newID(at moment: WallTime = .now) -> String {
        "\(moment.stamp)-\(String(UInt16.random(in: 0x1000 ... .max), radix: 16))"
    }

    // MARK: - Who writes

    func writer(of id: String) throws(Problem) -> AssessorEntry {
        try UserFile.read(AssessorEntry.self, from: writerFile(id))
    }

    func write(_ writer: AssessorEntry, of id: String) throws(Problem) {
        try UserFile.write(writer, to: writerFile(id))
    }

    func forgetWriter(of id: String) { try? FileManager.default.removeItem(atPath: writerFile(id)) }

    // MARK: - Files

    func file(_ id: String) -> String { "\(folder)/\(id).json" }

    private func writerFile(_ id: String) -> String { "\(folder)/\(id).writer.json" }

    /// Ids begin with the time: the newest first.
    private func ids() throws(Problem) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.dropLast(5).contains(".") }
            .map { String($0.dropLast(5)) }.sorted(by: >)
    }
}
