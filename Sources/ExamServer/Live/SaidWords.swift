import ExamNode
import HTTPTypes
import Hummingbird
import Logging
import SystemSupport

extension ClipSounds {
    /// Returns a sound file as the answer to GET.
    func response(of path: String, for request: Request, _ context: ServerContext) async throws -> Response {
        // Clients that can play Ogg name it. `*/*` may come from clients that cannot.
        let form: ClipSounds.Form = request.headers[.accept]?.contains("audio/ogg") == true ? .opus : .wav
        let file = try await file(of: path, as: form)
        return Response(
            status: .ok,
            headers: [.contentType: form.mediaType, .cacheControl: "private, max-age=86400", .vary: "Accept"],
            body: try await FileIO().loadFile(path: file, context: context))
    }
}

extension LiveExams {
    /// Returns words in the examiner's voice as the answer to GET.
    ///
    /// - Parameter record: the `session.json` of the exam whose voice speaks. Nil for the usual voice.
    /// - Throws: `APIProblem` 503 if there is no voice.
    func said(
        _ words: String, inVoiceOf record: [UInt8]? = nil, by sounds: ClipSounds, for request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        do {
            let path =
                if let record {
                    try await preparedExams.recording(of: words, record: record)
                } else {
                    try await preparedExams.recording(of: words)
                }
            return try await sounds.response(of: path, for: request, context)
        } catch let problem as Problem {
            services.logger.error("voice", metadata: ["what": "\(problem.sentence)"])
            throw APIProblem.busy
        }
    }
}
