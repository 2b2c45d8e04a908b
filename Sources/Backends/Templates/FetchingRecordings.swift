import HTTPClient
import UploadQueue

extension HTTPLimits {
    /// The limits for the examiner's recordings: ten minutes, as long as data keeps coming, and 20 MB, which is ten
    /// minutes of WAV at 16 kHz.
    static var ofRecordings: HTTPLimits {
        var limits = HTTPLimits()
        (limits.responseBytes, limits.total) = (20 << 20, .seconds(600))
        return limits
    }
}

extension HTTPExchanging {
    /// Fetches a recording from an address that needs no token, and sends none.
    func recording(
        at url: String, _ headers: [(String, String)]
    ) async throws(DeliveryFailure) -> FetchedRecording {
        if let mistake = ServerURL.mistake(in: url) {
            throw DeliveryFailure(.refused, code: "url", message: "the address of a recording \(mistake)")
        }
        let response = try await answer(to: HTTPRequest("GET", url, headers: headers), limits: .ofRecordings)
        if response.status == 304 { return .unchanged }
        guard response.isDone else {
            let error = ServerError(.s3, response)
            throw error.failure(because: ErrorTable.verdict(error))
        }
        return response.recording
    }
}

extension HTTPResponse {
    /// The body as a recording. Opening it will show whether it contains sound.
    var recording: FetchedRecording {
        .bytes(body, mediaType: headers["content-type"] ?? "", etag: headers["etag"])
    }
}
