import SystemSupport

extension XMLNode {
    /// Returns the response processing of an item with the points of each rule as a number or as the mapping, if that
    /// does not change its meaning.
    ///
    /// In a sum with `SCORE`, only the other part remains, because only one rule gives points and `SCORE` is 0 before
    /// it. An outcome that no rule sets is replaced by its default.
    func withPlainPoints(of item: XMLNode) -> XMLNode {
        let changed = Set(all("qti-set-outcome-value").compactMap { $0.attributes["identifier"] })
        var constants: [String: XMLNode] = [:]
        for outcome in item.children("qti-outcome-declaration") {
            guard let name = outcome.attributes["identifier"], name == "SCORE" || !changed.contains(name),
                let value = outcome.children("qti-default-value").first?.children("qti-value").first
            else { continue }
            constants[name] = value
        }
        let start = constants.removeValue(forKey: "SCORE")?.text ?? "0"
        return withPoints { points in
            var plain = points
            if points.name == "qti-sum", Double(start) == 0 {
                let others = points.children.filter {
                    $0.name != "qti-variable" || $0.attributes["identifier"] != "SCORE"
                }
                if others.count == 1 { plain = others[0] }
            }
            if plain.name == "qti-variable", let value = constants[plain.attributes["identifier"] ?? ""] {
                plain = XMLNode("qti-base-value", ["base-type": "float"], value.content, line: plain.line)
            }
            return plain
        }
    }

    private func withPoints(_ change: (XMLNode) -> XMLNode) -> XMLNode {
        var node = self
        let isScore = name == "qti-set-outcome-value" && attributes["identifier"] == "SCORE"
        node.content = content.map { content in
            guard case .element(let inner) = content else { return content }
            return .element(isScore ? change(inner) : inner.withPoints(change))
        }
        return node
    }
}
