extension ExamScript {
    /// Joins a format and a paper, or says everything that is wrong with them (A5, A20).
    ///
    /// - Returns: the script, or nil where `validation` has errors.
    public static func assemble(
        _ format: ExamFormat,
        _ paper: Paper,
        options: ExamOptions = ExamOptions()
    ) -> (script: ExamScript?, validation: Validation) {
        var assembly = ScriptAssembly(format: format, paper: paper, options: options)
        assembly.check()
        guard assembly.validation.isValid else { return (nil, assembly.validation) }
        let script = assembly.script()
        return (assembly.validation.isValid ? script : nil, assembly.validation)
    }
}

/// The joining of one format and one paper, with what was found wrong on the way.
private struct ScriptAssembly {
    let format: ExamFormat
    let paper: Paper
    let options: ExamOptions
    var validation = Validation()

    // MARK: - Checking what each file says by itself

    mutating func check() {
        if format.version != ExamFormat.layoutVersion {
            error(format, "version", "is \(format.version); this program reads version \(ExamFormat.layoutVersion)")
        }
        if paper.version != Paper.layoutVersion {
            error(paper, "version", "is \(paper.version); this program reads version \(Paper.layoutVersion)")
        }
        if !(1...4).contains(options.timeMultiplier) {
            validation.error("time multiplier: \(options.timeMultiplier) is not between 1 and 4")
        }
        if chosenParts.isEmpty, let part = options.part {
            validation.error("format \"\(format.id)\": parts: has no part \(part)")
        }
        checkID(format.id, "format \"\(format.id)\": id")
        checkID(paper.id, "paper \"\(paper.id)\": id")
        checkFormat()
        checkPaper()
    }

    private mutating func checkFormat() {
        if format.hardCap.duration <= format.closingReserve.duration {
            error(format, "closingReserve", "is not shorter than hardCap")
        }
        if format.parts.isEmpty { error(format, "parts", "is empty; an exam has at least one part") }
        for (name, line) in format.lines.sorted(by: { $0.key < $1.key }) {
            checkID(name, "format \"\(format.id)\": lines.\(name)")
            if line.text.isEmpty { error(format, "lines.\(name)", "has no text") }
        }
        for (name, rule) in format.rules.sorted(by: { $0.key < $1.key }) { check(rule, "rules.\(name)") }
        var numbers: Set<Int> = []
        for part in format.parts {
            let field = "parts[\(part.number)]"
            if !(1...9).contains(part.number) { error(format, field, "has a number outside 1 to 9") }
            if !numbers.insert(part.number).inserted { error(format, field, "comes twice") }
            if let clock = part.clock, clock.from.duration > clock.to.duration {
                error(format, "\(field).clock", "has from after to")
            }
            if let clock = part.clock, let shared = clock.sharedFrom, shared.duration > clock.from.duration {
                error(format, "\(field).clock", "has sharedFrom after from")
            }
            if !part.items.contains(where: { $0.ask != nil || $0.section != nil }) {
                error(format, field, "has no questions")
            }
            for (index, item) in part.items.enumerated() { check(item, "\(field).items[\(index)]", clock: part.clock) }
        }
    }

    private mutating func check(_ rule: ExamFormat.Rule, _ field: String) {
        if rule.silence == nil && rule.maximum == nil && rule.finishableAfter == nil {
            error(format, field, "has no end: give silence, maximum or finishableAfter")
        }
        if let minimum = rule.minimum, let maximum = rule.maximum, minimum.duration > maximum.duration {
            error(format, field, "has minimum after maximum")
        }
        if let repeats = rule.repeats, !(0...9).contains(repeats.limit) {
            error(format, "\(field).repeats.limit", "is outside 0 to 9")
        }
        checkLine(rule.interruption?.say, "\(field).interruption.say")
        checkLine(rule.repeats?.refusal, "\(field).repeats.refusal")
        for (name, steps) in [("whenSilent", rule.whenSilent), ("whenPausing", rule.whenPausing)] {
            for (index, step) in (steps ?? []).enumerated() {
                let field = "\(field).\(name)[\(index)]"
                if step.after.duration <= .zero { error(format, "\(field).after", "is not above 0") }
                if (step.do == .prompt) != (step.say != nil) {
                    error(format, field, step.do == .prompt ? "prompts but says no line" : "has a line but does not prompt")
                }
                if name == "whenPausing" && step.do == .moveOn {
                    error(format, field, "moves on in a pause; silence and minimum say when an answer is over")
                }
                checkLine(step.say, "\(field).say")
            }
        }
        if rule.clock == .firstWord && rule.silence == nil && rule.whenSilent?.last?.do != .moveOn {
            error(format, field, "could wait for a first word for ever: end whenSilent with moveOn")
        }
        if rule.silence != nil && rule.maximum == nil && rule.whenSilent?.last?.do != .moveOn {
            error(format, field, "could wait for a silent candidate for ever: end whenSilent with moveOn")
        }
    }

    private mutating func check(_ item: ExamFormat.Item, _ field: String, clock: ExamFormat.Clock?) {
        if [item.say != nil, item.ask != nil, item.section != nil].count(where: { $0 }) != 1 {
            error(format, field, "must have exactly one of say, ask and section")
        }
        for line in (item.say ?? []) + (item.opening ?? []) { checkLine(line, field) }
        checkLine(item.ask, "\(field).ask")
        checkLine(item.preparation?.start, "\(field).preparation.start")
        if item.say != nil {
            if item.say == [] { error(format, field, "says no line") }
            if item.rules != nil { error(format, field, "has rules, but nothing is answered") }
            return
        }
        if item.rules?.isEmpty ?? true { error(format, field, "names no rule") }
        for name in item.rules ?? [] where format.rules[name] == nil {
            error(format, field, "names the unknown rule \"\(name)\"")
        }
        if let frames = item.frames, frames < 1 { error(format, field, "asks for \(frames) frames") }
    }

    private mutating func checkPaper() {
        var frames: Set<String> = []
        var questions: Set<String> = []
        let cards = Set(paper.sections.values.joined().flatMap(\.questions).filter { $0.card != nil }.map(\.id))
        for (name, section) in paper.sections.sorted(by: { $0.key < $1.key }) {
            for frame in section {
                let field = "sections.\(name): frame \"\(frame.id)\""
                checkID(frame.id, "paper \"\(paper.id)\": \(field)")
                if !frames.insert(frame.id).inserted { error(paper, field, "comes twice") }
                if frame.questions.isEmpty { error(paper, field, "has no questions") }
                if let card = frame.about, !cards.contains(card) {
                    error(paper, field, "is about \"\(card)\", and no card has that id")
                }
                for question in frame.questions {
                    if !questions.insert(question.id).inserted {
                        error(paper, "question \"\(question.id)\"", "comes twice")
                    }
                    check(question)
                }
            }
        }
    }

    private mutating func check(_ question: Paper.Question) {
        let field = "question \"\(question.id)\""
        checkID(question.id, "paper \"\(paper.id)\": \(field)")
        if format.lines[question.id] != nil { error(paper, field, "has the name of a line of the format") }
        if question.text.isEmpty {
            if question.audio == nil {
                error(paper, field, "has neither text nor audio")
            } else {
                validation.warning("paper \"\(paper.id)\": \(field): has no text; a deaf or distracted candidate sees nothing")
            }
        }
        guard let card = question.card else { return }
        if card.topic.isEmpty { error(paper, "\(field).card", "has no topic") }
        if card.explain.isEmpty { error(paper, "\(field).card", "has nothing to explain") }
        if !(3...4).contains(card.points.count) {
            validation.warning("paper \"\(paper.id)\": \(field).card: has \(card.points.count) points; a card has 3 or 4")
        }
    }

    private mutating func checkLine(_ name: String?, _ field: String) {
        guard let name, format.lines[name] == nil else { return }
        error(format, field, "names the unknown line \"\(name)\"")
    }

    private mutating func checkID(_ id: String, _ field: String) {
        let allowed = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !allowed || id.isEmpty || id.utf8.count > 64 || id.hasPrefix(".") else { return }
        validation.error("\(field): use 1 to 64 letters, digits, '-', '.' and '_', not beginning with '.'")
    }

    private mutating func error(_ format: ExamFormat, _ field: String, _ what: String) {
        validation.error("format \"\(format.id)\": \(field): \(what)")
    }

    private mutating func error(_ paper: Paper, _ field: String, _ what: String) {
        validation.error("paper \"\(paper.id)\": \(field): \(what)")
    }

    // MARK: - Joining

    mutating func script() -> ExamScript {
        var parts: [ExamScript.Part] = []
        var turns: [ExamScript.Turn] = []
        for (index, part) in chosenParts.enumerated() {
            parts.append(.init(number: part.number, title: part.title, hardEnd: part.clock.map { scaled($0.to) }))
            turns += self.turns(of: part, at: index)
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
            partGap: scaled(format.gaps.parts)
        )
    }

    private var chosenParts: [ExamFormat.Part] {
        format.parts.filter { options.part == nil || options.part == $0.number }
    }

    private mutating func turns(of part: ExamFormat.Part, at index: Int) -> [ExamScript.Turn] {
        let chosen = part.items.map { item in item.section.map { frames(of: $0, item, part) } ?? [] }
        let frameCount = chosen.joined().count
        var turns: [ExamScript.Turn] = []
        var frameIndex = 0
        var order = 0
        for (item, frames) in zip(part.items, chosen) {
            let opening = (item.opening ?? []).map(clip(line:))
            if let lines = item.say {
                turns.append(.init(id: lines[0], part: index, order: 0, prompt: lines.map(clip(line:))))
            }
            if let line = item.ask {
                order += 1
                turns.append(
                    .init(
                        id: line,
                        part: index,
                        order: order,
                        prompt: opening + [clip(line: line)],
                        preparation: preparation(item),
                        answer: rule(item.rules![0], for: nil, question: clip(line: line))
                    )
                )
            }
            var questionIndex = 0
            for (position, frame) in frames.enumerated() {
                frameIndex += 1
                for (place, question) in frame.questions.enumerated() {
                    let clip = Clip(id: question.id, text: question.text, audio: question.audio)
                    let lead = frame.lead.map { [Clip(id: "\(frame.id).lead", text: $0.text, audio: $0.audio)] } ?? []
                    let opening = position == 0 && place == 0 ? opening : []
                    // A frame's first question may begin until the part's `from`; the others until the frame's share of
                    // it has passed, so that the last topic gets its time too.
                    let share = place == 0 ? 1 : Double(frameIndex) / Double(frameCount)
                    let latest = part.clock.map { latestStart($0, share: share) }
                    order += 1
                    turns.append(
                        .init(
                            id: question.id,
                            part: index,
                            order: order,
                            prompt: opening + (place == 0 ? lead : []) + [clip],
                            preparation: preparation(item),
                            answer: rule(
                                item.rules![min(questionIndex, item.rules!.count - 1)],
                                for: question,
                                question: clip
                            ),
                            notAfter: latest,
                            card: question.card
                        )
                    )
                    questionIndex += 1
                }
            }
        }
        return turns
    }

    private func latestStart(_ clock: ExamFormat.Clock, share: Double) -> Duration {
        let shared = clock.sharedFrom.map(scaled) ?? .zero
        let milliseconds = Double((scaled(clock.from) - shared).milliseconds) * share
        return shared + .milliseconds(Int(milliseconds.rounded()))
    }

    /// The frames an item uses: the first ones, or, where the sitting has a seed, ones chosen by it.
    private mutating func frames(of section: String, _ item: ExamFormat.Item, _ part: ExamFormat.Part) -> [Paper.Frame] {
        guard var frames = paper.sections[section], !frames.isEmpty else {
            validation.error("paper \"\(paper.id)\": sections.\(section): is missing; part \(part.number) needs it")
            return []
        }
        let count = item.frames ?? frames.count
        if frames.count < count {
            let has = "has \(frames.count) of the \(count) frames that part \(part.number) needs"
            validation.error("paper \"\(paper.id)\": sections.\(section): \(has)")
            return []
        }
        if count < frames.count, let seed = options.seed {
            var generator = SplitMix64(state: seed)
            frames.shuffle(using: &generator)
        }
        return Array(frames.prefix(count))
    }

    private func preparation(_ item: ExamFormat.Item) -> ExamScript.Preparation? {
        item.preparation.map {
            .init(
                length: scaled($0.length),
                skippableAfter: $0.skippableAfter?.duration,
                notes: $0.notes,
                start: $0.start.map(clip(line:))
            )
        }
    }

    private func rule(_ name: String, for question: Paper.Question?, question clip: Clip) -> ExamScript.AnswerRule {
        let rule = format.rules[name]!
        return ExamScript.AnswerRule(
            silence: rule.silence.map(scaled),
            minimum: rule.minimum?.duration ?? .zero,
            maximum: rule.maximum.map(scaled),
            clockStart: rule.clock ?? .opening,
            finishableAfter: rule.finishableAfter?.duration,
            interruption: rule.interruption.map {
                .init(aim: $0.aim.duration, pause: $0.pause.duration, clip: self.clip(line: $0.say))
            },
            whenSilent: (rule.whenSilent ?? []).map { step($0, question: clip) },
            whenPausing: (rule.whenPausing ?? []).map { step($0, question: clip) },
            repeats: rule.repeats.map { repeats($0, of: question, question: clip) } ?? [],
            refusal: rule.repeats?.refusal.map(self.clip(line:)),
            followUpUnder: rule.followUpUnder?.duration,
            followUp: question?.followUp.map { Clip(id: "\(clip.id).why", text: $0.text, audio: $0.audio) }
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

    private func repeats(_ repeats: ExamFormat.Repeats, of question: Paper.Question?, question clip: Clip) -> [Clip] {
        let easier = repeats.wording == .rephrased ? question?.rephrased ?? [] : []
        let clips = easier.enumerated().map { index, prompt in
            Clip(id: "\(clip.id).rephrased.\(index + 1)", text: prompt.text, audio: prompt.audio)
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

/// Steele, Lea and Flood's SplitMix64 (OOPSLA 2014): a seed chooses the same frames on every machine.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
