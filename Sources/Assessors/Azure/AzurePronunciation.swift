public import Assessment
import ExamCore
import Foundation
public import HTTPClient

/// Azure Speech's pronunciation assessment, through its REST interface for short audio. The recording is cut at pauses
/// into pieces of at most 30 s, and their scores are merged, weighted by their speech.
///
/// The scores go from 0 to 100 and are not bands. `MarkMapping` translates them if a mapping was determined.
public struct AzurePronunciation: Assessor {
    public let source: MarkSource
    public let recipient: String?
    /// The service's address: `https://westeurope.stt.speech.microsoft.com`
    let address: String
    let language: String
    let key: String
    let caller: ServiceCaller

    /// The most sound in seconds that the service judges at a time.
    static let longestPiece = 30.0
    /// The version of the rules for cutting and merging. Fluency scores under different rules are not comparable.
    static let rules = "pauses-30s/1"
    /// The confidence at which a break counts, as the documentation recommends.
    static let sureOfBreak = 0.75

    init(
        id: String, address: String, language: String, key: String, recipient: String?, caller: ServiceCaller
    ) {
        source = MarkSource(kind: .machine, id: id, version: "\(language) \(Self.rules)")
        self.recipient = recipient
        self.address = address
        self.language = language
        self.key = key
        self.caller = caller
    }

    /// The parameters of the assessment. The default system, `FivePoint`, would look like bands although it isn't.
    static let question = """
        {"ReferenceText":"","GradingSystem":"HundredMark","Granularity":"Phoneme","Dimension":"Comprehensive",\
        "EnableMiscue":"False","EnableProsodyAssessment":"True"}
        """

    public func assess(
        _ answer: AnswerToAssess, _ calls: AssessorCalls
    ) async throws(ServiceFailure) -> AssessorFinding {
        var finding = answer.finding(by: source, sentTo: recipient)
        let pieces = answer.pieces(longest: Self.longestPiece)
        guard !pieces.isEmpty else {
            finding.failure = "no speech was found in it, so it was not assessed"
            return finding
        }
        var heard: [AzurePiece] = []
        for (number, piece) in pieces.enumerated() {
            let said = try await calls.once("piece \(number + 1) of \(pieces.count)", seconds: piece.length) {
                (key) async throws(ServiceFailure) in try await ask(answer, piece, key: key)
            }
            if let part = AzurePiece(said, at: piece, speech: answer.sound.timeline.speech(in: piece)) {
                heard.append(part)
            }
        }
        guard let scores = PronunciationScores(merging: heard, pieces: pieces) else {
            finding.failure = "recognised no speech in it"
            return finding
        }
        finding.pronunciation = scores
        finding.evidence = [
            answer.evidence(
                of: .pronunciation, by: source, scale: "hundred",
                scores.overall.map(MarkOutcome.mark) ?? .missing(because: "\(source.id) gave no overall score"))
        ]
        let text = heard.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        if !text.isEmpty {
            finding.transcript = AnswerTranscript(
                answer: answer.record.name, recording: answer.recording, source: .recogniser,
                writtenAt: finding.saidAt, text: text)
            finding.transcript?.recogniser = source
            finding.transcript?.isVerbatim = false
        }
        return finding
    }

    private func ask(
        _ answer: AnswerToAssess, _ piece: TimeRange, key: String
    ) async throws(ServiceFailure) -> String {
        let wav = try RecordingPieces.wav(answer.samples ?? answer.path, [piece], of: answer.sound.timeline.duration)[0]
        let said = try await caller.ask(request(wav), of: source.id).text
        guard let status = AzureAnswer(said)?.recognitionStatus else {
            throw ServiceFailure(.later(nil), "\(source.id) answers something else than a recognition")
        }
        guard status != "Error" else { throw ServiceFailure(.later(nil), "\(source.id) could not recognise just now") }
        return said
    }

    private func request(_ wav: [UInt8]) -> HTTPRequest {
        HTTPRequest(
            "POST",
            "\(address)/speech/recognition/conversation/cognitiveservices/v1?language=\(language)&format=detailed",
            headers: [
                ("content-type", "audio/wav; codecs=audio/pcm; samplerate=16000"), ("accept", "application/json"),
                ("ocp-apim-subscription-key", key),
                ("pronunciation-assessment", Data(Self.question.utf8).base64EncodedString()),
            ], body: .bytes(wav))
    }

    public func preview(of answer: AnswerToAssess) throws(ServiceFailure) -> [String] {
        let pieces = answer.pieces(longest: Self.longestPiece)
        if pieces.isEmpty { return ["nothing: no speech is found in it"] }
        return try RecordingPieces.wav(answer.samples ?? answer.path, pieces, of: answer.sound.timeline.duration).map {
            wav in
            RequestPreview.text(
                request(wav), body: ["(pronunciation-assessment is \(Self.question))", "\(wav.count) bytes of WAV"])
        }
    }
}

extension SoundTimeline {
    /// Returns the seconds of speech in a stretch, as measured by Oracy.
    func speech(in piece: TimeRange) -> Double {
        guard let span else { return 0 }
        return piece.overlap(span) - pauses.map(piece.overlap).reduce(0, +)
    }
}
