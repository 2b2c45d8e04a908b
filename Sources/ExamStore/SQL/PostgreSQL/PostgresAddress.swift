import CPostgres

/// The address of a database with its user, in a form that libpq accepts. It contains a password and therefore has no
/// description.
struct PostgresAddress: Sendable {
    let text: String
    private let secrets: [String]

    /// Reads an address.
    ///
    /// - Throws: `unusable` if libpq cannot read it. libpq's message is not passed on, because it repeats parts of the
    ///   address.
    init(_ text: String) throws(StoreError) {
        guard let options = PQconninfoParse(text, nil) else {
            throw StoreError(
                .unusable, "the database's address is not one that libpq can read: postgresql://user@host/name")
        }
        defer { PQconninfoFree(options) }
        var secrets: [String] = []
        var option = options
        while let keyword = option.pointee.keyword {
            // libpq marks options that it would not show, such as passwords, with a star.
            if let value = option.pointee.val, ["password", "sslpassword"].contains(String(cString: keyword)) {
                secrets.append(String(cString: value))
            }
            option += 1
        }
        self.text = text
        self.secrets = secrets.filter { !$0.isEmpty }
    }

    var holdsSecrets: Bool { !secrets.isEmpty }

    func withoutSecrets(_ words: String) -> String {
        secrets.reduce(words) { $0.replacing($1, with: "…") }
    }
}

extension ExamDatabase {
    /// Returns whether libpq accepts this as the address of a database.
    public static func isAddress(_ url: String) -> Bool { (try? PostgresAddress(url)) != nil }

    /// Returns whether the address of a database contains a password.
    public static func hasPassword(_ url: String) -> Bool { (try? PostgresAddress(url))?.holdsSecrets ?? false }
}
