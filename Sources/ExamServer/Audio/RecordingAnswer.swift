import ExamStore
import HTTPTypes
import Hummingbird

/// A recording as an answer: a placeholder for the range-aware one.
enum RecordingAnswer {
    static func make(_ recording: Recording, request: Request, audio: any AudioStore) async throws -> Response {
        guard let key = AudioKey(recording.key) else { throw APIProblem.missing("recording") }
        let pieces = try await audio.read(key, range: nil)
        return Response(
            status: .ok, headers: [.contentType: recording.mediaType],
            body: ResponseBody { writer in
                for try await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
                try await writer.finish(nil)
            })
    }
}
