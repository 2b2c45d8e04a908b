import ExamCore

/// The expected length of an exam for a candidate of average fluency: the examiner's words, preparation, answers, and
/// the silences that end them.
///
/// The values are this project's own. They were compared with a replayed exam of an average speaker (`full-exam`, 11.4
/// minutes), for which this calculation gives 12.9.
struct ExpectedTime {
    private let format: ExamFormat
    /// The number of words of each question, by section and frame. A passage before a frame's first question counts as
    /// part of that question.
    private let words: [String: [[Int]]]

    /// Estimates a blueprint, which has no questions yet.
    init(_ blueprint: PaperBlueprint, of format: ExamFormat) {
        self.format = format
        words = blueprint.frames.reduce(into: [:]) { all, frame in
            all[frame.section, default: []].append(frame.slots.map { $0.maxWords * 6 / 10 })
        }
    }

    init(_ paper: Paper, of format: ExamFormat) {
        self.format = format
        words = paper.sections.mapValues { frames in
            frames.map { frame in
                let before = [frame.lead, frame.passage].compactMap { $0?.text.wordCount }.reduce(0, +)
                return frame.questions.enumerated().map { $1.text.wordCount + ($0 == 0 ? before : 0) }
            }
        }
    }

    var seconds: Double { format.parts.map(seconds).reduce(0, +) }

    /// The parts whose questions fill less than half of their clock.
    var halfEmptyParts: [(number: Int, seconds: Double, has: Double)] {
        format.parts.compactMap { part -> (number: Int, seconds: Double, has: Double)? in
            guard let clock = part.clock else { return nil }
            let (own, has) = (part.items.map(seconds).reduce(0, +), clock.from.inSeconds)
            return own < has / 2 ? (part.number, own, has) : nil
        }
    }

    private func seconds(of part: ExamFormat.Part) -> Double {
        let own = (part.preparation?.length.inSeconds ?? 0) + part.items.map(seconds).reduce(0, +)
        // No question begins after `from`. The last answer is expected to take 20 s more, and ends by `to`.
        return part.clock.map { min(own, $0.from.inSeconds + 20, $0.to.inSeconds) } ?? own
    }

    private func seconds(of item: ExamFormat.Item) -> Double {
        let lines = { (names: [String]?) in
            (names ?? []).compactMap { format.lines[$0] }.map { Self.spoken($0.text.wordCount) }.reduce(0, +)
        }
        var sum = lines(item.say) + lines(item.opening)
        if item.ask != nil {
            sum += lines(item.ask.map { [$0] }) + 4 + (item.preparation?.length.inSeconds ?? 0)
        }
        guard let section = item.section else { return sum }
        let frames = words[section] ?? []
        for frame in frames.prefix(item.frames ?? frames.count) {
            for (place, words) in frame.enumerated() {
                let rule = item.rules.flatMap { rules in
                    rules.isEmpty ? nil : format.rules[rules[min(place, rules.count - 1)]]
                }
                sum += lines(item.before) + (item.readAloud == true ? 0 : Self.spoken(words))
                sum += (item.preparation?.length.inSeconds ?? 0) + answer(section, item, rule, words: words)
            }
        }
        return sum
    }

    private func answer(
        _ section: String, _ item: ExamFormat.Item, _ rule: ExamFormat.Rule?, words: Int
    ) -> Double {
        let most = rule?.maximum?.inSeconds
        // If no silence ends the answer, it lasts as long as allowed.
        guard let silence = rule?.silence?.inSeconds else { return most ?? 0 }
        let role = SectionKind(section, hasCard: true, isRepeated: item.wordSequence != nil).role
        let speech = role == .sentence ? Double(words) / Self.wordsASecond : Self.speech[role] ?? 0
        return min(speech + silence, most ?? .infinity)
    }

    /// 150 words a minute.
    private static let wordsASecond = 2.5

    /// Includes the gap before the next clip.
    private static func spoken(_ words: Int) -> Double { Double(words) / wordsASecond + 0.5 }

    /// The seconds for which an average speaker speaks.
    private static let speech: [PaperBlueprint.Role: Double] = [
        .familiar: 18, .card: 115, .roundingOff: 12, .discussion: 35, .interview: 45, .task: 35,
    ]
}

extension PaperBlueprint {
    /// Removes questions until the exam fits the requested minutes. Each step removes the last question of a frame with
    /// the most questions, but never its only one.
    ///
    /// - Throws: `DrawFailure` if even the shortest exam takes longer.
    mutating func fit(_ minutes: Int, of format: ExamFormat) throws(DrawFailure) {
        while true {
            let seconds = ExpectedTime(self, of: format).seconds
            if seconds <= Double(minutes) * 60 { return }
            guard removeQuestion() else {
                let shortest = Int((seconds / 60).rounded(.up))
                throw DrawFailure(
                    frame: "length",
                    sentence:
                        "length: the shortest paper for format \"\(format.id)\" takes about \(shortest) minutes, more than \(minutes)."
                )
            }
        }
    }

    /// Removes questions until at most this many are left, in the same way.
    mutating func keep(_ most: Int) {
        while frames.map(\.slots.count).reduce(0, +) > most, removeQuestion() {}
    }

    /// Removes the last question of a frame with the most questions. False if each frame has only one.
    private mutating func removeQuestion() -> Bool {
        guard let most = frames.map(\.slots.count).max(), most > 1,
            let place = frames.lastIndex(where: { $0.slots.count == most })
        else { return false }
        frames[place].slots.removeLast()
        return true
    }
}

extension String {
    /// The number of words between spaces. In Chinese, the number of characters.
    ///
    /// Used instead of `bankWords`, which is so slow that counting the text of a paper would take longer than drawing
    /// the paper.
    fileprivate var wordCount: Int {
        var (count, isInWord) = (0, false)
        for scalar in unicodeScalars {
            if scalar.value >= 0x3400 {
                (count, isInWord) = (count + 1, false)
            } else if scalar == " " || scalar == "\n" {
                isInWord = false
            } else if !isInWord {
                (count, isInWord) = (count + 1, true)
            }
        }
        return count
    }
}
