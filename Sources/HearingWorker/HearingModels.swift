import Assessment
import SystemSupport

/// The models of a worker, and its answers to requests.
final class HearingModels {
    private var whisper: WhisperModel
    /// Nil if words are not aligned by phones.
    private let phones: PhoneModel?
    private let notSpoken: [Bool]
    /// The tokens of the prompt that makes the recogniser write hesitations.
    private let hesitant: [Int32]
    /// The piece that was heard last, for `align`.
    private var lastPiece: [Float] = []

    /// The words that are given as if they had been said before. With a longer prompt the recogniser repeats itself
    /// more often.
    private static let hesitations = " Um, uh, I, I mean, er, hmm."

    /// Loads the models.
    init(_ start: HearingStart) throws(HearingReply.Unusable) {
        guard start.protocol == hearingProtocol else {
            throw HearingReply.Unusable(
                .protocol, "it speaks version \(hearingProtocol) of the protocol and was asked for \(start.protocol)")
        }
        whisper = try WhisperModel(library: start.library, path: start.model)
        phones = try start.phones.map { (files) throws(HearingReply.Unusable) in try PhoneModel(files) }
        notSpoken = whisper.texts.notSpoken
        hesitant = whisper.previous(Self.hesitations)
    }

    var ready: HearingReply.Ready {
        HearingReply.Ready(
            version: whisper.version, isMultilingual: whisper.isMultilingual, hasPhones: phones != nil)
    }

    /// Recognises the words of a piece. All passes share the costly part, which depends on the sound alone.
    ///
    /// - Parameter samples: mono at 16 kHz, full scale ±1.
    /// - Returns: nil if the library fails, or if the model doesn't know the language.
    func hear(_ request: HearingRequest.Hear, _ samples: [Float]) -> HearingReply.Heard? {
        let began = ConfinedProcess.processorSeconds
        guard let beginning = whisper.beginning(in: request.language), whisper.hear(samples),
            // Only right after the first token does the model say whether anything is spoken.
            let first = whisper.after([beginning[0]], past: 0)
        else { return nil }
        lastPiece = samples
        let texts = whisper.texts
        let decoding = Decoding(
            endOfText: whisper.endOfText, suppressed: notSpoken, most: request.mostTokens, isLoop: texts.isLoop)
        var passes: [HearingReply.Pass] = []
        for pass in request.passes {
            let prompt = pass == .plain ? beginning : hesitant + beginning
            guard let decoded = decoding.pass(after: prompt, &whisper) else { return nil }
            let text = texts.text(of: decoded.tokens)
            passes.append(
                HearingReply.Pass(
                    text: text.split(whereSeparator: \.isWhitespace).joined(separator: " "),
                    tokens: decoded.tokens.count, logProbability: decoded.meanLogProbability, end: decoded.end))
        }
        return HearingReply.Heard(
            id: request.id, noSpeech: first.probability(of: whisper.noSpeech), passes: passes,
            processorSeconds: ConfinedProcess.processorSeconds - began,
            residentMegabytes: ConfinedProcess.residentMegabytes)
    }

    /// Finds the places of words in the piece that was heard last, and the words that were said twice in a row.
    ///
    /// - Returns: nil if there is no recogniser of phones, or if it fails.
    func align(_ request: HearingRequest.Align) -> HearingReply.Aligned? {
        let began = ConfinedProcess.processorSeconds
        guard let phones, !lastPiece.isEmpty, let logs = phones.logarithms(of: lastPiece) else { return nil }
        let frames = PhoneFrames(logs: logs, width: PhoneModel.width)
        let once = PhoneAlignment(of: request.words, in: frames)
        let again = PhoneRepetitions(of: request.words, at: once.words, in: frames).groups
        let words = again.applied(to: request.words) ?? request.words
        let alignment = again.isEmpty ? once : PhoneAlignment(of: words, in: frames)
        return HearingReply.Aligned(
            id: request.id,
            words: alignment.words.map { $0.map { .init(start: $0.start, end: $0.end) } },
            again: again.isEmpty ? nil : again,
            distance: frames.distance(to: request.words.flatMap(\.self)), phones: frames.heard,
            heard: frames.phones, processorSeconds: ConfinedProcess.processorSeconds - began)
    }
}
