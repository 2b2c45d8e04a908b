/// Checks of a format and a paper, each on its own. Joining them finds the errors between the two.
struct ScriptChecks {
    let format: ExamFormat
    let paper: Paper
    let options: ExamOptions
    var validation = Validation()

    /// Fills `validation`.
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
        if format.parts(of: options).isEmpty, let part = options.part {
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
        if let language = format.language, !Self.isTag(language) {
            error(format, "language", "is not a language tag, such as \"zh\" or \"en-GB\"")
        }
        if let scoring = format.scoring { check(scoring) }
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
            checkLine(part.preparation?.start, "\(field).preparation.start")
            for (index, item) in part.items.enumerated() {
                let field = "\(field).items[\(index)]"
                check(item, field)
                check(item.when, of: part.items.prefix(index), field)
                if part.preparation != nil && item.preparation != nil {
                    error(format, field, "has a preparation, and the whole part has one")
                }
            }
        }
    }

    /// Returns whether the text has 2 to 16 letters, digits and `-`, as a language tag does.
    private static func isTag(_ text: String) -> Bool {
        (2...16).contains(text.utf8.count) && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || isLetterOrDigit($0) }
    }

    private mutating func check(_ scoring: ExamFormat.Scoring) {
        if scoring.lowest >= scoring.highest { error(format, "scoring", "has lowest not below highest") }
        if scoring.step <= 0 || scoring.step > scoring.highest - scoring.lowest {
            error(format, "scoring.step", "must be above 0 and at most highest minus lowest")
        }
        if scoring.criteria.isEmpty { error(format, "scoring.criteria", "is empty; say what is judged") }
    }

    /// Checks that the line an item depends on is asked before it, in the same part.
    private mutating func check(
        _ condition: ExamFormat.Condition?, of before: ArraySlice<ExamFormat.Item>, _ field: String
    ) {
        guard let condition else { return }
        if !before.contains(where: { $0.ask == condition.line && $0.alternatives != nil && $0.when == nil }) {
            error(
                format, "\(field).when.line",
                "is \"\(condition.line)\", and no item before it in this part asks that with alternatives")
        }
        if !(1...2).contains(condition.chose) { error(format, "\(field).when.chose", "is not 1 or 2") }
    }

    private mutating func check(_ rule: ExamFormat.Rule, _ field: String) {
        if rule.silence == nil && rule.maximum == nil && rule.finishableAfter == nil {
            error(format, field, "has no end: give silence, maximum or finishableAfter")
        }
        if let minimum = rule.minimum, let maximum = rule.maximum, minimum.duration > maximum.duration {
            error(format, field, "has minimum after maximum")
        }
        if let patience = rule.patience {
            let silence = rule.silence?.duration
            if silence.map({ $0 < patience.floor?.duration ?? .zero || $0 > patience.ceiling.duration }) ?? true {
                error(format, "\(field).patience", "has no silence between its floor and its ceiling to start from")
            }
        }
        if let repeats = rule.repeats, !(0...9).contains(repeats.limit) {
            error(format, "\(field).repeats.limit", "is outside 0 to 9")
        }
        if let attempts = rule.attempts, !(1...9).contains(attempts) {
            error(format, "\(field).attempts", "is outside 1 to 9")
        }
        checkLine(rule.interruption?.say, "\(field).interruption.say")
        checkLine(rule.repeats?.refusal, "\(field).repeats.refusal")
        for (name, steps) in [("whenSilent", rule.whenSilent), ("whenPausing", rule.whenPausing)] {
            for (index, step) in (steps ?? []).enumerated() {
                let field = "\(field).\(name)[\(index)]"
                if step.after.duration <= .zero { error(format, "\(field).after", "is not above 0") }
                if (step.do == .prompt) != (step.say != nil) {
                    error(
                        format, field,
                        step.do == .prompt ? "prompts but says no line" : "has a line but does not prompt")
                }
                if name == "whenPausing" && step.do == .moveOn {
                    error(format, field, "moves on in a pause; silence and minimum say when an answer is over")
                }
                checkLine(step.say, "\(field).say")
            }
            if (steps ?? []).dropLast().contains(where: { $0.do == .moveOn }) {
                error(format, "\(field).\(name)", "goes on after moveOn")
            }
        }
        if rule.clock == .firstWord && rule.whenSilent?.last?.do != .moveOn {
            error(format, field, "could wait for a first word for ever: end whenSilent with moveOn")
        } else if rule.silence != nil && rule.maximum == nil && rule.whenSilent?.last?.do != .moveOn {
            error(format, field, "could wait for a silent candidate for ever: end whenSilent with moveOn")
        }
    }

    private mutating func check(_ item: ExamFormat.Item, _ field: String) {
        if [item.say != nil, item.ask != nil, item.section != nil].count(where: { $0 }) != 1 {
            error(format, field, "must have exactly one of say, ask and section")
        }
        for line in (item.say ?? []) + (item.opening ?? []) + (item.before ?? []) { checkLine(line, field) }
        checkLine(item.ask, "\(field).ask")
        checkLine(item.preparation?.start, "\(field).preparation.start")
        if item.say != nil {
            if item.say == [] { error(format, field, "says no line") }
            if item.rules != nil { error(format, field, "has rules, but nothing is answered") }
            if item.opening != nil || item.before != nil || item.preparation != nil || item.frames != nil {
                error(
                    format, field, "says lines only; opening, before, preparation and frames belong to what is answered"
                )
            }
            return
        }
        if item.readAloud == true, item.section == nil || item.before?.isEmpty ?? true || item.textHidden == true {
            error(
                format, field, "has readAloud; that takes a section, lines `before` each text, and words that are shown"
            )
        }
        if let alternatives = item.alternatives {
            if item.ask == nil { error(format, field, "has alternatives; they belong to a line that is asked") }
            check(alternatives, "format \"\(format.id)\": \(field)")
        }
        if item.rules?.isEmpty ?? true { error(format, field, "names no rule") }
        for name in item.rules ?? [] where format.rules[name] == nil {
            error(format, field, "names the unknown rule \"\(name)\"")
        }
        if let frames = item.frames, frames < 1 { error(format, field, "asks for \(frames) frames") }
        if let table = item.wordSequence { check(table, "\(field).wordSequence") }
    }

    /// Checks that points fall with the share of the words, and that the last row covers every remaining answer.
    private mutating func check(_ table: [ExamFormat.WordPoints], _ field: String) {
        guard table.last?.atLeast == 0, table.last?.exactly != true else {
            return error(format, field, "must end with what is left: { \"atLeast\": 0, \"points\": 0 }")
        }
        for row in table where !(0...1).contains(row.atLeast) || !(0...100).contains(row.points) {
            return error(format, field, "has atLeast \(row.atLeast) and points \(row.points); use 0 to 1, and 0 to 100")
        }
        for (better, row) in zip(table, table.dropFirst())
        where better.points <= row.points || better.atLeast < row.atLeast {
            return error(format, field, "must fall from row to row, atLeast and points alike")
        }
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
                if let picture = frame.picture { check(picture, "\(field).picture") }
                if let passage = frame.passage, passage.text.isEmpty, passage.audio == nil {
                    error(paper, "\(field).passage", "has neither text nor audio")
                }
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
                validation.warning(
                    "paper \"\(paper.id)\": \(field): has no text; a deaf or distracted candidate sees nothing")
            }
        }
        if let alternatives = question.alternatives { check(alternatives, "paper \"\(paper.id)\": \(field)") }
        guard let card = question.card else { return }
        if card.topic.isEmpty { error(paper, "\(field).card", "has no topic") }
        if card.explain.isEmpty { error(paper, "\(field).card", "has nothing to explain") }
        if !(3...4).contains(card.points.count) {
            validation.warning(
                "paper \"\(paper.id)\": \(field).card: has \(card.points.count) points; a card has 3 or 4")
        }
    }

    private mutating func check(_ alternatives: [Paper.Alternative], _ field: String) {
        if alternatives.count != 2 {
            validation.error("\(field): has \(alternatives.count) alternatives; a choice is between two")
        }
        if alternatives.contains(where: { $0.title.isEmpty }) {
            validation.error("\(field): has an alternative without a title")
        }
    }

    private mutating func check(_ picture: Paper.Picture, _ field: String) {
        if picture.description.isEmpty {
            error(paper, field, "has no description for candidates who cannot see it")
        }
        switch (picture.svg, picture.png) {
        case (let svg?, nil) where !svg.hasPrefix("<svg"): error(paper, "\(field).svg", "does not begin with <svg")
        case (nil, let png?) where !png.hasPrefix("iVBORw0KGgo"):
            error(paper, "\(field).png", "is not a PNG file in Base64")
        case (nil, nil), (_?, _?): error(paper, field, "must have exactly one of svg and png")
        default: break
        }
        if (picture.svg ?? picture.png ?? "").utf8.count > Self.largestPicture {
            error(paper, field, "is larger than 500 kB")
        }
    }

    /// The largest picture in bytes of text. A session's paper is read as a whole, and has to fit through a learner's
    /// connection.
    private static let largestPicture = 500_000

    private mutating func checkLine(_ name: String?, _ field: String) {
        guard let name, format.lines[name] == nil else { return }
        error(format, field, "names the unknown line \"\(name)\"")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private mutating func checkID(_ id: String, _ field: String) {
        let allowed = id.utf8.allSatisfy { Self.isLetterOrDigit($0) || "-._".utf8.contains($0) }
        guard !allowed || id.isEmpty || id.utf8.count > 64 || id.hasPrefix(".") else { return }
        validation.error("\(field): use 1 to 64 letters, digits, '-', '.' and '_', not beginning with '.'")
    }

    private mutating func error(_ format: ExamFormat, _ field: String, _ what: String) {
        validation.error("format \"\(format.id)\": \(field): \(what)")
    }

    private mutating func error(_ paper: Paper, _ field: String, _ what: String) {
        validation.error("paper \"\(paper.id)\": \(field): \(what)")
    }
}
