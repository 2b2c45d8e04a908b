import Assessors
import FoundationEssentials
import Learning
import Study
import StudyFolders
import SystemSupport

/// A user's tests of questions with keys.
///
/// ```
/// practice-tests/ID.json            a test: its blueprint, questions and answers
/// practice-tests/ID.fetched.json    a backend's test: see `FetchedTests`
/// practice-tests/ID.writer.json     the model that writes it, only while it is being written
/// ```
struct TestShelf {
    private let folder = UserFolders.data + "/practice-tests"

    /// The questions that tests draw from: those that come with Oracy, and the user's own packs.
    let bank: [PracticeQuestion]

    /// - Throws: `Problem.malformed` if an own pack cannot be read.
    init() throws(Problem) { bank = try FolderShelf().practiceContent().bank }

    /// - Throws: `Problem.malformed` with the file; `missing` if the test doesn't exist.
    func test(_ id: String) throws(Problem) -> PracticeTest {
        guard try ids().contains(id) else {
            throw Problem(.missing, "\(id): there is no such test; `oracy practice tests` lists yours")
        }
        return try UserFile.read(PracticeTest.self, from: file(id))
    }

    func write(_ test: PracticeTest) throws(Problem) { try UserFile.write(test, to: file(test.id)) }

    /// Returns the tests, the newest first.
    func tests() throws(Problem) -> [PracticeTest] {
        var tests: [PracticeTest] = []
        for id in try ids() { tests.append(try test(id)) }
        return tests
    }

    /// Returns an id such as `2026-11-25-0815-3f0a`: the time, so that tests sort by it, and a random part to tell
    /// apart those of the same minute.
    func newID(at moment: WallTime = .now) -> String {
        "\(moment.stamp)-\(String(UInt16.random(in: 0x1000 ... .max), radix: 16))"
    }

    // MARK: - The writing model

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

    /// Returns the ids, the newest first, since they begin with the time.
    private func ids() throws(Problem) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.dropLast(5).contains(".") }
            .map { String($0.dropLast(5)) }.sorted(by: >)
    }
}
