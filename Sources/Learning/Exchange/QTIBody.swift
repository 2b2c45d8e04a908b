import SystemSupport

/// The words of a QTI item's body: the prompt that candidates read, and the explanation that tutors read.
struct QTIBody {
    private let body: XMLNode

    init(_ body: XMLNode) { self.body = body }

    /// The rubrics for tutors. Nil if there are none.
    ///
    /// Rubrics for scorers, authors, proctors and those who build tests are no part of the question.
    var explanation: String? {
        let told = body.all("qti-rubric-block").filter { $0.views.contains("tutor") && !$0.isForCandidates }
        return told.isEmpty ? nil : told.map(\.text).joined(separator: " ")
    }

    /// Returns all words that candidates read, except the options: the words around the interaction, with a gap if a
    /// text field is among them, and the interaction's prompt.
    func prompt(_ interaction: XMLNode) -> String {
        let outside = body.shown.withGap.text
        return ([outside] + interaction.children("qti-prompt").map(\.words)).filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension QTIContract {
    /// The elements whose words stand on lines of their own.
    fileprivate static let blocks: Set<String> = [
        "p", "div", "br", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "qti-rubric-block", "qti-content-body",
    ]

    /// Returns whether an element may be anywhere in the body. Options, prompts and contents have places of their own.
    static func isOfBody(_ name: String) -> Bool {
        !name.hasPrefix("qti-") || contract.ignores(name)
            || ["qti-rubric-block", "qti-feedback-block", "qti-feedback-inline", QTIReader.entry].contains(name)
            || QTIReader.lists.contains(name)
    }
}

extension XMLNode {
    fileprivate var views: [Substring] { (attributes["view"] ?? "candidate").split(whereSeparator: \.isWhitespace) }
    fileprivate var isForCandidates: Bool { views.contains("candidate") }

    /// The text without feedback. A space separates paragraphs.
    var words: String { shown.withGap.text }

    /// The node without what candidates see elsewhere or later: choices, feedback and the rubrics of others.
    fileprivate var shown: XMLNode {
        var node = self
        node.content = content.compactMap { content -> Content? in
            guard case .element(let inner) = content else { return content }
            if QTIReader.lists.contains(inner.name) || inner.isFeedback { return nil }
            if inner.name == "qti-rubric-block", !inner.isForCandidates { return nil }
            return .element(inner.shown)
        }
        return node
    }

    /// The node with `___` for a field among words. A field alone in its paragraph is not a gap. Paragraphs are
    /// separated by spaces.
    fileprivate var withGap: XMLNode {
        let isAlone = text.isEmpty
        var node = self
        node.content = content.flatMap { content -> [Content] in
            guard case .element(let inner) = content else { return [content] }
            if inner.name == QTIReader.entry { return isAlone ? [] : [.text("___")] }
            let isBlock = QTIContract.blocks.contains(inner.name)
            return isBlock ? [.text(" "), .element(inner.withGap), .text(" ")] : [.element(inner.withGap)]
        }
        return node
    }
}
