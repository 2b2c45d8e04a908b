import CCurl

extension HTTPFailure {
    /// Converts libcurl's code to a failure for the queue.
    ///
    /// - Parameters:
    ///   - hasBegun: Whether the request was about to be sent on a connection. If it was not, nothing can have been
    ///     sent.
    ///   - message: libcurl's message. It is used only for certificates, because it contains only host names then.
    init(_ code: CURLcode, hasBegun: Bool, place: String, message: String) {
        let (kind, sentence): (Kind, String)
        switch code {
        // A broken network often drops packets silently. Nothing was sent, in spite of the elapsed time.
        case CURLE_OPERATION_TIMEDOUT where !hasBegun:
            (kind, sentence) = (.networkUnavailable, "no connection to \(place) in time")
        case CURLE_OPERATION_TIMEDOUT:
            (kind, sentence) = (.timeout, "no answer from \(place) in time")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CERTPROBLEM:
            let reason = message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
            (kind, sentence) = (.untrusted, "the certificate of \(place) is not trusted: \(reason)")
        case CURLE_URL_MALFORMAT:
            (kind, sentence) = (.invalidURL, "the URL is not well formed")
        // If a request is in progress, this means an answer without a head (HTTP/0.9).
        case CURLE_UNSUPPORTED_PROTOCOL where !hasBegun:
            (kind, sentence) = (.invalidURL, "the URL is neither http nor https")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR:
            (kind, sentence) = (.malformed, "what \(place) answered is not HTTP")
        case CURLE_READ_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_ABORTED_BY_CALLBACK:
            (kind, sentence) = (.unreadable, "the body cannot be read")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY,
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
            CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SSL_SHUTDOWN_FAILED, CURLE_NO_CONNECTION_AVAILABLE, CURLE_AGAIN:
            (kind, sentence) =
                hasBegun
                ? (.connectionLost, "the connection to \(place) broke: \(String(cString: curl_easy_strerror(code)))")
                : (.networkUnavailable, "\(place) is out of reach: \(String(cString: curl_easy_strerror(code)))")
        default:
            (kind, sentence) = (.unknown, "\(place): \(String(cString: curl_easy_strerror(code)))")
        }
        self.init(kind, code: Int(code.rawValue), sentence)
    }
}
