/// One script made of the page's modules, so that a browser sends one request instead of one for each module.
///
/// Each module becomes a function that is called once, after the modules that it imports, and returns its exports.
///
/// Supported, at the start of a line: `import { a, b as c } from "./x.js";`, `export` before a function, class or
/// constant, and `export { a };`. Not supported: circular imports, default exports, exported variables that change.
/// Top-level `await` works. A test bundles all modules of the page.
struct PageBundle {
    /// Something in a module that cannot be bundled.
    struct Unsupported: Error, Equatable {
        var module: String
        /// A predicate about the module, without a full stop: `does not exist`.
        var what: String
    }

    private let modules: [String: String]
    /// The modules' functions, each after those that it needs.
    private var functions: [String] = []
    /// The places of modules in `functions`. Nil while its imports are being bundled.
    private var places: [String: Int?] = [:]

    /// Returns a module with all that it imports, as one script. Indentation, and comments on lines of their own, are
    /// left out.
    ///
    /// - Parameters:
    ///   - entry: the path of the module that runs when the script is loaded.
    ///   - modules: the texts of all modules by their paths.
    static func script(of entry: String, in modules: [String: String]) throws(Unsupported) -> String {
        var bundle = PageBundle(modules: modules)
        _ = try bundle.add(entry)
        return bundle.functions.joined(separator: "\n") + "\n"
    }

    private init(modules: [String: String]) { self.modules = modules }

    /// Adds a module and what it imports. Returns the name of what it exports.
    private mutating func add(_ path: String) throws(Unsupported) -> String {
        if let known = places[path] {
            guard let known else { throw Unsupported(module: path, what: "imports itself by way of others") }
            return "$\(known)"
        }
        guard let text = modules[path] else { throw Unsupported(module: path, what: "does not exist") }
        places[path] = .some(nil)
        var (lines, exported, rest) = ([Substring](), [String](), Self.withoutComments(text)[...])
        while let line = rest.popFirst() {
            if line.hasPrefix("import ") {
                var statement = String(line)
                while !statement.contains(";"), let more = rest.popFirst() { statement += " " + more }
                lines.append(Substring(try imported(statement, by: path)))
            } else if line.hasPrefix("export ") {
                let (kept, names) = try Self.exported(line, by: path)
                lines += kept.map { [$0] } ?? []
                exported += names
            } else {
                // The indentation would be part of a multi-line template literal.
                guard line.count(where: { $0 == "`" }).isMultiple(of: 2) else {
                    throw Unsupported(module: path, what: "has a multi-line template literal: \(line)")
                }
                lines.append(line.drop(while: \.isWhitespace))
            }
        }
        lines.append("return { \(exported.joined(separator: ", ")) };")
        let name = "$\(functions.count)"
        places[path] = functions.count
        functions.append("const \(name) = await (async () => {\n\(lines.joined(separator: "\n"))\n})();")
        return name
    }

    /// Returns a statement that takes the names of an import from the imported module's function.
    private mutating func imported(_ statement: String, by path: String) throws(Unsupported) -> String {
        guard let match = statement.wholeMatch(of: /import \{([^}]*)\} from "(\.{1,2}\/[^"]+)";\s*/) else {
            throw Unsupported(module: path, what: "has an import of another form: \(statement)")
        }
        let module = try add(Self.path(String(match.2), from: path))
        let names = Self.names(match.1).map { $0.replacing(" as ", with: ": ") }
        return "const { \(names.joined(separator: ", ")) } = \(module);"
    }

    /// Returns what stays of a line with an export, and the names that it exports.
    private static func exported(_ line: Substring, by path: String) throws(Unsupported) -> (Substring?, [String]) {
        if let match = line.wholeMatch(of: /export \{([^}]*)\};\s*/) {
            return (
                nil,
                names(match.1).map { name in
                    let parts = name.split(separator: " as ")
                    return parts.count == 2 ? "\(parts[1]): \(parts[0])" : name
                }
            )
        }
        if let match = line.prefixMatch(of: /export (?:async function\*?|function\*?|class|const) ([A-Za-z_$][\w$]*)/) {
            return (line.dropFirst("export ".count), [String(match.1)])
        }
        throw Unsupported(module: path, what: "has an export of another form: \(line)")
    }

    private static func names(_ list: Substring) -> [String] {
        list.split(separator: ",").map { String($0.trimmingPrefix(while: \.isWhitespace)) }
            .map { name in String(name.reversed().drop(while: \.isWhitespace).reversed()) }.filter { !$0.isEmpty }
    }

    /// Returns the path that an import means.
    private static func path(_ relative: String, from module: String) -> String {
        var folders = module.split(separator: "/").dropLast()
        for part in relative.split(separator: "/") where part != "." {
            if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }

    /// Returns the lines, except empty ones and comments that begin a line.
    private static func withoutComments(_ text: String) -> [Substring] {
        var isComment = false
        return text.split(separator: "\n").compactMap { line in
            var rest = line
            while true {
                let words = rest.drop(while: \.isWhitespace)
                if words.hasPrefix("/*") { isComment = true }
                guard isComment else { return words.isEmpty || words.hasPrefix("//") ? nil : rest }
                guard let end = words.firstRange(of: "*/") else { return nil }
                isComment = false
                rest = words[end.upperBound...]
            }
        }
    }
}
