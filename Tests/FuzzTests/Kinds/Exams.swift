import ExamCore
import ExamKit
import Foundation
import SessionFolders

@testable import ExamNode
@testable import ExamServer

/// Formats and papers for `--exams`, their assembly, and stored exams.
struct Exams: FuzzKind {
    static let name = "exams"
    static let share = 12_000

    private let formats: [JSON]
    private let papers: [JSON]
    private let frozen: JSON
    private let folder = FuzzPlan.folder + "/exams"

    init() throws {
        formats = try ExamFormat.builtInNames.map {
            try JSON(reading: Array(JSONEncoder().encode(ExamFormat.builtIn($0))))
        }
        papers = try Paper.builtInNames.map { try JSON(reading: Array(JSONEncoder().encode(Paper.builtIn($0)))) }
        let options = try JSON(reading: Array(JSONEncoder().encode(ExamOptions())))
        frozen = .object(
            [("format", formats[0]), ("paper", papers[0]), ("options", options)].map { (name: $0.0, value: $0.1) })
        for name in ["formats", "papers"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    func attempt(_ chance: inout Chance) async throws {
        if chance.once(in: 3) {
            guard let exam = try? FrozenExam(frozen.spoiled(&chance), from: "exam.json") else { return }
            _ = Self.held(exam.format, exam.paper, exam.options, &chance)
            return
        }
        let (format, paper) = ("\(folder)/formats/\(chance.next()).json", "\(folder)/papers/\(chance.next()).json")
        defer { for path in [format, paper] { try? FileManager.default.removeItem(atPath: path) } }
        try Data(own(chance.one(of: formats), &chance)).write(to: URL(filePath: format))
        try Data(own(chance.one(of: papers), &chance)).write(to: URL(filePath: paper))
        guard let read = try? ExamFormat(file: format), let questions = try? Paper(file: paper) else { return }
        _ = Self.held(read, questions, ExamOptions(), &chance)
        // A catalogue assembles sixty pairs each time, so it is only made now and then.
        if chance.once(in: 20) { _ = try? ExamCatalogue(folder: folder) }
    }

    /// Returns the document with an id of its own. With a built-in one it would be refused for that.
    private func own(_ json: JSON, _ chance: inout Chance) -> [UInt8] {
        guard case .object(var fields) = json else { return [] }
        for index in fields.indices where fields[index].name == "id" { fields[index].value = .text("own") }
        return chance.once(in: 8) ? JSON.object(fields).spoiledSeldom(&chance) : JSON.object(fields).spoiled(&chance)
    }

    /// Assembles an exam, and runs it for a moment.
    private static func held(
        _ format: ExamFormat, _ paper: Paper, _ options: ExamOptions, _ chance: inout Chance
    ) -> Int {
        guard let script = ExamScript.assemble(format, paper, options: options).script else { return 0 }
        var (exam, now, count) = (Exam(script), ExamTime.zero, 0)
        count += exam.handle(.begin, at: now).count
        for _ in 0..<20 {
            now = now + .milliseconds(chance.one(of: [0, 20, 1_000, 60_000, 86_400_000]))
            let event: Exam.Event =
                switch (chance.below(6), exam.phase) {
                case (0...3, .speaking(let speech)): .promptEnded(speech.clip.id)
                case (0, _): .voiceBegan(now)
                case (1, _): .voiceEnded(now, as: .speech)
                case (2, _):
                    chance.one(of: [.asked(.repeat), .asked(.finish), .asked(.skip), .asked(.pause), .asked(.continue)])
                default: .timePassed
                }
            count += exam.handle(event, at: now).count
            _ = exam.view(at: now)
        }
        return count
    }
}
