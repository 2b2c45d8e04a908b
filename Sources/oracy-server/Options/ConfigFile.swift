import ArgumentParser
import SystemSupport

/// Options in a file, one on each line, as `name = value`. Empty lines and lines that begin with `#` are ignored.
///
/// ```
/// # /etc/oracy/server.conf
/// port = 8080
/// allow-origin = https://school.example.org
/// database = postgresql://oracy:secret@db.example.org/oracy
/// ```
/// A value is the rest of its line, without quotes. An option with several values has a line for each.
struct ConfigFile {
    struct Line {
        var number: Int
        var name: String
        var value: String
    }

    let path: String
    private(set) var lines: [Line] = []

    /// Reads a file.
    ///
    /// - Throws: `Problem.missing`, or `ValidationError` with file and line for an invalid option.
    init(path: String) throws {
        self.path = path
        guard let text = String(validating: try PrivateFile.read(path), as: UTF8.self) else {
            throw ValidationError("\(path): is not UTF-8 text")
        }
        var seen: Set<String> = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.trimming(while: \.isWhitespace)
            guard !words.isEmpty, !words.hasPrefix("#") else { continue }
            let place = "\(path), line \(index + 1)"
            guard let equals = words.firstIndex(of: "=") else { throw ValidationError("\(place): write name = value") }
            let name = String(words[..<equals].trimming(while: \.isWhitespace))
            let option = OptionName(rawValue: name)
            guard option != nil || SecretName(rawValue: name) != nil else {
                throw ValidationError("\(place): there is no option \"\(name.prefix(64))\"")
            }
            guard seen.insert(name).inserted || option?.kind == .list else {
                throw ValidationError("\(place): \(name) is set twice")
            }
            let value = String(words[words.index(after: equals)...].trimming(while: \.isWhitespace))
            guard !value.isEmpty else { throw ValidationError("\(place): \(name) has no value") }
            lines.append(Line(number: index + 1, name: name, value: value))
        }
    }

    /// Returns whether all users of the machine can read a secret in the file. Its group may read it, as in Debian's
    /// packages.
    func tellsOthers(isSecret: (Line) -> Bool) -> Bool {
        lines.contains(where: isSecret) && OtherUsers.canRead(path)
    }
}

extension Substring {
    /// Returns the text without such characters at both ends.
    fileprivate func trimming(while isSuch: (Character) -> Bool) -> Substring {
        let rest = drop(while: isSuch)
        return rest.lastIndex { !isSuch($0) }.map { rest[...$0] } ?? ""
    }
}
