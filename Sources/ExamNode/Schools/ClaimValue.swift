/// A value in a token of a school's sign-in service.
package enum ClaimValue: Equatable, Sendable, Decodable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([ClaimValue])
    case object([String: ClaimValue])
    case null

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let list = try? value.decode([ClaimValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: ClaimValue].self))
        }
    }

    /// The value as rules compare it: a text, each text of a list, or `true` and `false`. Other values have no texts.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .flag(let flag): [flag ? "true" : "false"]
        case .list(let values): values.flatMap { if case .text(let text) = $0 { [text] } else { [String]() } }
        case .number, .object, .null: []
        }
    }
}

/// The claims of a verified token.
package struct Claims: Equatable, Sendable {
    package var values: [String: ClaimValue]

    package init(_ values: [String: ClaimValue]) { self.values = values }

    /// Returns the texts of a claim. A name with full stops leads into objects (`realm_access.roles`), unless a claim
    /// has the whole name. An `email` has none unless the service has verified it (`email_verified`), because at many
    /// services people write their own address.
    package func texts(_ name: String) -> [String] {
        if name == "email", !(values["email_verified"]?.texts.contains("true") ?? false) { return [] }
        if let whole = values[name] { return whole.texts }
        var found = ClaimValue.object(values)
        for part in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard case .object(let fields) = found, let next = fields[String(part)] else { return [] }
            found = next
        }
        return found.texts
    }
}
