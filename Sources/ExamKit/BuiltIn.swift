public import ExamCore
public import SystemSupport

/// The formats and papers that come with Oracy, by id. To add one, put its file into the folder and its name into this
/// list.
private enum BuiltIn {
    static let formats: KeyValuePairs = [
        "ielts-style": PackageResources.ielts_style_json,
        "ieltspeak": PackageResources.ieltspeak_json,
        "toefl-2026": PackageResources.toefl_2026_json,
        "pte-style": PackageResources.pte_style_json,
        "celpip-style": PackageResources.celpip_style_json,
        "aptis-style": PackageResources.aptis_style_json,
        "interview": PackageResources.interview_json,
        "hskk-style": PackageResources.hskk_style_json,
        "questions": PackageResources.questions_json,
    ]
    static let papers: KeyValuePairs = [
        "bridges": PackageResources.bridges_json,
        "echoes": PackageResources.echoes_json,
    ]

    static func decode<Value: Codable>(
        _ type: Value.Type, _ kind: String, _ name: String, version: Int, among files: KeyValuePairs<String, [UInt8]>
    ) throws(Problem) -> Value {
        guard let bytes = files.first(where: { $0.key == name })?.value else {
            let names = (files.map(\.key) + ["a .json file"]).spoken
            throw Problem(.missing, "\(kind) \"\(name)\": does not exist; use \(names)")
        }
        return try JSONFile.decode(type, kind, version: version, from: bytes, name: "\(name).json")
    }
}

extension ExamFormat {
    /// The formats that come with Oracy, by id.
    public static let builtInNames = BuiltIn.formats.map(\.key)

    /// Returns a format that comes with Oracy.
    ///
    /// ```swift
    /// let format = try ExamFormat.builtIn("ielts-style")
    /// ```
    ///
    /// - Throws: `Problem.missing` if the name is unknown.
    public static func builtIn(_ name: String) throws(Problem) -> ExamFormat {
        try BuiltIn.decode(Self.self, "format", name, version: layoutVersion, among: BuiltIn.formats)
    }

    /// Returns the format in which a template's questions are asked: `ielts-style` without its introduction. It has no
    /// paper of its own and isn't in `builtInNames`.
    ///
    /// - Parameter paper: The template's paper. Items of section `part-2-more` are left out if the paper has no such
    ///   section.
    /// - Throws: `Problem` only if Oracy's own file is broken.
    public static func givenQuestions(for paper: Paper) throws(Problem) -> ExamFormat {
        var format = try JSONFile.decode(
            Self.self, "format", version: layoutVersion, from: PackageResources.given_questions_json,
            name: "given-questions.json")
        for part in format.parts.indices {
            format.parts[part].items.removeAll { $0.section == "part-2-more" && paper.sections["part-2-more"] == nil }
        }
        return format
    }

    /// Reads a format from a file. An unknown field is an error.
    ///
    /// ```swift
    /// let format = try ExamFormat(file: "my-format.json")
    /// ```
    ///
    /// - Throws: `Problem.missing`, or `malformed` with the line or field.
    public init(file path: String) throws(Problem) {
        let bytes = try PrivateFile.read(path)
        self = try JSONFile.decode(Self.self, "format", version: Self.layoutVersion, from: bytes, name: path)
    }
}

extension Paper {
    /// The papers that come with Oracy, by id.
    public static let builtInNames = BuiltIn.papers.map(\.key)

    /// Returns a paper that comes with Oracy.
    ///
    /// ```swift
    /// let paper = try Paper.builtIn("bridges")
    /// ```
    ///
    /// - Throws: `Problem.missing` if the name is unknown.
    public static func builtIn(_ name: String) throws(Problem) -> Paper {
        try BuiltIn.decode(Self.self, "paper", name, version: layoutVersion, among: BuiltIn.papers)
    }

    /// Reads a paper from a file. An unknown field is an error.
    ///
    /// ```swift
    /// let paper = try Paper(file: "my-paper.json")
    /// ```
    ///
    /// - Throws: `Problem.missing`, or `malformed` with the line or field.
    public init(file path: String) throws(Problem) {
        let bytes = try PrivateFile.read(path)
        self = try JSONFile.decode(Self.self, "paper", version: Self.layoutVersion, from: bytes, name: path)
    }
}
