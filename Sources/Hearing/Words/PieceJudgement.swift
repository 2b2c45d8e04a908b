package import Assessment
package import HearingWorker

/// The accepted words of a piece. Only fixed rules decide, so that the same reply always gives the same words.
package struct PieceJudgement: Equatable, Sendable {
    /// The words as written, separated by single spaces. Empty if nothing was said, or if nothing is accepted.
    package var text = ""
    /// Whether the words contain hesitations as spoken.
    package var isVerbatim = false
    /// The reason why the words are discarded. Nil if they are not.
    package var doubt: HeardSegment.Doubt?

    /// The words, as in `text`.
    package var words: [String] { text.split(separator: " ").map(String.init) }

    /// Judges a reply.
    ///
    /// - Parameters:
    ///   - heard: the passes, the plain one first.
    ///   - piece: the stretch of the recording, in seconds.
    package init(_ heard: HearingReply.Heard, of piece: TimeRange, in timeline: SoundTimeline) {
        guard let plain = heard.passes.first, !plain.text.isEmpty else { return }
        doubt = Self.doubt(plain, heard.noSpeech, piece, timeline)
        guard doubt == nil else { return }
        // A pass with hesitations is the less reliable one, so it must be complete, too.
        let verbatim = heard.passes.dropFirst().first { pass in
            pass.end == .said && Self.doubt(pass, heard.noSpeech, piece, timeline) == nil
        }
        (text, isVerbatim) = HeardPasses(plain: plain.text, verbatim: verbatim?.text).chosen()
    }

    private static func doubt(
        _ pass: HearingReply.Pass, _ noSpeech: Double, _ piece: TimeRange, _ timeline: SoundTimeline
    ) -> HeardSegment.Doubt? {
        if pass.end == .loop { return .repetition }
        return HeardSegment(text: pass.text, time: piece, noSpeech: noSpeech).doubt(in: timeline, by: .second)
    }
}

extension PieceReply {
    /// Returns the words with times in the recording: by phones if they were aligned, and otherwise rough ones. Words
    /// that were said twice, according to the phones, come twice.
    package func timedWords(
        of judgement: PieceJudgement, in piece: TimeRange, _ timeline: SoundTimeline
    ) -> [HeardWord] {
        let written = judgement.words
        let words = aligned?.again?.applied(to: written) ?? written
        guard !words.isEmpty else { return [] }
        let rough = timeline.roughTimes(of: words, in: piece)
        guard let aligned, aligned.words.count == words.count, aligned.words.contains(where: { $0 != nil }) else {
            return zip(words, rough).map { HeardWord(text: $0, start: $1.start, end: $1.end, isRough: true) }
        }
        let places = aligned.words.map { word -> TimeRange? in
            guard let word, word.start >= 0, word.start <= word.end, word.end <= piece.length + 0.1 else { return nil }
            return TimeRange(piece.start + word.start, min(piece.end, piece.start + word.end))
        }
        return words.indices.map { index in
            if let place = places[index] {
                return HeardWord(
                    text: words[index], start: place.start.toMilliseconds, end: place.end.toMilliseconds,
                    doubt: aligned.distance)
            }
            // A word without a pronunciation, such as a name, lies between its neighbours.
            let start = places[..<index].last { $0 != nil }??.end ?? piece.start
            let end = places[(index + 1)...].first { $0 != nil }??.start ?? piece.end
            return HeardWord(
                text: words[index], start: start.toMilliseconds, end: max(start, end).toMilliseconds, isRough: true,
                doubt: aligned.distance)
        }
    }
}

extension Double {
    /// The same number of seconds with three digits.
    fileprivate var toMilliseconds: Double { (self * 1000).rounded() / 1000 }
}
