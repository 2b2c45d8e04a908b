import Papers
import SystemSupport

/// Items of QTI 2.0, 2.1 and 2.2. They have the elements of QTI 3 under other names: `simpleChoice` is
/// `qti-simple-choice`, and `maxChoices` is `max-choices`.
enum QTI2 {
    static let root = "assessmentItem"

    /// Reads an item.
    static func question(_ item: XMLNode) throws(ImportMistake) -> ReadQuestion {
        let translated = try translated(item)
        do throws(ImportMistake) { return try QTIReader.question(translated) } catch { throw told(error) }
    }

    /// Returns an item with the names of QTI 3. Names that QTI 3's reader doesn't know stay, so that it refuses them.
    ///
    /// - Throws: `not-read` for names of QTI 3, which have no meaning in an item of QTI 2.
    private static func translated(_ node: XMLNode) throws(ImportMistake) -> XMLNode {
        guard !node.name.hasPrefix("qti-") else { throw node.wrong(.notRead, "is not an element of QTI 2") }
        var own = node
        let name = "qti-" + hyphens(node.name)
        if QTIContract.contract.names(name) { own.name = name }
        own.attributes = [:]
        for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) {
            let other = hyphens(name)
            let isKnown = QTIContract.contract.names("\(own.name)@\(other)")
            if name == other, name.contains("-"), isKnown {
                throw ImportMistake(
                    line: node.line, "<\(node.name) \(name)>", value, .notRead, "is not an attribute of QTI 2")
            }
            own.attributes[isKnown ? other : name] = value
        }
        own.content = []
        for content in node.content {
            switch content {
            case .text: own.content.append(content)
            case .element(let inner): own.content.append(.element(try translated(inner)))
            }
        }
        return own
    }

    /// Returns a mistake of a translated item with the names of QTI 2.
    private static func told(_ mistake: ImportMistake) -> ImportMistake {
        var told = mistake
        let pattern = #/qti-([a-z]+(?:-[a-z]+)*)/#
        told.column = mistake.column.replacing(pattern) { capitals($0.1) }.replacing(#/ ([a-z]+(?:-[a-z]+)+)/#) {
            " " + capitals($0.1)
        }
        told.what = mistake.what.replacing(pattern) { capitals($0.1) }.replacing(#/([a-z]+(?:-[a-z]+)+)=/#) {
            capitals($0.1) + "="
        }
        return told
    }

    /// Returns `max-choices` for `maxChoices`.
    private static func hyphens(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// Returns `maxChoices` for `max-choices`.
    private static func capitals(_ name: Substring) -> String {
        let parts = name.split(separator: "-")
        return parts.dropFirst().reduce(String(parts.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
