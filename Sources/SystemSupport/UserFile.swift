/// Small JSON files of a user, such as consents and settings. They are private, and replaced as a whole.
public enum UserFile {
    /// - Throws: `Problem`: `missing`; `malformed` if its content is invalid.
    public static func read<Value: Decodable>(_ type: Value.Type, from path: String) throws(Problem) -> Value {
        let bytes = try PrivateFile.read(path)
        do {
            return try JSONFile.decodeLine(type, from: bytes)
        } catch {
            throw Problem(.malformed, "\(path): was not written by this program; it can be deleted")
        }
    }

    /// - Throws: `Problem.unwritable`.
    public static func write(_ value: some Encodable, to path: String) throws(Problem) {
        try PrivateFile.createFolder(path.folder)
        // Two exams of a user may begin at the same time. Both write the same content, so it does not matter which one
        // is last.
        let part = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        try PrivateFile.replace(path, with: JSONFile.encode(value), part: part)
    }
}
