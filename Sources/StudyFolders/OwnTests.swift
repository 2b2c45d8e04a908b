public import Assessors
import FoundationEssentials
public import Learning
public import SystemSupport

/// A user's tests of questions with keys.
///
/// ```
/// practice-tests/ID.json            a test: its blueprint, questions and answers
/// practice-tests/ID.fetched.json    a backend's test
/// practice-tests/ID.writer.json     the model that writes it, only while it is being written
/// ```
public struct OwnTests: Sendable {
    private let folder: String

    public init(folder: String = UserFolders.data + "/practice-tests") { self.folder = folder }

    /// Reads a test.
    ///
    /// - Throws: `Problem.malformed` with the file; `missing` if the test doesn't exist.
    public func test(_ id: String) throws(Problem) -> PracticeTest {
        guard ids.contains(id) else {
            throw Problem(.missing, "\(id): there is no such test; `oracy practice tests` lists yours")
        }
        return try UserFile.read(PracticeTest.self, from: file(id))
    }

    /// Stores a test in place of the one with its id.
    ///
    /// - Throws: `Problem.unwritable`.
    public func write(_ test: PracticeTest) throws(Problem) { try UserFile.write(test, to: file(test.id)) }

    /// Changes a test, and stores it. Other windows wait meanwhile.
    ///
    /// - Returns: The changed test. Nil if there is no such test.
    /// - Throws: The errors of `change`; `Problem`: `malformed`, `unwritable`.
    func change(_ id: String, _ change: (inout PracticeTest) throws -> Void) throws -> PracticeTest? {
        guard ids.contains(id) else { return nil }
        let lock = try HeldFolder(folder)
        defer { lock.release() }
        let known = try test(id)
        var test = known
        try change(&test)
        if test != known { try write(test) }
        return test
    }

    /// Returns the tests, the newest first.
    ///
    /// - Throws: `Problem.malformed` with the file.
    public func all() throws(Problem) -> [PracticeTest] {
        var tests: [PracticeTest] = []
        for id in ids { tests.append(try test(id)) }
        return tests
    }

    /// Returns an id such as `2026-11-25-0815-3f0a`: the time, so that tests sort by it, and a random part that
    /// distinguishes tests of the same minute.
    public func newID(at moment: WallTime = .now) -> String {
        "\(moment.stamp)-\(String(UInt16.random(in: 0x1000 ... .max), radix: 16))"
    }

    // MARK: - The writing model

    /// Reads the model that writes a test.
    ///
    /// - Throws: `Problem`: `missing`, `malformed`.
    public func writer(of id: String) throws(Problem) -> AssessorEntry {
        try UserFile.read(AssessorEntry.self, from: writerFile(id))
    }

    /// Stores the model that writes a test.
    ///
    /// - Throws: `Problem.unwritable`.
    public func write(_ writer: AssessorEntry, of id: String) throws(Problem) {
        try UserFile.write(writer, to: writerFile(id))
    }

    /// Erases the model that wrote a test.
    public func forgetWriter(of id: String) { try? FileManager.default.removeItem(atPath: writerFile(id)) }

    // MARK: - Files

    /// Returns the path of a test's file.
    public func file(_ id: String) -> String { "\(folder)/\(id).json" }

    private func writerFile(_ id: String) -> String { "\(folder)/\(id).writer.json" }

    /// The ids, the newest first, since they begin with the time.
    private var ids: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.dropLast(5).contains(".") }
            .map { String($0.dropLast(5)) }.sorted(by: >)
    }
}
