public import Assessment
import ExamCore
public import HTTPClient
import SystemSupport

/// A recogniser over HTTP: any server with OpenAI's interface for transcriptions (OpenAI, speaches, LocalAI, vLLM), or
/// whisper.cpp's own server.
///
/// It is not asked about a recording without speech, and words that it hears during silence are discarded: recognisers
/// turn silence into "thank you for watching". Its times are stored with its words but never used for measuring: pauses
/// and rates come from the sound.
public struct Transcriber: Assessor {
    public enum Interface: String, Codable, Sendable {
        /// Calls `POST …/audio/transcriptions`.
        case openAI = "openai"
        /// Calls `POST …/inference`.
        case whisperCPP = "whisper.cpp"
    }

    public let source: MarkSource
    public let recipient: String?
    let interface: Interface
    /// The server's address: `https://api.openai.com/v1`, `http://localhost:8080`
    let address: String
    let model: String
    let language: String
    /// Whether it writes fillers and false starts. Most recognisers remove them, so a transcript without fillers proves
    /// nothing.
    let isVerbatim: Bool
    let key: String?
    let caller: ServiceCaller

    /// The longest piece in seconds. OpenAI accepts 25 MB, and ten minutes of WAV are 19 MB.
    static let longestPiece = 600.0
    /// The rules by which an answer is accepted.
    static let gate = HearingGate.first

    init(
        id: String, interface: Interface, address: String, model: String, language: String, isVerbatim: Bool,
        key: String?, recipient: String?, caller: ServiceCaller
    ) {
        source = MarkSource(kind: .machine, id: id, version: "\(model) \(language) \(Self.gate.rawValue)")
        self.recipient = recipient
        self.interface = interface
        self.address = address
        self.model = model
        self.language = language
        self.isVerbatim = isVerbatim
        self.key = key
        self.caller = caller
    }

    public func assess(
        _ answer: AnswerToAssess, _ calls: AssessorCalls
    ) async throws(ServiceFailure) -> AssessorFinding {
        var finding = answer.finding(by: source, sentTo: recipient)
        let timeline = answer.sound.timeline
        let pieces = answer.pieces(longest: Self.longestPiece)
        guard !pieces.isEmpty else {
            finding.failure = "no speech was found in it, so it was not assessed"
            return finding
        }
        var (texts, words, isTimed): ([String], [HeardWord], Bool) = ([], [], true)
        for (number, piece) in pieces.enumerated() {
            // The recording is decoded only if the question must be asked.
            let said = try await calls.once("piece \(number + 1) of \(pieces.count)", seconds: piece.length) {
                (key) async throws(ServiceFailure) in try await ask(answer, piece, key: key)
            }
            for segment in HeardAnswer(said)?.segments(of: piece) ?? [] {
                if let doubt = segment.doubt(in: timeline, by: Self.gate) {
                    finding.drop(.init(doubt))
                } else {
                    texts.append(segment.text)
                    words += segment.words
                    isTimed = isTimed && !segment.words.isEmpty
                }
            }
        }
        let text = texts.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else {
            finding.failure = "heard no words in it that can be believed"
            return finding
        }
        finding.transcript = AnswerTranscript(
            answer: answer.record.name, recording: answer.recording, source: .recogniser, writtenAt: finding.saidAt,
            text: text)
        finding.transcript?.recogniser = source
        finding.transcript?.words = isTimed ? words : nil
        finding.transcript?.isVerbatim = isVerbatim
        if finding.lacksWords { finding.transcript?.isPartial = true }
        return finding
    }

    /// Asks with times for segments and words if the server supports them. gpt-4o-transcribe rejects `verbose_json`
    /// with status 400, servers that validate their fields with 422.
    private func ask(
        _ answer: AnswerToAssess, _ piece: TimeRange, key: String
    ) async throws(ServiceFailure) -> String {
        let wav = try RecordingPieces.wav(answer.samples ?? answer.path, [piece], of: answer.sound.timeline.duration)[0]
        var response = try await caller.ask(request(wav, isTimed: true, key), of: source.id, accepts: [400, 422])
        if response.status != 200 {
            response = try await caller.ask(request(wav, isTimed: false, key), of: source.id)
        }
        // An unreadable answer is not stored, so that the question is asked again.
        guard HeardAnswer(response.text) != nil else {
            throw ServiceFailure(.later(nil), "\(source.id) answers something else than a transcription")
        }
        return response.text
    }

    private func request(_ wav: [UInt8], isTimed: Bool, _ key: String?) -> HTTPRequest {
        // The boundary is a hash of the sound, so the sound does not contain it by chance.
        var form = MultipartForm(boundary: "oracy-" + SHA256.hexadecimal(of: wav).prefix(32))
        for (name, value) in fields(isTimed: isTimed) { form.add(name, value) }
        form.add("file", file: wav, named: "answer.wav", mediaType: "audio/wav")
        var headers = [("content-type", form.contentType), ("accept", "application/json")]
        if let own = self.key { headers.append(("authorization", "Bearer \(own)")) }
        if let key { headers.append(("idempotency-key", key)) }
        return HTTPRequest("POST", url, headers: headers, body: .bytes(form.body))
    }

    private var url: String { address + (interface == .openAI ? "/audio/transcriptions" : "/inference") }

    private func fields(isTimed: Bool) -> [(String, String)] {
        switch interface {
        case .openAI:
            [("model", model), ("language", language), ("temperature", "0")]
                + (isTimed
                    // speaches fails without the granularities.
                    ? [
                        ("response_format", "verbose_json"), ("timestamp_granularities[]", "word"),
                        ("timestamp_granularities[]", "segment"),
                    ] : [("response_format", "json")])
        case .whisperCPP:
            [
                ("temperature", "0"), ("language", language), ("response_format", isTimed ? "verbose_json" : "json"),
            ]
        }
    }

    public func preview(of answer: AnswerToAssess) throws(ServiceFailure) -> [String] {
        let timeline = answer.sound.timeline
        let pieces = answer.pieces(longest: Self.longestPiece)
        if pieces.isEmpty { return ["nothing: no speech is found in it"] }
        return try RecordingPieces.wav(answer.samples ?? answer.path, pieces, of: timeline.duration).map { wav in
            RequestPreview.text(
                request(wav, isTimed: true, nil),
                body: fields(isTimed: true).map { "\($0): \($1)" } + ["file: answer.wav, \(wav.count) bytes of WAV"])
        }
    }
}

extension AnswerToAssess {
    /// Returns the pieces of the recording in which the candidate speaks, without the end of the examiner's words
    /// before them.
    ///
    /// - Parameter longest: the maximum length of a piece in seconds, 10 or more.
    func pieces(longest: Double) -> [TimeRange] {
        let timeline = sound.timeline
        // The first word may have begun before the examiner had finished.
        let start = max(0, (record.leadIn?.inSeconds ?? 0) - 0.25)
        return timeline.pieces(longest: longest, from: start).filter(timeline.hasSpeech)
    }
}

extension SoundTimeline {
    /// Returns whether there is speech in a stretch.
    func hasSpeech(_ piece: TimeRange) -> Bool {
        guard let span, span.start < piece.end, piece.start < span.end else { return false }
        return !silences.contains { $0.start <= piece.start && piece.end <= $0.end }
    }
}
