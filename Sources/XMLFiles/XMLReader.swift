import CExpat
public import SystemSupport

/// Reads a whole XML document into a tree, using expat.
public enum XMLReader {
    /// The deepest nesting of elements. Real files do not exceed it.
    private static let deepest = 100

    /// Reads a document.
    ///
    /// - Returns: the outermost element.
    /// - Throws: `Problem.malformed` with the file and line. A document type is refused, too: its declarations are not
    ///   needed here and can be very long.
    public static func read(_ bytes: [UInt8], name: String) throws(Problem) -> XMLNode {
        do throws(XMLMistake) { return try read(bytes) } catch {
            throw Problem(.malformed, "\(name):\(error.line): \(error.what)")
        }
    }

    /// Reads a document, for callers that add the file's name themselves.
    public static func read(_ bytes: [UInt8]) throws(XMLMistake) -> XMLNode {
        let parser = XML_ParserCreate(nil)
        guard let parser else { throw XMLMistake(line: 1, what: "there is no memory to read it") }
        defer { XML_ParserFree(parser) }
        let tree = Tree(parser, deepest: deepest)
        XML_SetUserData(parser, Unmanaged.passUnretained(tree).toOpaque())
        XML_SetElementHandler(
            parser,
            { user, name, attributes in Tree.of(user).open(name, attributes) },
            { user, _ in Tree.of(user).close() })
        XML_SetCharacterDataHandler(parser) { user, text, count in Tree.of(user).add(text, Int(count)) }
        XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
            Tree.of(user).stop("has a document type (<!DOCTYPE …>); leave it out")
        }
        let status = bytes.withUnsafeBytes { XML_Parse(parser, $0.baseAddress, Int32($0.count), 1) }
        if let why = tree.why { throw XMLMistake(line: tree.line, what: why) }
        guard status == XML_STATUS_OK, let root = tree.root else {
            let what = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "cannot be read"
            throw XMLMistake(line: Int(XML_GetCurrentLineNumber(parser)), what: "is not XML (\(what))")
        }
        return root
    }
}

/// The reason why a text is invalid or unsupported XML, and the place.
public struct XMLMistake: Error, Equatable, Sendable {
    /// Counted from 1.
    public var line: Int
    /// Without a full stop.
    public var what: String
}

/// The tree read so far. expat calls it on the reading thread.
private final class Tree {
    private let parser: XML_Parser
    private let deepest: Int
    private var open: [XMLNode] = []
    private var text = ""
    var root: XMLNode?
    /// The reason and the place at which reading was stopped.
    private(set) var why: String?
    private(set) var line = 0

    init(_ parser: XML_Parser, deepest: Int) {
        self.parser = parser
        self.deepest = deepest
    }

    static func of(_ user: UnsafeMutableRawPointer?) -> Tree { Unmanaged<Tree>.fromOpaque(user!).takeUnretainedValue() }

    func stop(_ why: String) {
        if self.why == nil { (self.why, line) = (why, Int(XML_GetCurrentLineNumber(parser))) }
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    func open(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        endText()
        guard open.count < deepest else { return stop("has elements in elements, \(deepest) deep") }
        var own: [String: String] = [:]
        var place = 0
        while let key = attributes?[place], let value = attributes?[place + 1] {
            let full = String(cString: key)
            place += 2
            // Declarations of namespaces are not attributes of the element.
            if full == "xmlns" || full.hasPrefix("xmlns:") { continue }
            let local = Self.local(full)
            // If two attributes have the same local name, the one without a prefix counts.
            if local == full || own[local] == nil { own[local] = String(cString: value) }
        }
        open.append(
            XMLNode(
                Self.local(name.map { String(cString: $0) } ?? ""), own, line: Int(XML_GetCurrentLineNumber(parser))))
    }

    /// Returns a name without its namespace prefix.
    private static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

    func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
        guard let text, !open.isEmpty else { return }
        self.text += String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func close() {
        endText()
        guard let node = open.popLast() else { return }
        if open.isEmpty { root = node } else { open[open.count - 1].content.append(.element(node)) }
    }

    /// Adds the text that was read since the last tag. expat hands over a long text in many pieces.
    private func endText() {
        if !text.isEmpty { open[open.count - 1].content.append(.text(text)) }
        text = ""
    }
}
