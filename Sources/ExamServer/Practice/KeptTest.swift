import ExamStore
import Foundation
import Learning

/// A test as the store keeps it.
extension StoredTest {
    init(_ test: PracticeTest, id: UUID, isByModel: Bool) {
        self.init(id: id, state: State(test), isByModel: isByModel, document: Self.text(test))
    }

    /// - Throws: where it was written by a newer version.
    func test() throws -> PracticeTest { try JSONDecoder().decode(PracticeTest.self, from: Data(document.utf8)) }

    /// The same one with the test as it is now.
    func with(_ test: PracticeTest, offset: Int? = nil) -> StoredTest {
        var kept = self
        (kept.document, kept.state) = (Self.text(test), State(test))
        if let offset { kept.offset = offset }
        return kept
    }

    static func text(_ test: PracticeTest) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts and finite numbers: JSON holds them.
        return (try? encoder.encode(test)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension StoredTest.State {
    /// A test does not know whether it was graded.
    init(_ test: PracticeTest) {
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
