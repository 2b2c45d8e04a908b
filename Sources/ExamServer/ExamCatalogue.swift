import ExamCore
import ExamKit
import Foundation
package import SystemSupport

/// The formats and papers that exams are held with: those of whoever runs the server, before
/// those that come with the program. Read once.
package struct ExamCatalogue: Sendable {
    private(set) var formats: [ExamFormat] = []
    private(set) var papers: [Paper] = []
    /// That of one's own formats and papers; nil: none.
    let folder: String?
    /// Where recordings lie that own formats and papers name: from there on.
    let folders: [String]

    /// - Parameter folder: `formats/*.json` and `papers/*.json` of one's own; nil: none.
    /// - Throws: `Problem.missing` where neither of them is there; `malformed`, with file and line or field, for what cannot be an exam: an
    ///   id that is taken, a paper that goes with no format, a format that no paper goes with.
    package init(folder: String?) throws(Problem) {
        self.folder = folder
        folders = folder.map { ["\($0)/formats", "\($0)/papers"] } ?? []
        let (formatFiles, paperFiles) = (Self.files(in: folders.first), Self.files(in: folders.last))
        if let folder, formatFiles.isEmpty && paperFiles.isEmpty {
            throw Problem(.missing, "\(folder): has neither formats/*.json nor papers/*.json")
        }
        for file in formatFiles {
            let format = try ExamFormat(file: file)
            guard !ExamFormat.builtInNames.contains(format.id) && self.format(format.id) == nil else {
                throw Self.taken(format.id, file)
            }
            formats.append(format)
        }
        for file in paperFiles {
            let paper = try Paper(file: file)
            guard !Paper.builtInNames.contains(paper.id) && self.paper(paper.id) == nil else {
                throw Self.taken(paper.id, file)
            }
            papers.append(paper)
        }
        for name in ExamFormat.builtInNames { formats.append(try .builtIn(name)) }
        for name in Paper.builtInNames { papers.append(try .builtIn(name)) }
        for (file, format) in zip(formatFiles, formats) where fitting(format).isEmpty {
            throw Problem(.malformed, "\(file): none of the papers goes with it; \"oracy validate\" says why")
        }
        for (file, paper) in zip(paperFiles, papers)
        where !formats.contains(where: { ExamScript.assemble($0, paper).script != nil }) {
            throw Problem(.malformed, "\(file): goes with none of the formats; \"oracy validate\" says why")
        }
    }

    /// The first paper of one's own that goes with a format.
    func own(for format: ExamFormat) -> Paper? {
        fitting(format).first { !Paper.builtInNames.contains($0.id) }
    }

    func format(_ id: String) -> ExamFormat? { formats.first { $0.id == id } }
    func paper(_ id: String) -> Paper? { papers.first { $0.id == id } }

    /// The papers that go with a format.
    func fitting(_ format: ExamFormat) -> [Paper] {
        papers.filter { ExamScript.assemble(format, $0).script != nil }
    }

    private static func files(in folder: String?) -> [String] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func taken(_ id: String, _ file: String) -> Problem {
        Problem(.malformed, "\(file): id: there is another one called \"\(id)\"; give it an id of its own")
    }
}
