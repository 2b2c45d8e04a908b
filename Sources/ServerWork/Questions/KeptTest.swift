package import ExamStore
package import Foundation
package import Learning

/// Conversion between a test and its stored form.
extension StoredTest {
    package init(_ test: PracticeTest, id: UUID, isByModel: Bool) {
        self.init(id: id, state: State(test), isByModel: isByModel, document: Self.text(test))
    }

    /// Reads the test.
    ///
    /// - Throws: an error if a newer version wrote it.
    package func test() throws -> PracticeTest {
        try JSONDecoder().decode(PracticeTest.self, from: Data(document.utf8))
    }

    /// Returns a copy with the changed test.
    package func with(_ test: PracticeTest, offset: Int? = nil) -> StoredTest {
        var kept = self
        (kept.document, kept.state) = (Self.text(test), State(test))
        if let offset { kept.offset = offset }
        return kept
    }

    package static func text(_ test: PracticeTest) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // JSON can always represent a test: it contains only strings and finite numbers.
        return (try? encoder.encode(test)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension StoredTest.State {
    /// Returns the state of a test. A test does not know whether it was graded.
    package init(_ test: PracticeTest) {
        self =
            switch test.status {
            case .generating: .generating
            case .ready: .ready
            case .inProgress: .inProgress
            case .failed: .failed
            case .submitted: .submitted
            }
    }
}
