import CPostgres

/// Where a database is and who asks, as libpq takes it. Holds a password, hence has no description.
struct PostgresAddress: Sendable {
    let text: String
    private let secrets: [String]

    /// - Throws: `unusable` where libpq cannot read it. What it says is not passed on: it repeats pieces of the address.
    init(_ text: String) throws(StoreError) {
        guard let options = PQconninfoParse(text, nil) else {
            throw StoreError(
                .unusable, "the database's address is not one that libpq can read: postgresql://user@host/name")
        }
        defer { PQconninfoFree(options) }
        var secrets: [String] = []
        var option = options
        while let keyword = option.pointee.keyword {
            // Options that libpq itself would not show, such as passwords, are marked with a star.
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
    /// Whether libpq can read this as the address of a database.
    public static func isAddress(_ url: String) -> Bool { (try? PostgresAddress(url)) != nil }

    /// Whether a password stands in the address of a database.
    public static func hasPassword(_ url: String) -> Bool { (try? PostgresAddress(url))?.holdsSecrets ?? false }
}
