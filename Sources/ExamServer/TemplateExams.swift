import BackendAPI
import ExamCore
import ExamNode
import Foundation
import Glibc
import ServerWork
import SystemSupport

/// The complete exams of templates with their recordings, for clients that hold an exam themselves.
struct TemplateExams: Sendable {
    let catalogue: ExamCatalogue

    /// Returns the exam of a template. Nil if this server does not have it.
    func exam(_ template: UUID) -> TemplateExamRow? {
        for format in catalogue.formats {
            for paper in catalogue.fitting(format) where TemplateIDs.template(format.id, paper.id) == template {
                return TemplateExamRow(format: format, paper: paper)
            }
        }
        return nil
    }

    /// Returns a recording named by an exam. Reads from the disk.
    ///
    /// - Parameter name: the name in a clip of the format or the paper.
    /// - Returns: nil if no clip has that name, or the file is not in the exams' folder.
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
    /// The names of all recordings of this exam's clips.
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
