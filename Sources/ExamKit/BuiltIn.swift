public import ExamCore
public import SystemSupport

extension ExamFormat {
    /// The formats that come with Oracy, by id.
    public static let builtInNames = ["ielts-style", "ieltspeak", "toefl-2026"]

    /// A format that comes with Oracy.
    ///
    /// ```swift
    /// let format = try ExamFormat.builtIn("ielts-style")
    /// ```
    ///
    /// - Throws: `Problem.missing` where there is none of that name.
    public static func builtIn(_ name: String) throws(Problem) -> ExamFormat {
        let bytes =
            switch name {
            case "ielts-style": PackageResources.ielts_style_json
            case "ieltspeak": PackageResources.ieltspeak_json
            case "toefl-2026": PackageResources.toefl_2026_json
            default: throw noBuiltIn("format", name, among: builtInNames)
            }
        return try JSONFile.decode(Self.self, "format", version: layoutVersion, from: bytes, name: "\(name).json")
    }

    /// Reads a format from a file, strictly: a field that nobody reads is an error.
    ///
    /// ```swift
    /// let format = try ExamFormat(file: "my-format.json")
    /// ```
    ///
    /// - Throws: `Problem.missing`, or `malformed` with line or field.
    public init(file path: String) throws(Problem) {
        let bytes = try PrivateFile.read(path)
        self = try JSONFile.decode(Self.self, "format", version: Self.layoutVersion, from: bytes, name: path)
    }
}

extension Paper {
    /// The papers that come with Oracy, by id.
    public static let builtInNames = ["bridges", "echoes"]

    /// A paper that comes with Oracy.
    ///
    /// ```swift
    /// let paper = try Paper.builtIn("bridges")
    /// ```
    ///
    /// - Throws: `Problem.missing` where there is none of that name.
    public static func builtIn(_ name: String) throws(Problem) -> Paper {
        let bytes =
            switch name {
            case "bridges": PackageResources.bridges_json
            case "echoes": PackageResources.echoes_json
            default: throw noBuiltIn("paper", name, among: builtInNames)
            }
        return try JSONFile.decode(Self.self, "paper", version: layoutVersion, from: bytes, name: "\(name).json")
    }

    /// Reads a paper from a file, strictly: a field that nobody reads is an error.
    ///
    /// ```swift
    /// let paper = try Paper(file: "my-paper.json")
    /// ```
    ///
    /// - Throws: `Problem.missing`, or `malformed` with line or field.
    public init(file path: String) throws(Problem) {
        let bytes = try PrivateFile.read(path)
        self = try JSONFile.decode(Self.self, "paper", version: Self.layoutVersion, from: bytes, name: path)
    }
}

private func noBuiltIn(_ kind: String, _ name: String, among names: [String]) -> Problem {
    Problem(.missing, "\(kind) \"\(name)\": there is none; use \((names + ["a .json file"]).spoken)")
}
