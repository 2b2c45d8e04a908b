import ExamCore
import ExamKit
import ExamStore
import Foundation

/// The papers that come with the program, as templates in the store (D2, D3).
enum TemplateSeeds {
    /// Every built-in format with every paper that fits it.
    static func put(into store: ExamStore) async throws {
        for format in ExamFormat.builtInNames.compactMap({ try? ExamFormat.builtIn($0) }) {
            for paper in Paper.builtInNames.compactMap({ try? Paper.builtIn($0) }) {
                guard let script = ExamScript.assemble(format, paper, options: ExamOptions()).0 else { continue }
                let id = TemplateIDs.template(format.id, paper.id)
                let template = TestTemplate(
                    id: id, title: "\(format.title): \(paper.title)", format: format.id, paper: paper.id)
                try await store.service.put(template, questions: questions(of: script, id))
            }
        }
    }

    private static func questions(of script: ExamScript, _ template: UUID) -> [TestQuestion] {
        script.turns.filter { $0.answer != nil }.map { turn in
            let part = script.parts[turn.part].number
            return TestQuestion(
                id: TemplateIDs.question(part: part, order: turn.order, of: template), part: part, order: turn.order,
                text: turn.prompt.last?.text ?? "", question: turn.id)
        }
    }
}
