/// An element of an XML file with its content.
public struct XMLNode: Equatable, Sendable {
    /// The name without a namespace prefix.
    public var name: String
    /// The attributes by their names without a namespace prefix.
    public var attributes: [String: String]
    /// The content in order. Texts between elements are separate nodes.
    public var content: [Content]
    /// The line at which it begins, from 1.
    public var line: Int

    /// The content of an element.
    public enum Content: Equatable, Sendable {
        /// A text between two elements, with entities resolved.
        case text(String)
        /// A nested element.
        case element(XMLNode)
    }

    public init(_ name: String, _ attributes: [String: String] = [:], _ content: [Content] = [], line: Int = 1) {
        self.name = name
        self.attributes = attributes
        self.content = content
        self.line = line
    }

    /// The nested elements in order, without texts.
    public var children: [XMLNode] {
        content.compactMap { if case .element(let node) = $0 { node } else { nil } }
    }

    /// Returns the nested elements with a name.
    public func children(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// Returns this element and all below it that have a name, in order.
    public func all(_ name: String) -> [XMLNode] {
        (self.name == name ? [self] : []) + children.flatMap { $0.all(name) }
    }

    /// All text in the element, with each run of white space as one space.
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

    /// Returns a text escaped for XML, without characters that XML doesn't allow.
    public static func escaped(_ text: String) -> String {
        // Works on scalars, as XML does: an accent after a markup character would make it another `Character`, but it
        // would still be the same markup.
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
