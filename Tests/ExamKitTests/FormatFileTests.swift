import ExamCore
import SystemSupport
import TestSupport
import Testing

@testable import ExamKit

/// Reading and writing formats and papers as files.
@Suite struct FormatFileTests {
    @Test func writtenValuesAreReadAgain() throws {
        for name in ExamFormat.builtInNames {
            let format = try ExamFormat.builtIn(name)
            let again = try JSONFile.decode(
                ExamFormat.self, "format", version: 1, from: JSONFile.encode(format), name: "again")
            #expect(again == format)
        }
    }

    @Test func aMissingFileIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/paper.json"
        let problem = Problem(.missing, "\(path): no such file or directory")
        #expect(throws: problem) { try Paper(file: path) }
        #expect(throws: problem) { try ExamFormat(file: path) }
    }
}
