import ExamCore
import Foundation
import Glibc
import HTTPClient
import SystemSupport

/// Fetched templates of a backend, in a folder.
///
/// ```
/// list.json                    the templates that were offered, and when
/// exams/{template}.json        questions, or format and paper, and the recording of each name
/// recordings/{sha-256}.{kind}  by content: a changed recording is another file
/// ```
struct TemplateCache: Sendable {
    let folder: String

    struct List: Codable {
        /// ISO 8601 in UTC.
        var askedAt: String
        var templates: [ExamTemplate]
    }

    struct Exam: Codable {
        var askedAt: String
        var template: ExamTemplate
        var questions: [TemplateQuestion]?
        /// The text of the files.
        var format: String?
        var paper: String?
        /// The recordings by the names of their addresses.
        var recordings: [String: Recording] = [:]

        init(askedAt: String, template: ExamTemplate) {
            self.askedAt = askedAt
            self.template = template
        }
    }

    struct Recording: Codable {
        /// The path from the cache's folder.
        var file: String
        var etag: String?
    }

    /// Reads the list; nil if it is missing or unreadable, so that it will be fetched again.
    func list() -> List? { try? UserFile.read(List.self, from: folder + "/list.json") }

    func exam(_ template: UUID) -> Exam? { try? UserFile.read(Exam.self, from: path(of: template)) }

    func write(_ list: List) throws(Problem) { try UserFile.write(list, to: folder + "/list.json") }

    func write(_ exam: Exam) throws(Problem) { try UserFile.write(exam, to: path(of: exam.template.id)) }

    func has(_ recording: Recording) -> Bool { access("\(folder)/\(recording.file)", R_OK) == 0 }

    /// - Returns: The recording in the cache.
    func keep(
        _ bytes: [UInt8], named name: String, mediaType: String, etag: String?
    ) throws(Problem) -> Recording {
        let file = "recordings/\(SHA256.hexadecimal(of: bytes)).\(Self.suffix(of: name, mediaType))"
        let recording = Recording(file: file, etag: etag)
        if has(recording) { return recording }
        try PrivateFile.createFolder(folder + "/recordings")
        let part = "\(folder)/\(file).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        try PrivateFile.replace("\(folder)/\(file)", with: bytes, part: part)
        return recording
    }

    private func path(of template: UUID) -> String { "\(folder)/exams/\(template.name).json" }

    /// Returns the extension for a recording's file, from its name or by its type. The file itself shows what it
    /// contains.
    private static func suffix(of name: String, _ mediaType: String) -> String {
        let end = name.split(separator: "/").last?.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        if ["opus", "ogg", "wav", "flac", "mp3"].contains(end) { return end }
        switch mediaType.split(separator: ";").first.map(String.init)?.trimmed.lowercased() {
        case "audio/wav", "audio/x-wav", "audio/wave": return "wav"
        case "audio/flac", "audio/x-flac": return "flac"
        case "audio/mpeg", "audio/mp3": return "mp3"
        case "audio/ogg", "audio/opus", "application/ogg": return "opus"
        default: return "sound"
        }
    }
}

extension TemplateCache.Exam {
    /// Returns every recording that it names, once, in the order in which they are asked for.
    func addresses() throws(Problem) -> [RecordingAddress] {
        if let questions {
            var seen: Set<String> = []
            return questions.sorted { ($0.part, $0.order) < ($1.part, $1.order) }.compactMap(\.recording)
                .filter { seen.insert($0.name).inserted }
        }
        let (format, paper) = try decoded()
        return Set(format.recordings + paper.recordings).sorted().map { RecordingAddress(name: $0, url: $0) }
    }

    /// Returns the format and the paper, with each recording's file in place of its name.
    func files(in cache: TemplateCache) throws(Problem) -> (ExamFormat?, Paper, Validation) {
        func file(_ name: String) -> String { recordings[name]?.file ?? name }
        if let questions {
            let made = TemplatePaper(template, questions) { $0.recording.map { file($0.name) } }
            return (nil, made.paper, made.validation)
        }
        var (format, paper) = try decoded()
        format.renameRecordings(file)
        paper.renameRecordings(file)
        return (format, paper, Validation())
    }

    private func decoded() throws(Problem) -> (ExamFormat, Paper) {
        let name = "template \"\(template.title)\""
        return (
            try JSONFile.decode(
                ExamFormat.self, "format", version: ExamFormat.layoutVersion, from: Array((format ?? "").utf8),
                name: "\(name): format"),
            try JSONFile.decode(
                Paper.self, "paper", version: Paper.layoutVersion, from: Array((paper ?? "").utf8),
                name: "\(name): paper")
        )
    }
}

extension ExamFormat {
    fileprivate var recordings: [String] { lines.values.compactMap(\.audio) }

    fileprivate mutating func renameRecordings(_ name: (String) -> String) {
        for line in lines.keys { lines[line]!.audio = lines[line]!.audio.map(name) }
    }
}

extension Paper {
    fileprivate var recordings: [String] {
        var recordings: [String?] = []
        for frame in sections.values.joined() {
            recordings.append(frame.lead?.audio)
            for question in frame.questions {
                recordings += [question.audio, question.followUp?.audio]
                recordings += question.rephrased?.map(\.audio) ?? []
            }
        }
        return recordings.compactMap(\.self)
    }

    fileprivate mutating func renameRecordings(_ name: (String) -> String) {
        func renamed(_ prompt: Prompt) -> Prompt { Prompt(text: prompt.text, audio: prompt.audio.map(name)) }
        for section in sections.keys {
            for frame in sections[section]!.indices {
                sections[section]![frame].lead = sections[section]![frame].lead.map(renamed)
                sections[section]![frame].questions = sections[section]![frame].questions.map { question in
                    var question = question
                    question.audio = question.audio.map(name)
                    question.followUp = question.followUp.map(renamed)
                    question.rephrased = question.rephrased?.map(renamed)
                    return question
                }
            }
        }
    }
}
