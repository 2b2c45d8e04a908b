import ExamCore
import ExamKit
import ExamStore
import Foundation

/// Formats with papers, as templates in the store (D2, D3).
enum TemplateSeeds {
    /// Every format with every paper that goes with it.
    static func put(_ catalogue: ExamCatalogue, into store: ExamDatabase) async throws {
        for format in catalogue.formats {
            for paper in catalogue.papers {
                guard let script = ExamScript.assemble(format, paper, options: ExamOptions()).script else { continue }
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
