import CCurl

/// A URL, parsed by libcurl before anything is done with it.
struct RequestURL {
    /// `https://host:port`, the only part that failures may show. It contains no path, no query, no user name and no
    /// password.
    let place: String

    /// - Throws: `invalidURL` if it is relative, neither http nor https, without a host, or malformed.
    init(_ text: String) throws(HTTPFailure) {
        guard let url = curl_url() else { throw HTTPFailure(.unknown, "no memory") }
        defer { curl_url_cleanup(url) }
        let code = curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
        guard code == CURLUE_OK, !text.utf8.contains(0) else {
            throw HTTPFailure(.invalidURL, code: Int(CURLE_URL_MALFORMAT.rawValue), "the URL is not well formed")
        }
        func part(_ part: CURLUPart) -> String? {
            var words: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &words, 0) == CURLUE_OK, let words else { return nil }
            defer { curl_free(words) }
            return String(cString: words)
        }
        guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), ["http", "https"].contains(scheme) else {
            throw HTTPFailure(
                .invalidURL, code: Int(CURLE_UNSUPPORTED_PROTOCOL.rawValue), "the URL is neither http nor https")
        }
        guard let host = part(CURLUPART_HOST), !host.isEmpty else {
            throw HTTPFailure(.invalidURL, code: Int(CURLE_URL_MALFORMAT.rawValue), "the URL has no host")
        }
        place = "\(scheme)://\(host)" + (part(CURLUPART_PORT).map { ":\($0)" } ?? "")
    }
}
