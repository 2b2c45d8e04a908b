import HTTPClient
import UploadQueue

extension HTTPLimits {
    /// For the examiner's recordings: as long as something comes, and at most 20 MB, ten minutes of WAV at 16 kHz.
    static var ofRecordings: HTTPLimits {
        var limits = HTTPLimits()
        (limits.responseBytes, limits.total) = (20 << 20, .seconds(600))
        return limits
    }
}

extension HTTPExchanging {
    /// A recording at an address that needs no token, and gets none.
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
    /// Its body as a recording; whether it is sound is told by whoever opens it.
    var recording: FetchedRecording {
        .bytes(body, mediaType: headers["content-type"] ?? "", etag: headers["etag"])
    }
}
