/// Names the optional fields of a decoded value that are nil, and its lists that are empty.
///
/// A test against the real server compares them with the fields that the server may leave out. This finds fields of a
/// client that only a mock server ever sent.
///
/// - Returns: paths like `answers.transcript`. A field of a list's elements is named if it is absent in all of them.
func absentFields(of value: Any) -> Set<String> {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
        guard let inner = mirror.children.first else { return [""] }
        return absentFields(of: inner.value)
    case .collection:
        return absentInAll(mirror.children.map(\.value))
    case .dictionary:
        return absentInAll(
            mirror.children.compactMap { Mirror(reflecting: $0.value).children.dropFirst().first?.value })
    case .struct:
        var found: Set<String> = []
        for case (let label?, let field) in mirror.children {
            for path in absentFields(of: field) { found.insert(path.isEmpty ? label : "\(label).\(path)") }
        }
        return found
    default:
        return []
    }
}

private func absentInAll(_ elements: [Any]) -> Set<String> {
    guard let first = elements.first else { return [""] }
    return elements.dropFirst().reduce(absentFields(of: first)) { $0.intersection(absentFields(of: $1)) }
}
