package import Assessment
import ExamCore
import FoundationEssentials
package import HTTPClient
package import Hearing
import SystemSupport

/// The recogniser on this machine: nothing leaves it.
///
/// The recording is cut at the candidate's own pauses into pieces of at most 14 s, and each piece is heard twice
/// (`HeardPasses`). Every piece is one call, whose reply is stored before it is judged, so that a crash costs no piece
/// twice. Pauses and rates come from the sound, never from the times of words.
package struct HeardHere: Assessor {
    package let source: MarkSource
    /// The recogniser.
    package let hearing: any PieceHearing
    let language: String
    /// The pronunciations with which words are aligned. Nil if they get rough times.
    let pronunciations: Pronunciations?

    /// The name of the recogniser in results.
    package static let usualID = "words"
    /// The version of the rules for cutting and hearing a recording.
    private static let rules = "pieces/3 passes/2 \(HearingGate.second.rawValue)"

    /// - Parameter language: the language in BCP 47. Only its first part counts: `en` for `en-GB`.
    package init(id: String = HeardHere.usualID, _ words: WordsHere, language: String = "en") {
        let main = language.prefix { $0 != "-" }.lowercased()
        hearing = words.hearing
        self.language = main
        pronunciations = hearing.hasPhones && main == "en" ? words.pronunciations : nil
        let phones = pronunciations == nil ? "" : " \(HeardPhones.rules) \(HeardReading.rules)"
        source = MarkSource(kind: .machine, id: id, version: "\(hearing.version) \(main) \(Self.rules)\(phones)")
    }

    package func assess(
        _ answer: AnswerToAssess, _ calls: AssessorCalls
    ) async throws(ServiceFailure) -> AssessorFinding {
        var finding = answer.finding(by: source)
        let pieces = try answer.voiced(answer.hearingPieces)
        guard !pieces.isEmpty else {
            finding.failure = "no speech was found in it, so it was not assessed"
            return finding
        }
        var heard = HeardWhole()
        // The samples are decoded at the first piece that has to be heard.
        var samples: [[Int16]]?
        for (number, piece) in pieces.enumerated() {
            // The call costs nothing, so it uses none of the budget.
            let text = try await calls.once("piece \(number + 1) of \(pieces.count)", seconds: 0) {
                _ async throws(ServiceFailure) in
                if samples == nil { samples = try answer.samples(of: pieces) }
                return try await reply(about: samples?[number] ?? [], piece, answer.sound.timeline).text
            }
            guard let reply = PieceReply(text) else {
                throw ServiceFailure(.later(nil), "\(source.id): a stored reply cannot be read")
            }
            heard.add(reply, of: piece, in: answer.sound.timeline)
        }
        for (what, count) in heard.dropped { finding.drop(what, count) }
        finding.phones = heard.phones
        if let text = answer.textToSay, let pronunciations, let numbers = heard.phoneNumbers {
            finding.reading = HeardReading(of: text, heard: numbers, by: pronunciations)
        }
        guard !heard.words.isEmpty else {
            finding.failure = "heard no words in it that can be believed"
            return finding
        }
        finding.transcript = AnswerTranscript(
            answer: answer.record.name, recording: answer.recording, source: .recogniser, writtenAt: finding.saidAt,
            text: heard.words.map(\.text).joined(separator: " "))
        finding.transcript?.recogniser = source
        finding.transcript?.words = heard.words
        finding.transcript?.isVerbatim = heard.isVerbatim
        if finding.lacksWords { finding.transcript?.isPartial = true }
        return finding
    }

    private func reply(
        about samples: [Int16], _ piece: TimeRange, _ timeline: SoundTimeline
    ) async throws(ServiceFailure) -> PieceReply {
        // The file is shorter than its measurement says.
        guard samples.count >= 1_600 else { return PieceReply(failure: "the recording ends before this part") }
        let request = PieceToHear(
            samples: samples, language: language, party: HearingTurn.party, weight: HearingTurn.weight)
        return try await hearing.hear(request) { [pronunciations] heard in
            pronunciations.map { dictionary in
                PieceJudgement(heard, of: piece, in: timeline).words.map(dictionary.phones)
            }
        }
    }

    package func preview(of answer: AnswerToAssess) -> [String] {
        let pieces = answer.hearingPieces
        if pieces.isEmpty { return ["nothing: no speech is found in it"] }
        return pieces.map { "the sound from \($0.start) s to \($0.end) s, heard on this machine" }
    }
}

extension AnswerToAssess {
    /// The pieces for a recogniser on this machine, without the end of the examiner's words before them. Empty if the
    /// detector heard no voice.
    fileprivate var hearingPieces: [TimeRange] {
        guard !record.isSilent else { return [] }
        // The first word may have begun before the examiner had finished.
        let start = max(0, (record.leadIn?.inSeconds ?? 0) - 0.25)
        return sound.timeline.hearingPieces(from: start).filter { $0.length >= 0.1 }
    }

    fileprivate func samples(of pieces: [TimeRange]) throws(ServiceFailure) -> [[Int16]] {
        try RecordingPieces.samples(samples ?? path, pieces, of: sound.timeline.duration).map { samples in
            samples.map { Int16(($0 * 32_768).rounded().clamped(to: -32_768...32_767)) }
        }
    }
}

extension Float {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension PieceReply {
    /// The reply as it is stored.
    fileprivate var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON can always represent the reply: it contains only strings and finite numbers.
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self)
    }

    /// Reads a stored reply.
    fileprivate init?(_ text: String) {
        guard let read = try? JSONFile.decodeLine(PieceReply.self, from: Array(text.utf8)) else { return nil }
        self = read
    }
}
