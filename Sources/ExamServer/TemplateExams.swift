import BackendAPI
import ExamCore
import ExamKit
import Foundation
import Glibc
import SystemSupport

/// The very exams of templates, with the recordings that they name: what a client needs to hold one itself.
struct TemplateExams: Sendable {
    let catalogue: ExamCatalogue

    /// nil where this server has no such exam.
    func exam(_ template: UUID) -> TemplateExamRow? {
        for format in catalogue.formats {
            for paper in catalogue.fitting(format) where TemplateIDs.template(format.id, paper.id) == template {
                return TemplateExamRow(format: format, paper: paper)
            }
        }
        return nil
    }

    /// A recording that an exam names. It touches the disk.
    ///
    /// - Parameter name: as a clip of the format or the paper has it.
    /// - Returns: nil where no clip has that name, or the file is not in the exams' folder.
    func recording(_ name: String, of template: UUID) -> [UInt8]? {
        guard let exam = exam(template), exam.recordings.contains(name), let folder = catalogue.folder else {
            return nil
        }
        guard let root = realpath(folder, nil) else { return nil }
        defer { free(root) }
        for path in catalogue.folders.map({ name.path(in: $0) }) {
            guard let real = realpath(path, nil) else { continue }
            defer { free(real) }
            guard String(cString: real).hasPrefix(String(cString: root) + "/") else { continue }
            return try? PrivateFile.read(String(cString: real))
        }
        return nil
    }
}

extension TemplateExamRow {
    /// The names of all recordings that clips of this exam may have.
    var recordings: Set<String> {
        var names = Set(format.lines.values.compactMap(\.audio))
        for frame in paper.sections.values.joined() {
            names.formUnion([frame.lead?.audio].compactMap(\.self))
            for question in frame.questions {
                let prompts = (question.rephrased ?? []) + [question.followUp].compactMap(\.self)
                names.formUnion(([question.audio] + prompts.map(\.audio)).compactMap(\.self))
            }
        }
        return names
    }
}
