import Assessment
import Foundation
import SystemSupport

/// A recogniser's answer: `json`, OpenAI's `verbose_json`, or whisper.cpp's format, in which segments contain the
/// words.
struct HeardAnswer: Decodable {
    var text: String?
    var words: [Word]?
    var segments: [Segment]?

    struct Word: Decodable {
        var word: String
        var start: Double?
        var end: Double?
        var probability: Double?
    }

    struct Segment: Decodable {
        var text: String
        var start: Double?
        var end: Double?
        var noSpeechProb: Double?
        var words: [Word]?
    }

    /// Reads an answer. Nil if it has none of these formats.
    init?(_ answer: String) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let read = try? decoder.decodeForeign(Self.self, from: Data(answer.utf8)),
            read.text != nil || read.segments != nil
        else { return nil }
        self = read
    }

    /// Returns the segments with times in the recording.
    ///
    /// - Parameter piece: the piece of the recording that was sent.
    func segments(of piece: TimeRange) -> [HeardSegment] {
        let start = piece.start
        guard let segments, !segments.isEmpty else {
            let heard = (words ?? []).compactMap { $0.heard(in: piece) }
            let text = (self.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            if text.isEmpty { return [] }
            let time = heard.first.flatMap { first in Self.time(first.start, heard.last?.end) }
            return [HeardSegment(text: text, time: time, words: heard)]
        }
        // OpenAI lists words separately from the segments. Each word belongs to the last segment that begins before the
        // word's middle.
        let loose = (words ?? []).compactMap { $0.heard(in: piece) }
        let starts = segments.map { ($0.start ?? 0) + start }
        let homes = loose.map { word in
            starts.lastIndex { $0 <= (word.start + word.end) / 2 } ?? 0
        }
        return segments.enumerated().compactMap { number, segment in
            let text = segment.text.trimmingCharacters(in: .whitespacesAndNewlines)
            if text.isEmpty { return nil }
            let own = segment.words?.compactMap { $0.heard(in: piece) } ?? []
            return HeardSegment(
                text: text, time: Self.time(segment.start.map { $0 + start }, segment.end.map { $0 + start }),
                noSpeech: segment.noSpeechProb,
                words: own.isEmpty ? zip(loose, homes).filter { $1 == number }.map(\.0) : own)
        }
    }

    /// Returns a stretch of time. Nil if it is not valid.
    fileprivate static func time(_ start: Double?, _ end: Double?) -> TimeRange? {
        guard let start, let end, start.isFinite, end.isFinite, start >= 0, start < end else { return nil }
        return TimeRange(start, end)
    }
}

extension HeardAnswer.Word {
    /// The seconds by which times may lie after the end: recognisers process half a minute at a time and round.
    private static let slack = 1.0

    fileprivate func heard(in piece: TimeRange) -> HeardWord? {
        let text = word.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, let start, let end, start >= 0, start <= end, end <= piece.length + Self.slack else {
            return nil
        }
        let sure = probability.flatMap { (0...1).contains($0) ? $0 : nil }
        return HeardWord(text: text, start: start + piece.start, end: end + piece.start, confidence: sure)
    }
}
