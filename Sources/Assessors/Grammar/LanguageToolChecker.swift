public import Assessment
import FoundationEssentials
public import HTTPClient
public import SystemSupport

/// A checker that sends the text to a LanguageTool server (`POST /v2/check` of its HTTP API 1.1.2).
public struct LanguageToolChecker: LanguageChecking {
    /// The server's address, below which `/v2/check` is found: `https://languagetool.example.org`.
    public let address: String
    /// The language in BCP 47. LanguageTool checks `en-GB` by British rules.
    public var language: String
    private let client: any HTTPExchanging

    /// Creates a checker.
    ///
    /// - Parameter address: an `http` or `https` address without a question mark.
    /// - Throws: `Problem.malformed` for any other address.
    public init(
        address: String, language: String = "en-GB", client: any HTTPExchanging = CurlClient()
    ) throws(Problem) {
        guard address.hasPrefix("http://") || address.hasPrefix("https://"), !address.contains("?"),
            !address.contains("#")
        else {
            throw Problem(
                .malformed, "\(address): is not an address of LanguageTool; write https://host or https://host/path")
        }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.language = language
        self.client = client
    }

    /// The categories of mistakes that exist only in writing (LanguageTool's `Categories`).
    private static let unheard: Set<String> = ["CASING", "PUNCTUATION", "TYPOS", "TYPOGRAPHY", "COMPOUNDING"]
    private static let style: Set<String> = ["STYLE", "REDUNDANCY", "PLAIN_ENGLISH", "WIKIPEDIA", "REPETITIONS_STYLE"]

    private struct Answer: Decodable {
        var software: Software
        var matches: [Match]

        struct Software: Decodable { var version: String }
        struct Match: Decodable {
            /// The range in UTF-16 units.
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
        // In a query, + means itself, but in a form it means a space.
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
            throw Problem(.unavailable, "\(address): does not answer as LanguageTool does; check the address")
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
    /// Returns the range in Unicode scalars for one in UTF-16 units. Nil if it lies outside the text or splits a
    /// character.
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
