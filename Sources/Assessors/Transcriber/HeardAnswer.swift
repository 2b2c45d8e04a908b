import Assessment
import Foundation
import SystemSupport

/// What a recogniser answers: `json`, OpenAI's `verbose_json`, or whisper.cpp's, whose words stand in its segments.
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

    /// nil where it is none of these.
    init?(_ answer: String) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let read = try? decoder.decodeForeign(Self.self, from: Data(answer.utf8)),
            read.text != nil || read.segments != nil
        else { return nil }
        self = read
    }

    /// - Parameter piece: of the recording, which was sent.
    func segments(of piece: TimeRange) -> [HeardSegment] {
        let start = piece.start
        guard let segments, !segments.isEmpty else {
            let heard = (words ?? []).compactMap { $0.heard(in: piece) }
            let text = (self.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            if text.isEmpty { return [] }
            let time = heard.first.flatMap { first in Self.time(first.start, heard.last?.end) }
            return [HeardSegment(text: text, time: time, words: heard)]
        }
        // OpenAI's words stand beside the segments: each belongs to the one that its middle lies in, or to the last one before it.
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

    /// nil where it is no stretch of time.
    fileprivate static func time(_ start: Double?, _ end: Double?) -> TimeRange? {
        guard let start, let end, start.isFinite, end.isFinite, start >= 0, start < end else { return nil }
        return TimeRange(start, end)
    }
}

extension HeardAnswer.Word {
    /// How far times may lie behind the end, in seconds: recognisers hear half a minute at a time, and round.
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
