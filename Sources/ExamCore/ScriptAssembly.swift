extension ExamScript {
    /// Joins a format and a paper, and reports everything that is wrong with them.
    ///
    /// - Returns: the script, or nil if `validation` has errors.
    public static func assemble(
        _ format: ExamFormat,
        _ paper: Paper,
        options: ExamOptions = ExamOptions()
    ) -> (script: ExamScript?, validation: Validation) {
        var checks = ScriptChecks(format: format, paper: paper, options: options)
        checks.check()
        guard checks.validation.isValid else { return (nil, checks.validation) }
        var assembly = ScriptAssembly(format: format, paper: paper, options: options, validation: checks.validation)
        let script = assembly.script()
        assembly.checkNames(in: script)
        return (assembly.validation.isValid ? script : nil, assembly.validation)
    }
}

extension ExamFormat {
    /// Returns the parts that a sitting with these options holds.
    func parts(of options: ExamOptions) -> [Part] {
        parts.filter { options.part == nil || options.part == $0.number }
    }
}

/// Joins one checked format with one checked paper, and collects the errors that only appear when they are joined.
private struct ScriptAssembly {
    let format: ExamFormat
    let paper: Paper
    let options: ExamOptions
    var validation: Validation
    /// The ids of the cards chosen so far.
    private var cards: Set<String> = []

    init(format: ExamFormat, paper: Paper, options: ExamOptions, validation: Validation) {
        self.format = format
        self.paper = paper
        self.options = options
        self.validation = validation
    }

    mutating func script() -> ExamScript {
        var parts: [ExamScript.Part] = []
        var turns: [ExamScript.Turn] = []
        for (index, part) in format.parts(of: options).enumerated() {
            parts.append(.init(number: part.number, title: part.title, hardEnd: part.clock.map { scaled($0.to) }))
            turns += self.turns(of: part, at: index)
        }
        if let card = options.card, !cards.contains(card) { refuse(card: card) }
        if let question = options.question {
            turns = alone(question, of: turns)
            if turns.isEmpty { validation.error("question: the exam has no question \"\(question)\"") }
        }
        return ExamScript(
            formatID: format.id,
            paperID: paper.id,
            options: options,
            parts: parts,
            turns: turns,
            hardCap: scaled(format.hardCap),
            lastAnswerEnd: scaled(format.hardCap) - scaled(format.closingReserve),
            warnings: format.warnings.map(\.duration).sorted(by: >),
            clipGap: scaled(format.gaps.clips),
            turnGap: scaled(format.gaps.turns),
            partGap: scaled(format.gaps.parts),
            lostLineEndsAnswer: format.lostLineEndsAnswer ?? false
        )
    }

    /// Returns the turn of one question alone. The question is asked regardless of earlier choices, and keeps its
    /// preparation.
    private func alone(_ question: String, of turns: [ExamScript.Turn]) -> [ExamScript.Turn] {
        guard var turn = turns.first(where: { $0.id == question && $0.answer != nil }) else { return [] }
        if let first = turns.first(where: { $0.id == turn.preparedIn }) { turn.preparation = first.preparation }
        (turn.together, turn.preparedIn, turn.condition) = ([], nil, nil)
        return [turn]
    }

    private mutating func turns(of part: ExamFormat.Part, at index: Int) -> [ExamScript.Turn] {
        let chosen = part.items.map { item in item.section.map { frames(of: $0, item, part) } ?? [] }
        // The exam goes through only one of two branches.
        let frameCount = zip(part.items, chosen).filter { $0.0.when?.chose != 2 }.map(\.1).joined().count
        var turns: [ExamScript.Turn] = []
        var branches = Branches()
        for (item, frames) in zip(part.items, chosen) {
            branches.enter(item.when)
            for (lines, question) in asked(item, frames) {
                var turn = ExamScript.Turn(id: question?.id ?? lines[0].id, part: index, order: 0, prompt: lines)
                turn.condition = item.when.map { .init(turn: $0.line, choice: $0.chose - 1) }
                if let question {
                    if question.beginsFrame { branches.place.frame += 1 }
                    branches.place.order += 1
                    turn.order = branches.place.order
                    // A frame's first question may begin until the part's `from`. Its other questions may begin until
                    // the frame's share of that time has passed, so that the last topic also gets its time.
                    let share = question.beginsFrame ? 1 : Double(branches.place.frame) / Double(frameCount)
                    if !question.isLine { turn.notAfter = part.clock.map { latestStart($0, share: share) } }
                    fill(&turn, with: question, of: item)
                }
                turns.append(turn)
            }
        }
        if let preparation = part.preparation { prepareTogether(&turns, preparation) }
        return turns
    }

    /// The position in a part: the `order` of its latest answer, and the number of frames so far. The two branches of a
    /// choice start from the same position.
    private struct Branches {
        struct Place { var (order, frame) = (0, 0) }

        var place = Place()
        private var condition: ExamFormat.Condition?
        /// The position at which the branches began, and how far each has come.
        private var start: Place?
        private var ends: [Int: Place] = [:]

        mutating func enter(_ condition: ExamFormat.Condition?) {
            if let left = self.condition { ends[left.chose] = place }
            if condition?.line != self.condition?.line {
                if let furthest = ends.values.max(by: { $0.order < $1.order }) { place = furthest }
                (start, ends) = (condition == nil ? nil : place, [:])
            }
            if let condition, let start { place = ends[condition.chose] ?? start }
            self.condition = condition
        }
    }

    /// A question to ask: one of the paper's, or a line of the format.
    private struct Asked {
        var id: String
        var clip: Clip
        /// The question's index in the item, from 0.
        var number: Int
        var isLine: Bool
        var beginsFrame: Bool
        var question: Paper.Question?
        var frame: Paper.Frame?

        /// The passage that is heard before the question, and again when the candidate asks for a repeat.
        var passage: Clip? {
            guard beginsFrame, let frame, let passage = frame.passage else { return nil }
            return Clip(id: "\(frame.id).passage", text: passage.text, audio: passage.audio)
        }
    }

    /// Returns the lines of an item, each group with the question that it leads to. The question is nil if the lines
    /// need no answer.
    private func asked(_ item: ExamFormat.Item, _ frames: [Paper.Frame]) -> [(lines: [Clip], question: Asked?)] {
        if let lines = item.say { return [(lines.map(clip(line:)), nil)] }
        let (opening, before) = ((item.opening ?? []).map(clip(line:)), (item.before ?? []).map(clip(line:)))
        if let line = item.ask {
            let clip = clip(line: line)
            let asked = Asked(id: line, clip: clip, number: 0, isLine: true, beginsFrame: false)
            return [(opening + before + [clip], asked)]
        }
        var all: [(lines: [Clip], question: Asked?)] = []
        for (position, frame) in frames.enumerated() {
            for (place, question) in frame.questions.enumerated() {
                let asked = Asked(
                    id: question.id, clip: Clip(id: question.id, text: question.text, audio: question.audio),
                    number: all.count, isLine: false, beginsFrame: place == 0, question: question, frame: frame)
                let lead = frame.lead.map { Clip(id: "\(frame.id).lead", text: $0.text, audio: $0.audio) }
                var lines = position == 0 && place == 0 ? opening : []
                if place == 0 { lines += [lead, asked.passage].compactMap(\.self) }
                all.append((lines + before + (item.readAloud == true ? [] : [asked.clip]), asked))
            }
        }
        return all
    }

    private func fill(_ turn: inout ExamScript.Turn, with asked: Asked, of item: ExamFormat.Item) {
        turn.preparation = item.preparation.map(preparation)
        let name = item.rules![min(asked.number, item.rules!.count - 1)]
        // For a text to read aloud, a repeat plays the words before it.
        let again = item.readAloud == true ? turn.prompt.last! : asked.passage ?? asked.clip
        turn.answer = rule(name, for: asked.question, id: asked.id, question: again)
        turn.card = asked.question?.card
        turn.picture = asked.frame?.picture
        turn.alternatives = item.alternatives ?? asked.question?.alternatives ?? []
        turn.answers = asked.question?.answers ?? []
        turn.isPractice = item.practice ?? false
        turn.purpose = purpose(of: asked, in: item)
        turn.wordSequence = item.wordSequence ?? []
        if item.readAloud == true { turn.toRead = asked.clip.text }
        if item.textHidden == true { turn.hidden.formUnion([asked.id] + turn.answer!.repeats.map(\.id)) }
        if let passage = asked.passage { turn.hidden.insert(passage.id) }
    }

    /// Returns the purpose of a question. A paper can make its question an introduction, but cannot undo one that the
    /// format states.
    private func purpose(of asked: Asked, in item: ExamFormat.Item) -> QuestionPurpose {
        if asked.question?.purpose == .introduction { return .introduction }
        return item.purpose ?? (asked.isLine ? .unstated(for: asked.id) : .assessed)
    }

    /// Gives the part's preparation, and all of its questions, to the part's first answered turn.
    private func prepareTogether(_ turns: inout [ExamScript.Turn], _ preparation: ExamFormat.Preparation) {
        let answered = turns.indices.filter { turns[$0].answer != nil }
        guard let first = answered.first else { return }
        turns[first].preparation = self.preparation(preparation)
        turns[first].together = answered.map { .init(text: turns[$0].question ?? "", picture: turns[$0].picture) }
        for place in answered.dropFirst() { turns[place].preparedIn = turns[first].id }
    }

    private func latestStart(_ clock: ExamFormat.PartClock, share: Double) -> Duration {
        let shared = clock.sharedFrom.map(scaled) ?? .zero
        let milliseconds = Double((scaled(clock.from) - shared).milliseconds) * share
        return shared + .milliseconds(Int(milliseconds.rounded()))
    }

    /// Returns the frames that an item uses: the first ones, or frames chosen by the sitting's seed if it has one.
    /// Frames about a card are used only with that card.
    private mutating func frames(of section: String, _ item: ExamFormat.Item, _ part: ExamFormat.Part) -> [Paper.Frame]
    {
        guard let all = paper.sections[section], !all.isEmpty else {
            validation.error("paper \"\(paper.id)\": sections.\(section): is missing; part \(part.number) needs it")
            return []
        }
        // If no card was chosen because the part is practised alone, the options or the first frame decide which card
        // it is.
        let about = all.compactMap(\.about)
        if cards.isEmpty, let card = about.first(where: { $0 == options.card }) ?? about.first { cards = [card] }
        var frames = all.filter { $0.about.map(cards.contains) ?? true }
        if let card = options.card, let place = frames.firstIndex(where: { $0.cards.contains(card) }) {
            frames = [frames[place]]
        }
        let count = item.frames ?? frames.count
        if frames.count < max(count, 1) {
            let has = "has \(frames.count) of the \(max(count, 1)) frames that part \(part.number) needs"
            validation.error("paper \"\(paper.id)\": sections.\(section): \(has)")
            return []
        }
        if count < frames.count, let seed = options.seed { frames = chosen(count, of: frames, seed: seed) }
        frames = Array(frames.prefix(count))
        cards.formUnion(frames.flatMap(\.cards))
        return frames
    }

    private mutating func refuse(card: String) {
        let known = paper.sections.values.joined().flatMap(\.cards).sorted()
        let has = known.isEmpty ? "has no card" : "has \(known.spoken)"
        validation.error("card: paper \"\(paper.id)\" \(has), and this part of it no card \"\(card)\"")
    }

    /// Chooses frames with as many steps of the Fisher–Yates shuffle as needed. The library's shuffle may differ
    /// between versions.
    private func chosen(_ count: Int, of frames: [Paper.Frame], seed: UInt64) -> [Paper.Frame] {
        var generator = SplitMix64(seed: seed)
        var frames = frames
        for index in 0..<count {
            frames.swapAt(index, index + Int(generator.next() % UInt64(frames.count - index)))
        }
        return Array(frames.prefix(count))
    }

    /// Checks that turns and clips have unique names. Logs, takes and recordings refer to them by name.
    mutating func checkNames(in script: ExamScript) {
        var turns: Set<String> = []
        for turn in script.turns where !turns.insert(turn.id).inserted {
            validation.error("format \"\(format.id)\": parts: \"\(turn.id)\" is said or asked twice")
        }
        var clips: [String: Clip] = [:]
        for clip in script.clips {
            let known = clips.updateValue(clip, forKey: clip.id)
            if let known, known != clip {
                validation.error("paper \"\(paper.id)\": \"\(clip.id)\" names two different prompts")
            }
        }
    }

    private func preparation(_ preparation: ExamFormat.Preparation) -> ExamScript.Preparation {
        .init(
            length: scaled(preparation.length),
            skippableAfter: preparation.skippableAfter?.duration,
            notes: preparation.notes,
            start: preparation.start.map(clip(line:))
        )
    }

    /// Returns the answer rule of a format with its lines resolved and its times scaled.
    ///
    /// - Parameters:
    ///   - id: the prefix of the names of the question's clips.
    ///   - clip: the clip to play when the question is asked again.
    private func rule(
        _ name: String, for question: Paper.Question?, id: String, question clip: Clip
    ) -> ExamScript.AnswerRule {
        let rule = format.rules[name]!
        return ExamScript.AnswerRule(
            silence: rule.silence.map(scaled),
            patience: rule.patience.map {
                .init(floor: ($0.floor ?? rule.silence).map(scaled) ?? .zero, ceiling: scaled($0.ceiling))
            },
            minimum: rule.minimum?.duration ?? .zero,
            maximum: rule.maximum.map(scaled),
            clockStart: rule.clock ?? .opening,
            finishableAfter: rule.finishableAfter?.duration,
            interruption: rule.interruption.map {
                .init(aim: $0.aim.duration, pause: $0.pause.duration, clip: self.clip(line: $0.say))
            },
            whenSilent: (rule.whenSilent ?? []).map { step($0, question: clip) },
            whenPausing: (rule.whenPausing ?? []).map { step($0, question: clip) },
            repeats: rule.repeats.map { repeats($0, of: question, id: id, question: clip) } ?? [],
            refusal: rule.repeats?.refusal.map(self.clip(line:)),
            followUpUnder: rule.followUpUnder?.duration,
            followUp: question?.followUp.map { Clip(id: "\(id).why", text: $0.text, audio: $0.audio) },
            beep: rule.beep == true ? .beep : nil,
            attempts: rule.attempts ?? 1
        )
    }

    private func step(_ step: ExamFormat.Step, question: Clip) -> ExamScript.Step {
        let clip: Clip? =
            switch step.do {
            case .prompt: self.clip(line: step.say!)
            case .repeat: question
            case .moveOn: nil
            }
        return .init(after: scaled(step.after), clip: clip)
    }

    private func repeats(
        _ repeats: ExamFormat.Repeats, of question: Paper.Question?, id: String, question clip: Clip
    ) -> [Clip] {
        let easier = repeats.wording == .rephrased ? question?.rephrased ?? [] : []
        let clips = easier.enumerated().map { index, prompt in
            Clip(id: "\(id).rephrased.\(index + 1)", text: prompt.text, audio: prompt.audio)
        }
        return (0..<repeats.limit).map { $0 < clips.count ? clips[$0] : clip }
    }

    private func clip(line name: String) -> Clip {
        Clip(id: name, text: format.lines[name]!.text, audio: format.lines[name]!.audio)
    }

    private func scaled(_ seconds: Seconds) -> Duration {
        .milliseconds(Int((Double(seconds.duration.milliseconds) * options.timeMultiplier).rounded()))
    }
}

extension Paper.Frame {
    /// The ids of the questions that come with a card.
    fileprivate var cards: [String] { questions.filter { $0.card != nil }.map(\.id) }
}
