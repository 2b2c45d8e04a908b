public import Assessment
public import SystemSupport

extension ResultRules {
    /// Reads rules from the bytes of a JSON file, strictly: an unknown field is an error.
    ///
    /// - Parameter name: The file's name for messages.
    /// - Throws: `Problem.malformed` with the field. Rules that contradict themselves are malformed, too.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> ResultRules {
        let rules = try JSONFile.decode(
            ResultRules.self, "rules of results", version: layoutVersion, from: bytes, name: name)
        if let mistake = rules.mistakes.first { throw Problem(.malformed, "\(name): \(mistake)") }
        return rules
    }
}
