import CCurl
import Glibc

/// The libcurl side of an exchange: its handle, its request and the answer so far. Used only on the client's thread.
final class CurlTransfer {
    let order: Order
    let easy: UnsafeMutableRawPointer

    private let place: String
    private let sockets: Sockets
    private let door: Sockets.Door
    /// The socket of the present connection; -1 before there is one.
    private var socket: Int32 = -1
    private let body: RequestBody
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// The buffer for libcurl's message about a failure.
    private let message: UnsafeMutablePointer<CChar>

    private var answer = HTTPAnswer()
    private var silence = Silence()
    /// Whether a connection existed and the request was about to be sent. From then on the server may have seen it.
    private var hasBegun = false
    private var reported = 0

    /// - Throws: `invalidURL`, `unreadable`, or `unknown` for an invalid header or method.
    init(_ order: Order, sockets: Sockets, certificates: String?) throws(HTTPFailure) {
        let request = order.request
        place = try RequestURL(request.url).place
        try request.check()
        body = try RequestBody(request.body)
        guard let easy = curl_easy_init() else { throw HTTPFailure(.unknown, "no memory") }
        self.easy = easy
        self.order = order
        self.sockets = sockets
        door = Sockets.Door(sockets, isPublicOnly: order.request.isPublicOnly)
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        answer.longestBody = order.limits.responseBytes
        setRequest(request)
        setConduct(order.limits, certificates: certificates)
        setFunctions()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
        message.deallocate()
    }

    static func of(_ easy: UnsafeMutableRawPointer) -> CurlTransfer {
        var context: UnsafeMutableRawPointer?
        _ = oracy_curl_get_pointer(easy, CURLINFO_PRIVATE, &context)
        return of(context: context)
    }

    /// Takes note that a connection exists and the request is about to be sent.
    private func begin(from localPort: Int32, to port: Int32) {
        hasBegun = true
        socket = sockets.socket(from: localPort, to: port) ?? -1
    }

    /// Reports progress, and returns a failure if the exchange was silent for too long.
    func tick(at now: ContinuousClock.Instant) -> HTTPFailure? {
        guard hasBegun else { return nil }
        let queued = sockets.queuedBytes(of: socket)
        report(min(offset(CURLINFO_SIZE_UPLOAD_T), body.byteCount) - queued)
        let traces = Silence.Traces(heard: answer.byteCount, sent: offset(CURLINFO_SIZE_UPLOAD_T), queued: queued)
        guard silence.length(at: now, traces) >= order.limits.idle else { return nil }
        return HTTPFailure(
            .timeout, code: Int(CURLE_OPERATION_TIMEDOUT.rawValue),
            "\(place) was silent for \(order.limits.idle.formattedSeconds)")
    }

    /// Makes the last report. The answer has come, so everything has been sent.
    func reportAll() { report(min(offset(CURLINFO_SIZE_UPLOAD_T), body.byteCount)) }

    func outcome(of code: CURLcode) -> Result<HTTPResponse, HTTPFailure> {
        if let failure = body.failure { return .failure(failure) }
        if answer.isTooLong {
            return .failure(
                HTTPFailure(.malformed, code: Int(code.rawValue), "the answer from \(place) is longer than allowed"))
        }
        if code != CURLE_OK, door.hasRefused, !hasBegun {
            return .failure(HTTPFailure(.invalidURL, "\(place) is an address of a private network"))
        }
        guard code == CURLE_OK else {
            return .failure(HTTPFailure(code, hasBegun: hasBegun, place: place, message: String(cString: message)))
        }
        var status = 0
        _ = oracy_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        // A status below 200 announces an answer that never came.
        guard answer.hasWholeHead, status >= 200 else {
            return .failure(HTTPFailure(CURLE_PARTIAL_FILE, hasBegun: true, place: place, message: ""))
        }
        return .success(HTTPResponse(status: status, headers: answer.headers, body: answer.body))
    }

    /// Makes a report. The number never decreases, although libcurl starts over if a kept connection was closed.
    private func report(_ count: Int) {
        guard count > reported else { return }
        reported = count
        order.sent(count)
    }

    private func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        _ = oracy_curl_get_offset(easy, info, &value)
        return Int(value)
    }
}

// The options of libcurl.
extension CurlTransfer {
    private func setRequest(_ request: HTTPRequest) {
        set(CURLOPT_URL, request.url)
        // A signed path must arrive unchanged.
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_CUSTOMREQUEST, request.method)
        // A POST without a body still needs its Content-Length: 0.
        if request.body != .none || ["POST", "PUT", "PATCH"].contains(request.method) {
            set(CURLOPT_UPLOAD, 1)
            _ = oracy_curl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.byteCount))
        } else if request.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        }
        for header in request.headers {
            // With a colon and nothing behind it, libcurl would omit the header.
            let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
            headers = curl_slist_append(headers, line)
        }
        // Without this, libcurl would wait a second for servers that don't support it.
        headers = curl_slist_append(headers, "Expect:")
        _ = oracy_curl_set_list(easy, CURLOPT_HTTPHEADER, headers)
        set(CURLOPT_USERAGENT, CurlClient.userAgent)
        if request.isAlone || request.isPublicOnly { set(CURLOPT_FRESH_CONNECT, 1) }
        if request.isPublicOnly { set(CURLOPT_PROXY, "") }
    }

    private func setConduct(_ limits: HTTPLimits, certificates: String?) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        // The system's folder of certificates is used besides this file.
        if let certificates { set(CURLOPT_CAINFO, certificates) }
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // A cancelled exchange shouldn't wait for a slow name server.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
        if let total = limits.total { set(CURLOPT_TIMEOUT_MS, total.milliseconds) }
    }

    private func setFunctions() {
        sockets.watch(easy, door: door)
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA,
            CURLOPT_PREREQDATA,
        ] {
            _ = oracy_curl_set_pointer(easy, option, context)
        }
        _ = oracy_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        _ = oracy_curl_set_begin_function(easy) { context, _, _, port, localPort in
            CurlTransfer.of(context: context).begin(from: localPort, to: port)
            return CURL_PREREQFUNC_OK
        }
        _ = oracy_curl_set_data_function(easy, CURLOPT_READFUNCTION) { room, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: room, count: size * count)
            return CurlTransfer.of(context: context).body.read(into: room) ?? Int(CURL_READFUNC_ABORT)
        }
        _ = oracy_curl_set_seek_function(easy) { context, place, origin in
            let isThere = origin == SEEK_SET && CurlTransfer.of(context: context).body.seek(to: Int(place))
            return isThere ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
        // Any other result than the count ends the exchange.
        _ = oracy_curl_set_data_function(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.of(context: context).answer.takeHeader(line) ? line.count : 0
        }
        _ = oracy_curl_set_data_function(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.of(context: context).answer.takeBody(piece) ? piece.count : 0
        }
    }

    private static func of(context: UnsafeMutableRawPointer?) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
    }

    private func set(_ option: CURLoption, _ value: Int) { _ = oracy_curl_set_long(easy, option, value) }

    private func set(_ option: CURLoption, _ value: String) { _ = oracy_curl_set_string(easy, option, value) }
}

extension Duration {
    /// The duration for libcurl, to which 0 would mean no limit.
    var milliseconds: Int { Int(max(1, min(self / .milliseconds(1), 2e9))) }

    /// The duration as text: `15 s`, `0.2 s`.
    var formattedSeconds: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
