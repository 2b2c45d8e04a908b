import Foundation

/// Writes files of text as Swift: `embed-text OUTPUT FOLDER FILE…`, for the plug-in `EmbedText`. FOLDER is the target's.
@main enum EmbedFiles {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2, let output = arguments.first else {
            return fail("use: embed-text OUTPUT FOLDER FILE…")
        }
        let folder = arguments.dropFirst().first.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        var members = ""
        var list = ""
        var paths = ""
        for path in arguments.dropFirst(2) {
            guard path.hasPrefix(folder) else { return fail("\(path): is not in the folder \(folder)") }
            let file = URL(filePath: path)
            guard let text = String(data: try Data(contentsOf: file), encoding: .utf8) else {
                return fail("\(path): is not UTF-8 text, and only text is embedded")
            }
            let name = property(for: file.lastPathComponent)
            members += "    static let \(name): [UInt8] = Array(\(literal(text)).utf8)\n"
            list += "        (\(literal(file.lastPathComponent)), \(name)),\n"
            paths += "        \(literal(String(path.dropFirst(folder.count)))),\n"
        }
        let swift = """
            /// Files of this target, made by `embed-text`.
            enum PackageResources {
            \(members)
                /// All of them with their names, in the order of their paths.
                static let all: [(name: String, bytes: [UInt8])] = [
            \(list)    ]

                /// Their paths in the target's folder, in the same order.
                static let paths: [String] = [
            \(paths)    ]
            }

            """
        try Data(swift.utf8).write(to: URL(filePath: output), options: .atomic)
    }

    /// `about-you.json` is `about_you_json`.
    private static func property(for name: String) -> String {
        let letters = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return (letters.first?.isNumber == true ? "_" : "") + String(letters)
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": literal += "\\\\"
            case "\"": literal += "\\\""
            case "\n": literal += "\\n"
            case "\0"..<" ", "\u{7F}": literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    private static func fail(_ sentence: String) {
        FileHandle.standardError.write(Data("embed-text: \(sentence).\n".utf8))
        exit(1)
    }
}
