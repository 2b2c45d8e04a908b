import ExamCore
import ExamNode
import ExamStore
import Foundation
import ServerWork

/// Stores formats with papers as templates.
enum TemplateSeeds {
    /// Stores every format with every paper that fits it.
    static func put(_ catalogue: ExamCatalogue, into store: ExamDatabase) async throws {
        for format in catalogue.formats {
            for paper in catalogue.fitting(format) {
                let template = TestTemplate(
                    id: TemplateIDs.template(format.id, paper.id), title: "\(format.title): \(paper.title)",
                    description: paper.description,
                    difficulty: paper.difficulty.flatMap { .init(rawValue: $0.rawValue) }, format: format.id,
                    paper: paper.id)
                try await store.service.put(template, questions: questions(format, paper))
            }
        }
    }

    /// Returns all questions that an exam may ask, for any seed and card, by part and in the order of the files.
    static func questions(_ format: ExamFormat, _ paper: Paper) -> [TestQuestion] {
        let template = TemplateIDs.template(format.id, paper.id)
        var seen: Set<String> = []
        return format.parts.flatMap { part in
            let all = part.items.flatMap { asked(by: $0, format, paper) }.filter { seen.insert($0.id).inserted }
            return all.enumerated().map { place, question in
                TestQuestion(
                    id: TemplateIDs.question(question.id, of: template), part: part.number, order: place + 1,
                    text: question.text, question: question.id, audioURL: question.audio, transcript: question.text,
                    expectedDuration: question.rule.flatMap { format.rules[$0]?.maximum?.duration.inSeconds },
                    topicKeywords: question.keywords)
            }
        }
    }

    private struct Asked {
        var id, text: String
        var audio, rule: String?
        var keywords: [String]?
    }

    private static func asked(by item: ExamFormat.Item, _ format: ExamFormat, _ paper: Paper) -> [Asked] {
        if let name = item.ask, let line = format.lines[name] {
            return [Asked(id: name, text: line.text, audio: line.audio, rule: item.rules?.first)]
        }
        let (frames, rules) = (item.section.flatMap { paper.sections[$0] } ?? [], item.rules ?? [])
        // Rules depend on the position if all frames are asked in order. The position of a chosen frame is unknown.
        let isWhole = item.frames == nil || frames.count == item.frames
        var before = 0
        return frames.flatMap { frame in
            defer { before += isWhole ? frame.questions.count : 0 }
            return frame.questions.enumerated().map { place, question in
                Asked(
                    id: question.id, text: question.text, audio: question.audio,
                    rule: rules.isEmpty ? nil : rules[min(before + place, rules.count - 1)],
                    keywords: frame.keywords ?? frame.id.split { "-._".contains($0) }.map(String.init))
            }
        }
    }
}
