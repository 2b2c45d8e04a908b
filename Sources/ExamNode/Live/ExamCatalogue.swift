package import ExamCore
import ExamKit
import Foundation
package import SystemSupport

/// The formats and papers of exams. The operator's own come before the built-in ones. Read once.
package struct ExamCatalogue: Sendable {
    package private(set) var formats: [ExamFormat] = []
    package private(set) var papers: [Paper] = []
    /// The folder of custom formats and papers. Nil for none.
    package let folder: String?
    /// The folders to search for the recordings that custom formats and papers name.
    package let folders: [String]

    /// Reads the formats and papers.
    ///
    /// - Parameter folder: the folder with custom `formats/*.json` and `papers/*.json`. Nil for none.
    /// - Throws: `Problem.missing` if the folder has no formats, papers and packs (`packs/*.json`). `malformed`, with
    ///   file and line or field, if an id is taken, a paper has no matching format, a format has no matching paper, or a
    ///   file is invalid.
    package init(folder: String?) throws(Problem) {
        self.folder = folder
        folders = folder.map { ["\($0)/formats", "\($0)/papers"] } ?? []
        let (formatFiles, paperFiles) = (Self.files(in: folders.first), Self.files(in: folders.last))
        if let folder, formatFiles.isEmpty && paperFiles.isEmpty && Self.files(in: "\(folder)/packs").isEmpty {
            throw Problem(.missing, "\(folder): has no formats/*.json, papers/*.json or packs/*.json")
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
            throw Problem(.malformed, "\(file): none of the papers fits it; \"oracy validate\" says why")
        }
        for (file, paper) in zip(paperFiles, papers)
        where !formats.contains(where: { ExamScript.assemble($0, paper).script != nil }) {
            throw Problem(.malformed, "\(file): fits none of the formats; \"oracy validate\" says why")
        }
    }

    /// Returns the first custom paper for a format.
    package func own(for format: ExamFormat) -> Paper? {
        fitting(format).first { !Paper.builtInNames.contains($0.id) }
    }

    package func format(_ id: String) -> ExamFormat? { formats.first { $0.id == id } }
    package func paper(_ id: String) -> Paper? { papers.first { $0.id == id } }

    /// Returns the papers that fit a format.
    package func fitting(_ format: ExamFormat) -> [Paper] {
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
