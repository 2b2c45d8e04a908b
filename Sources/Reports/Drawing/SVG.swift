/// Writes a drawing, element by element. The same calls give the same bytes.
package struct SVG {
    package typealias Attributes = KeyValuePairs<String, String>

    private var lines: [String] = []

    package init() {}

    /// Adds an element.
    ///
    /// - Parameters:
    ///   - name: the element's name: `rect`.
    ///   - text: the element's text.
    ///   - title: the text that a browser shows when the pointer rests on the element.
    package mutating func add(_ name: String, _ attributes: Attributes, text: String = "", title: String = "") {
        let inner = (title.isEmpty ? "" : "<title>\(title.xml)</title>") + text.xml
        lines.append("<" + name + Self.text(attributes) + (inner.isEmpty ? "/>" : ">\(inner)</\(name)>"))
    }

    package mutating func group(_ attributes: Attributes, _ name: String = "g", _ body: (inout SVG) -> Void) {
        lines.append("<" + name + Self.text(attributes) + ">")
        body(&self)
        lines.append("</\(name)>")
    }

    /// Returns the whole document with this width and height.
    ///
    /// - Parameter words: a title and a description for screen readers.
    package func document(width: Double, height: Double, words: (title: String, text: String)? = nil) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element(width: width, height: height, words: words) + "\n"
    }

    /// Returns the drawing as an element for a page, without an XML declaration.
    package func element(width: Double, height: Double, words: (title: String, text: String)? = nil) -> String {
        let (width, height) = (width.svg, height.svg)
        let opening: Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
            "viewBox": "0 0 \(width) \(height)", "role": "img", "font-family": "sans-serif", "font-size": "12",
        ]
        let spoken = words.map { ["<title>\($0.title.xml)</title>", "<desc>\($0.text.xml)</desc>"] } ?? []
        return (["<svg" + Self.text(opening) + ">"] + spoken + lines + ["</svg>"]).joined(separator: "\n")
    }

    private static func text(_ attributes: Attributes) -> String {
        attributes.map { " \($0.key)=\"\($0.value.xml)\"" }.joined()
    }
}

/// The data of a `path` element.
package struct SVGPath {
    package private(set) var data = ""

    package init() {}

    package mutating func move(_ x: Double, _ y: Double) { data += "M\(x.svg) \(y.svg)" }
    package mutating func line(_ x: Double, _ y: Double) { data += "L\(x.svg) \(y.svg)" }
    package mutating func horizontal(to x: Double) { data += "H\(x.svg)" }
    package mutating func vertical(to y: Double) { data += "V\(y.svg)" }
    package mutating func close() { data += "z" }

    package mutating func rectangle(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) {
        move(x.lowerBound, y.lowerBound)
        horizontal(to: x.upperBound)
        vertical(to: y.upperBound)
        horizontal(to: x.lowerBound)
        close()
    }

    /// Draws a line through points from left to right. Points within a level stretch are left out.
    package mutating func line(through points: [(x: Double, y: Double)]) {
        let heights = points.map { $0.y.svg }
        for (index, point) in points.enumerated() {
            let isLevel =
                index > 0 && index < points.count - 1
                && heights[index] == heights[index - 1] && heights[index] == heights[index + 1]
            if isLevel { continue }
            if data.isEmpty { move(point.x, point.y) } else { line(point.x, point.y) }
        }
    }
}

extension Double {
    /// The number rounded to a tenth: `12.5`, `-3`.
    package var svg: String {
        let tenths = Int((self * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return "\(sign)\(abs(tenths) / 10)" + (tenths % 10 == 0 ? "" : ".\(abs(tenths) % 10)")
    }
}

extension String {
    /// The text with XML's special characters escaped. Characters that XML 1.0 does not allow are replaced.
    fileprivate var xml: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
