/// An element of an XML file, with what is in it.
public struct XMLNode: Equatable, Sendable {
    /// As it stands there, without a prefix of a namespace.
    public var name: String
    /// By their names, without a prefix of a namespace.
    public var attributes: [String: String]
    /// In order; texts between elements are nodes of their own.
    public var content: [Content]
    /// Where it begins, from 1.
    public var line: Int

    /// What stands in an element.
    public enum Content: Equatable, Sendable {
        /// Between two elements, entities resolved.
        case text(String)
        /// An element in it.
        case element(XMLNode)
    }

    public init(_ name: String, _ attributes: [String: String] = [:], _ content: [Content] = [], line: Int = 1) {
        self.name = name
        self.attributes = attributes
        self.content = content
        self.line = line
    }

    /// The elements in it, in order, without texts.
    public var children: [XMLNode] {
        content.compactMap { if case .element(let node) = $0 { node } else { nil } }
    }

    /// Those of a name.
    public func children(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// This one and all below it of a name, in order.
    public func all(_ name: String) -> [XMLNode] {
        (self.name == name ? [self] : []) + children.flatMap { $0.all(name) }
    }

    /// All text in it, with one space for each run of white space.
    public var text: String {
        func plain(_ node: XMLNode) -> String {
            node.content.map {
                switch $0 {
                case .text(let text): text
                case .element(let inner): plain(inner)
                }
            }.joined()
        }
        return plain(self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A text as it stands in XML, without the characters that XML cannot have.
    public static func escaped(_ text: String) -> String {
        // By scalars, as XML is read: an accent behind a mark makes another character of it, and the same mark.
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\u{0}"..<"\t", "\u{B}", "\u{C}", "\u{E}"..<" ", "\u{FFFE}", "\u{FFFF}": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
