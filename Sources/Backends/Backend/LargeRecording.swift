import BackendAPI
import HTTPClient
import SystemSupport
import UploadQueue

/// A recording that is too long to send again from the start after every broken connection. It is sent in pieces, by
/// tus (`BackendRoutes`, "Resumable").
struct LargeRecording {
    /// Recordings with more bytes are sent in pieces. It is one piece of `ResumableUpload`, or three minutes of 16 kHz
    /// WAV.
    static let shortest = 6 << 20

    private let file: UploadFile
    private let upload: Upload
    private let routes: BackendRoutes
    private let client: any HTTPExchanging
    private let token: BearerToken

    init(
        _ file: UploadFile, _ upload: Upload, _ routes: BackendRoutes, _ client: any HTTPExchanging,
        _ token: @escaping BearerToken
    ) {
        self.file = file
        self.upload = upload
        self.routes = routes
        self.client = client
        self.token = token
    }

    /// - Returns: true if the backend has all of it, or already had a recording there. The PUT of the answer names the
    ///   digest, and so shows whether that is the same recording. False if the recording isn't large, or the backend has
    ///   no resumable uploads.
    func arrives(with courier: Courier) async throws(DeliveryFailure) -> Bool {
        guard file.byteCount > Self.shortest else { return false }
        guard let digest = ReprDigest(sha256: file.sha256) else { return false }
        try file.hasItsLength()
        let resumable = ResumableUpload(endpoint: routes.uploads) {
            (method, url, headers, body, sent) async throws(DeliveryFailure) in
            let own = try await client.headers(token)
            var request = HTTPRequest(method, url, headers: own + headers, body: body)
            // Without `isAlone`, libcurl may silently send a piece again from its beginning.
            request.isAlone = method == "PATCH"
            var response = try await client.answer(to: request, sent: sent)
            if method == "POST", [404, 405, 501].contains(response.status) { throw Self.noSuchThing }
            if let problem = ProblemDetails(response) {
                let isOther = response.headers["repr-digest"].flatMap(ReprDigest.init(field:)) != digest
                if problem.code == BackendRoutes.parentMissing || BackendRoutes.closed.contains(problem.code)
                    || problem.code == BackendRoutes.alreadyThere && isOther
                {
                    throw BackendUploader.failure(response)
                }
                // tus uses plain text instead of problem documents.
                response.body = Array(problem.message.utf8)
            }
            return Answer(.tus, response)
        }
        let begun = courier.note.flatMap { $0.hasPrefix(Self.mark) ? String($0.dropFirst(Self.mark.count)) : nil }
        do throws(DeliveryFailure) {
            _ = try await resumable.send(
                file,
                metadata: [
                    ("session", upload.session.id.name), ("answer", upload.id.name),
                    ("filename", "\(upload.id.name).\(file.suffix)"), ("filetype", file.mediaType),
                    ("sha256", file.sha256.lowercased()),
                ], location: begun,
                keep: { (location) throws(DeliveryFailure) in try courier.keep(location.map { Self.mark + $0 }) },
                sent: courier.sent)
            return true
        } catch {
            guard error == Self.noSuchThing else { throw error }
            return false
        }
    }

    /// The prefix of notes that hold a place. Other notes are digests.
    private static let mark = "at "

    private static let noSuchThing = DeliveryFailure(.refused, message: "the backend does not take resumable uploads")
}
