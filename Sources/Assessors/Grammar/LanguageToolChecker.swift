public import Assessment
import FoundationEssentials
public import HTTPClient
public import SystemSupport

/// A LanguageTool server that somebody runs (`POST /v2/check`, its HTTP API 1.1.2): what is checked is sent there.
public struct LanguageToolChecker: LanguageChecking {
    /// Where its `/v2/check` lies: `https://languagetool.example.org`.
    public let address: String
    /// BCP 47; LanguageTool checks `en-GB` by British rules.
    public var language: String
    private let client: any HTTPExchanging

    /// - Parameter address: `http` or `https`, without a question mark.
    /// - Throws: `Problem.malformed` where it is something else.
    public init(
        address: String, language: String = "en-GB", client: any HTTPExchanging = CurlClient()
    ) throws(Problem) {
        guard address.hasPrefix("http://") || address.hasPrefix("https://"), !address.contains("?"),
            !address.contains("#")
        else {
            throw Problem(.malformed, "\(address): is no address of LanguageTool; https://host, or https://host/path")
        }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.language = language
        self.client = client
    }

    /// Categories of what is written and not heard (LanguageTool's `Categories`).
    private static let unheard: Set<String> = ["CASING", "PUNCTUATION", "TYPOS", "TYPOGRAPHY", "COMPOUNDING"]
    private static let style: Set<String> = ["STYLE", "REDUNDANCY", "PLAIN_ENGLISH", "WIKIPEDIA", "REPETITIONS_STYLE"]

    private struct Answer: Decodable {
        var software: Software
        var matches: [Match]

        struct Software: Decodable { var version: String }
        struct Match: Decodable {
            /// In UTF-16 units.
            var offset, length: Int
            var replacements: [Replacement]
            var rule: Rule
        }
        struct Replacement: Decodable { var value: String }
        struct Rule: Decodable { var category: Category }
        struct Category: Decodable { var id, name: String }
    }

    public func check(_ text: String) async throws(Problem) -> LanguageCheck {
        try LanguageCheckLimits.check(text)
        var form = URLComponents()
        form.queryItems = [
            URLQueryItem(name: "text", value: text), URLQueryItem(name: "language", value: language),
            URLQueryItem(name: "disabledCategories", value: Self.unheard.sorted().joined(separator: ",")),
        ]
        // In a query + is itself; in a form it is a space.
        let fields = (form.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        var limits = HTTPLimits()
        limits.total = LanguageCheckLimits.time
        limits.responseBytes = LanguageCheckLimits.answer
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await client.exchange(
                HTTPRequest(
                    "POST", address + "/v2/check",
                    headers: [("content-type", "application/x-www-form-urlencoded"), ("accept", "application/json")],
                    body: .bytes(Array(fields.utf8))), limits: limits)
        } catch {
            throw Problem(.unavailable, "\(address): LanguageTool does not answer (\(error.sentence))")
        }
        guard response.status == 200 else {
            throw Problem(.unavailable, "\(address): LanguageTool answers \(response.status), not 200")
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body)) else {
            throw Problem(.unavailable, "\(address): answers something else than LanguageTool does")
        }
        let found = answer.matches.filter { !Self.unheard.contains($0.rule.category.id) }.compactMap { match in
            text.scalars(utf16: match.offset, match.length).flatMap { place in
                match.replacements.first.map {
                    FoundMistake(
                        start: place.lowerBound, end: place.upperBound, correction: $0.value,
                        isStyle: Self.style.contains(match.rule.category.id),
                        category: match.rule.category.name.lowercased())
                }
            }
        }
        var check = LanguageCheck(source: "LanguageTool \(answer.software.version)", found, in: text)
        check.sentTo = address
        return check
    }
}

extension String {
    /// The place in Unicode scalars of one in UTF-16 units; nil where it lies outside, or cuts a character in two.
    fileprivate func scalars(utf16 offset: Int, _ length: Int) -> Range<Int>? {
        guard offset >= 0, length > 0, offset <= utf16.count, length <= utf16.count - offset else { return nil }
        let start = utf16.index(utf16.startIndex, offsetBy: offset)
        let end = utf16.index(start, offsetBy: length)
        guard start.samePosition(in: unicodeScalars) != nil, end.samePosition(in: unicodeScalars) != nil else {
            return nil
        }
        let first = unicodeScalars.distance(from: unicodeScalars.startIndex, to: start)
        return first..<first + unicodeScalars.distance(from: start, to: end)
    }
}
