import Foundation
package import HTTPClient
package import SystemSupport

/// The schools whose people sign in with their school's own service (OpenID Connect): the file named by `--sign-in`
/// (docs/school.md).
package struct SchoolSettings: Codable, Equatable, Sendable {
    /// The version of the file's layout.
    package static let layoutVersion = 1

    /// The version of the file's layout: `layoutVersion`.
    package var version = SchoolSettings.layoutVersion
    /// This server's own address, as browsers and schools see it: `https://exams.example.org`.
    package var address: String
    /// The hours after which a person signs in again, 1 to 24. Nil for 12.
    package var hours: Int?
    package var schools: [School]

    /// A school with its sign-in service.
    package struct School: Codable, Equatable, Sendable {
        /// The name in addresses and logs: 1 to 40 lower-case letters, digits and hyphens.
        package var id: String
        /// The name on the page's button.
        package var name: String
        /// The service's `iss`: an https address, or an http one of this machine.
        package var issuer: String
        /// This server's id at the service.
        package var client: String
        /// The place of this server's secret at the service. Nil for a client without one.
        package var secret: ServiceKey?
        /// The scopes to ask for. Nil for `openid profile`.
        package var scopes: [String]?
        package var people: [SchoolRules.PersonRule]
        package var groups: [SchoolRules.GroupRule]?

        package init(
            id: String, name: String, issuer: String, client: String, secret: ServiceKey? = nil,
            scopes: [String]? = nil, people: [SchoolRules.PersonRule], groups: [SchoolRules.GroupRule]? = nil
        ) {
            (self.id, self.name, self.issuer, self.client) = (id, name, issuer, client)
            (self.secret, self.scopes, self.people, self.groups) = (secret, scopes, people, groups)
        }

    }

    package init(address: String, hours: Int? = nil, schools: [School]) {
        (self.address, self.hours, self.schools) = (address, hours, schools)
    }

    /// Returns the rules of one of the schools.
    package func rules(of school: School) -> SchoolRules {
        SchoolRules(
            school: school.id, people: school.people, groups: school.groups ?? [], isOneOfSeveral: schools.count > 1)
    }

    /// Reads the settings.
    ///
    /// - Throws: `Problem`: `missing`, or `malformed` with the line or the field.
    package init(file path: String) throws(Problem) {
        self = try JSONFile.decode(
            SchoolSettings.self, "file of schools", version: Self.layoutVersion, from: PrivateFile.read(path),
            name: path)
        if let mistake { throw Problem(.malformed, "\(path): \(mistake)") }
    }

    /// Returns the paths of the files of secrets that a file of schools names.
    ///
    /// - Throws: the errors of `init(file:)`.
    package static func keyFiles(named path: String) throws(Problem) -> [String] {
        try SchoolSettings(file: path).schools.compactMap { $0.secret?.file?.path(in: path.folder) }
    }

    /// The first mistake in the settings, with its field and without a full stop. Nil if they are valid.
    package var mistake: String? {
        guard Self.isSafe(address), let own = URLComponents(string: address), own.path.isEmpty else {
            return "address: should be this server's own https://HOST, and nothing after it"
        }
        if let hours, !(1...24 ~= hours) { return "hours: \(hours) should be 1 to 24" }
        guard 1...10 ~= schools.count else { return "schools: should have 1 to 10" }
        for (number, school) in schools.enumerated() {
            if let mistake = school.mistake { return "schools[\(number)].\(mistake)" }
            if schools[..<number].contains(where: { $0.id == school.id }) {
                return "schools[\(number)].id: \"\(school.id)\" is another one's already"
            }
            if schools[..<number].contains(where: { $0.issuer == school.issuer }) {
                return "schools[\(number)].issuer: is another one's already"
            }
        }
        return nil
    }

    /// Returns whether an address is https, or http on this machine, and has neither a user's name nor `?` nor `#`.
    package static func isSafe(_ address: String) -> Bool {
        guard let url = URLComponents(string: address), let host = url.host, !host.isEmpty, url.user == nil,
            url.password == nil, url.query == nil, url.fragment == nil, 1...65_535 ~= url.port ?? 1
        else { return false }
        return url.scheme == "https" || url.scheme == "http" && LocalHost.isThisMachine(host)
    }
}

extension SchoolSettings.School {
    fileprivate var mistake: String? {
        guard id.wholeMatch(of: /[a-z0-9-]{1,40}/) != nil else {
            return "id: should have 1 to 40 lower-case letters, digits and hyphens"
        }
        guard Self.isShown(name, atMost: 60) else { return "name: should have 1 to 60 characters" }
        guard SchoolSettings.isSafe(issuer) else {
            return "issuer: should be https://…, as the service's openid-configuration states it"
        }
        guard Self.isWord(client) else { return "client: should be this server's id at the service, without spaces" }
        if let secret, (secret.file == nil) == (secret.environment == nil) {
            return
                "secret: should be {\"file\": …} or {\"environment\": …}; the secret itself does not belong here"
        }
        if let scopes {
            guard scopes.contains("openid") else { return "scopes: must contain \"openid\"" }
            guard scopes.count <= 20, scopes.allSatisfy(Self.isWord) else {
                return "scopes: should be at most 20 words without spaces"
            }
        }
        guard 1...100 ~= people.count else {
            return "people: should have 1 to 100 rules, such as {\"role\": \"learner\"}"
        }
        for (number, rule) in people.enumerated() {
            if let mistake = rule.mistake { return "people[\(number)].\(mistake)" }
        }
        guard (groups ?? []).count <= 1_000 else { return "groups: should have at most 1000 rules" }
        for (number, rule) in (groups ?? []).enumerated() {
            if let mistake = rule.mistake { return "groups[\(number)].\(mistake)" }
        }
        return nil
    }

    private static func isWord(_ text: String) -> Bool {
        1...300 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }
    }

    fileprivate static func isShown(_ text: String, atMost most: Int) -> Bool {
        1...most ~= text.count && text.contains { !$0.isWhitespace }
            && text.unicodeScalars.allSatisfy { !$0.isControl }
    }
}

extension SchoolRules.PersonRule {
    fileprivate var mistake: String? {
        guard ["learner", "teacher", "marker"].contains(role) else {
            return "role: \"\(role)\" should be learner, teacher or marker"
        }
        if claim?.isEmpty == true { return "claim: is empty" }
        if claim != nil, self.is == nil { return "is: is missing; write the value that the claim must have" }
        if claim == nil, self.is != nil { return "claim: is missing; write the claim that must have this value" }
        if claim == nil, role != "learner" {
            return "claim: is missing, so everyone at the school would be a \(role); write a claim and its value"
        }
        return nil
    }
}

extension SchoolRules.GroupRule {
    fileprivate var mistake: String? {
        if claim.isEmpty { return "claim: is empty" }
        if (self.is == nil) != (group == nil) { return "group: belongs to \"is\": write both or neither" }
        if self.is != nil, begins != nil { return "begins: cannot stand beside \"is\"" }
        if begins?.isEmpty == true { return "begins: is empty; leave it out for all values" }
        if let group, !GroupNames.areValid([group]) {
            return "group: should have 1 to \(GroupNames.longest) characters"
        }
        return nil
    }
}
