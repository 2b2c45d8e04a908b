import Testing

@testable import ExamCore

/// Tests of formats and papers that are refused before an exam, with their fields named, and of the scripts that valid
/// ones make.
@Suite struct ScriptAssemblyTests {
    @Test func theSmallMaterialsAreGood() {
        let (script, validation) = Materials().assembled
        #expect(script != nil)
        #expect(validation == Validation())
    }

    @Test(arguments: Mistake.inFormats + Mistake.inRules + Mistake.inItems + Mistake.inPapers + Mistake.inOptions)
    func aMistakeIsNamedWithItsField(_ mistake: Mistake) {
        let (script, validation) = mistake.assembled
        #expect(script == nil)
        #expect(validation.errors == mistake.sentences)
        #expect(validation.warnings == [])
    }

    @Test(arguments: Mistake.forgivable)
    func warningsForbidNothing(_ oddity: Mistake) {
        let (script, validation) = oddity.assembled
        #expect(script != nil)
        #expect(validation.errors == [])
        #expect(validation.warnings == oddity.sentences)
    }

    @Test func allMistakesAreReportedAtOnce() {
        var materials = Materials()
        materials.format.version = 3
        materials.paper.sections["topics"]![1].questions = []
        materials.options.timeMultiplier = 5
        #expect(materials.assembled.validation.errors.count == 3)
    }

    /// If a clock waits for the first word, it never runs out for a candidate who says nothing.
    @Test func aTalkWithAMaximumCannotWaitForItsFirstWordForEver() {
        var materials = Materials()
        materials.format.rules["talk"]!.whenSilent!.removeLast()
        #expect(
            materials.assembled.validation.errors == [
                "format \"small\": rules.talk: could wait for a first word for ever: end whenSilent with moveOn"
            ]
        )
    }

    /// The log, the scenario and late reports about a clip refer to turns and clips by their ids.
    @Test(arguments: Mistake.twoOfOneName)
    func namesInAScriptAreUnique(_ mistake: Mistake) {
        let (script, validation) = mistake.assembled
        #expect(script == nil)
        #expect(validation.errors == mistake.sentences)
    }

    // MARK: - The script

    @Test func framesShareTheTimeUntilThePartsLastQuestion() throws {
        let turns = try Materials().script.turns
        let latest = Dictionary(uniqueKeysWithValues: turns.map { ($0.id, $0.notAfter) })
        // 40 s belong to the introduction. Two frames share the 200 s from there to 240.
        #expect(latest["home-1"] == .seconds(240), "a topic may begin until the end")
        #expect(latest["home-2"] == .seconds(140), "the first topic leaves the second its half")
        #expect(latest["sea-1"] == .seconds(240))
        #expect(latest["sea-2"] == .seconds(240))
        for id in ["hello", "name", "bye"] { #expect(latest[id] == .some(nil), "\(id) is never dropped") }
    }

    @Test func withoutAClockNothingIsDropped() throws {
        var materials = Materials()
        materials.format.parts[0].clock = nil
        let script = try materials.script
        #expect(script.turns.filter { $0.part == 0 }.allSatisfy { $0.notAfter == nil })
        #expect(script.parts.map(\.hardEnd) == [nil, .seconds(240)])
    }

    @Test func openingAndLeadComeBeforeTheFirstQuestionOnly() throws {
        let prompts = try Materials().script.turns.map { $0.prompt.map(\.id) }
        #expect(
            prompts == [
                ["hello"], ["name"],
                ["open", "home.lead", "home-1"], ["home-2"], ["sea-1"], ["sea-2"],
                ["card"], ["bye"],
            ]
        )
    }

    @Test func answeredTurnsAreCountedInTheirPart() throws {
        let script = try Materials().script
        #expect(script.turns.map(\.part) == [0, 0, 0, 0, 0, 0, 1, 1])
        #expect(script.turns.map(\.order) == [0, 1, 2, 3, 4, 5, 1, 0])
        #expect(script.closingTurns == 7..<8)
    }

    @Test func theLastRuleServesAllFurtherQuestions() throws {
        let turns = try Materials().script.turns
        let silences = turns.filter { $0.id.contains("-") }.map(\.answer?.silence)
        #expect(silences == [.seconds(2), .seconds(3), .seconds(3), .seconds(3)])
    }

    @Test func oneRuleRepeatsTheVeryWordsAndTheOtherRephrasesFirst() throws {
        let turns = try Materials().script.turns
        #expect(turns[2].answer?.repeats.map(\.text) == ["Where do you live?"])
        #expect(turns[2].answer?.refusal?.id == "no-again")
        #expect(
            turns[3].answer?.repeats.map(\.text) == [
                "Is your home small?", "House or flat?", "What is your home like?",
            ]
        )
        #expect(turns[3].answer?.refusal == nil)
    }

    @Test func theLadderSaysItsLineAsksAgainAndMovesOn() throws {
        let rule = try #require(Materials().script.turns[2].answer)
        #expect(rule.whenSilent.map(\.after) == [.seconds(5), .seconds(6), .seconds(7)])
        #expect(rule.whenSilent.map(\.clip?.id) == ["more", "home-1", nil])
        #expect(rule.followUp?.text == "Why there?")
        #expect(rule.interruption?.clip.id == "stop")
    }

    @Test func warningsAreLongestFirst() throws {
        #expect(try Materials().script.warnings == [.seconds(30), .seconds(10), .seconds(5)])
    }

    /// By default a candidate's pauses only lengthen a silence.
    @Test(arguments: [1, 1.5, 2])
    func withoutAFloorTheSilenceIsNeverShorter(than extraTime: Double) throws {
        var materials = Materials()
        materials.options.timeMultiplier = extraTime
        materials.format.rules["talk"]!.patience = .init(ceiling: span(5))
        let talk = try #require(try materials.script.turns[6].answer)
        #expect(talk.patience?.floor == .seconds(3 * extraTime) && talk.silence == talk.patience?.floor)
    }

    /// Extra time helps the candidate, so nothing more is demanded because of it.
    @Test func extraTimeStretchesEverythingButTheMinimum() throws {
        var materials = Materials()
        materials.options.timeMultiplier = 1.5
        materials.format.rules["talk"]!.patience = .init(floor: span(2), ceiling: span(5))
        let script = try materials.script
        #expect(script.hardCap == .seconds(900))
        #expect(script.lastAnswerEnd == .seconds(885))
        #expect([script.clipGap, script.turnGap, script.partGap] == [.milliseconds(750), .seconds(1.5), .seconds(3)])
        #expect(script.parts.map(\.hardEnd) == [.seconds(450), .seconds(360)])
        #expect(script.turns[3].notAfter == .seconds(210))
        let talk = try #require(script.turns[6].answer)
        #expect(script.turns[6].preparation?.length == .seconds(90))
        #expect(talk.maximum == .seconds(180))
        #expect(talk.silence == .seconds(4.5))
        #expect(talk.patience == .init(floor: .seconds(3), ceiling: .seconds(7.5)))
        #expect(talk.whenSilent.map(\.after) == [.seconds(12), .seconds(15)])
        #expect(talk.whenPausing.map(\.after) == [.seconds(10.5)])
        #expect(talk.minimum == .seconds(60))
        #expect(talk.finishableAfter == .seconds(70))
    }

    @Test func withoutASeedThePapersOrderIsKept() throws {
        #expect(try frames(seed: nil) == ["home", "sea"])
    }

    @Test func aSeedChoosesTheSameFramesEveryTime() throws {
        for seed in 0..<20 as Range<UInt64> { #expect(try frames(seed: seed) == frames(seed: seed)) }
        #expect(
            try frames(seed: 2) == ["sea", "home"],
            "the frames are the same on every machine: computed by hand with SplitMix64")
    }

    @Test func seedsChooseEveryFrameInEveryPlace() throws {
        let choices = try Set((0..<60 as Range<UInt64>).map { try frames(seed: $0) })
        #expect(choices.count == 6, "3 frames, 2 places: \(choices)")
    }

    private func frames(seed: UInt64?) throws -> [String] {
        var materials = Materials()
        materials.options.seed = seed
        let firsts = try materials.script.turns.filter { $0.id.hasSuffix("-1") }
        return firsts.map { String($0.id.dropLast(2)) }
    }

    /// The discussion after the card continues the card that was drawn.
    @Test func framesAboutAnotherCardAreNotChosen() throws {
        var materials = Materials()
        let other = Paper.Card(topic: "A tower", points: ["where", "what", "when"], explain: "and why")
        materials.paper.sections["card"]!.append(
            .init(id: "tower", questions: [.init(id: "card-2", text: "Describe a tower.", card: other)])
        )
        materials.paper.sections["after"] = [
            .init(id: "after-tower", about: "card-2", questions: [.init(id: "tall", text: "Is it tall?")]),
            .init(id: "after-bridge", about: "card", questions: [.init(id: "long", text: "Is it long?")]),
        ]
        materials.format.parts[1].items[0].frames = 1
        materials.format.parts[1].items.insert(.init(section: "after", frames: 1, rules: ["short"]), at: 1)
        let ids = try materials.script.turns.map(\.id)
        #expect(ids.contains("card"))
        #expect(ids.contains("long"))
        #expect(!ids.contains("tall"))
    }

    @Test func onePartAloneIsTheWholeExam() throws {
        var materials = Materials()
        materials.options.part = 2
        materials.paper.sections["topics"] = nil
        let script = try materials.script
        #expect(script.parts.map(\.number) == [2])
        #expect(script.turns.map(\.id) == ["card", "bye"])
        #expect(script.turns.map(\.part) == [0, 0])
    }
}

/// A small format and paper that are valid until a test spoils them: an introduction, two of three topics, a card, a
/// goodbye.
struct Materials: Sendable {
    var format = ExamFormat(
        version: 1,
        id: "small",
        title: "A small exam",
        hardCap: span(600),
        closingReserve: span(10),
        warnings: [span(5), span(30), span(10)],
        gaps: .init(clips: span(0.5), turns: span(1), parts: span(2)),
        lines: Dictionary(
            uniqueKeysWithValues: ["hello", "name", "open", "start", "more", "stop", "no-again", "bye"]
                .map { ($0, ExamFormat.Line(text: "Words of \($0).")) }
        ),
        rules: [
            "short": .init(
                silence: span(2),
                interruption: .init(aim: span(5), pause: span(0.4), say: "stop"),
                whenSilent: [
                    .init(after: span(5), do: .prompt, say: "more"), .init(after: span(6), do: .repeat),
                    .init(after: span(7), do: .moveOn),
                ],
                repeats: .init(limit: 1, wording: .same, refusal: "no-again"),
                followUpUnder: span(3)
            ),
            "open": .init(
                silence: span(3),
                whenSilent: [.init(after: span(6), do: .moveOn)],
                repeats: .init(limit: 3, wording: .rephrased)
            ),
            "talk": .init(
                silence: span(3),
                minimum: span(60),
                maximum: span(120),
                clock: .firstWord,
                finishableAfter: span(70),
                whenSilent: [.init(after: span(8), do: .prompt, say: "more"), .init(after: span(10), do: .moveOn)],
                whenPausing: [.init(after: span(7), do: .prompt, say: "more")]
            ),
        ],
        parts: [
            .init(
                number: 1,
                title: "Topics",
                clock: .init(from: span(240), sharedFrom: span(40), to: span(300)),
                items: [
                    .init(say: ["hello"]), .init(ask: "name", rules: ["short"]),
                    .init(section: "topics", frames: 2, opening: ["open"], rules: ["short", "open"]),
                ]
            ),
            .init(
                number: 2,
                title: "Talk",
                clock: .init(from: span(180), to: span(240)),
                items: [
                    .init(
                        section: "card",
                        rules: ["talk"],
                        preparation: .init(length: span(60), skippableAfter: span(10), notes: true, start: "start")
                    ),
                    .init(say: ["bye"]),
                ]
            ),
        ]
    )

    var paper = Paper(
        version: 1,
        id: "little",
        title: "Home, sea, sky",
        sections: [
            "topics": [
                .init(
                    id: "home",
                    lead: .init(text: "Let us talk about your home."),
                    questions: [
                        .init(id: "home-1", text: "Where do you live?", followUp: .init(text: "Why there?")),
                        .init(
                            id: "home-2",
                            text: "What is your home like?",
                            rephrased: [.init(text: "Is your home small?"), .init(text: "House or flat?")]
                        ),
                    ]
                ),
                .init(id: "sea", questions: [.init(id: "sea-1", text: "Near?"), .init(id: "sea-2", text: "Deep?")]),
                .init(id: "sky", questions: [.init(id: "sky-1", text: "Blue?"), .init(id: "sky-2", text: "High?")]),
            ],
            "card": [
                .init(
                    id: "talk",
                    questions: [
                        .init(
                            id: "card",
                            text: "Describe a bridge.",
                            card: .init(topic: "A bridge", points: ["where", "what", "when"], explain: "and why")
                        )
                    ]
                )
            ],
        ]
    )

    var options = ExamOptions()

    var assembled: (script: ExamScript?, validation: Validation) {
        ExamScript.assemble(format, paper, options: options)
    }

    var script: ExamScript {
        get throws { try #require(assembled.script, "\(assembled.validation.errors)") }
    }
}

func span(_ seconds: Double) -> Seconds { Seconds(.milliseconds(Int((seconds * 1000).rounded()))) }

/// One fault in the small materials, and all sentences that must report it.
struct Mistake: Sendable, CustomTestStringConvertible {
    var sentences: [String]
    var spoil: @Sendable (inout Materials) -> Void

    var testDescription: String { sentences.joined(separator: " / ") }

    var assembled: (script: ExamScript?, validation: Validation) {
        var materials = Materials()
        spoil(&materials)
        return materials.assembled
    }

    private static func format(_ sentences: String..., spoil: @escaping @Sendable (inout ExamFormat) -> Void) -> Self {
        .init(sentences: sentences.map { "format \"small\": \($0)" }) { spoil(&$0.format) }
    }

    private static func rule(
        _ name: String, _ what: String, spoil: @escaping @Sendable (inout ExamFormat.Rule) -> Void
    ) -> Self {
        format("rules.\(name)\(what)") { spoil(&$0.rules[name]!) }
    }

    /// Returns a mistake in an item of the first part: 0 says, 1 asks, 2 has the topics.
    private static func item(
        _ index: Int, _ what: String..., spoil: @escaping @Sendable (inout ExamFormat.Item) -> Void
    ) -> Self {
        .init(sentences: what.map { "format \"small\": parts[1].items[\(index)]\($0)" }) {
            spoil(&$0.format.parts[0].items[index])
        }
    }

    private static func paper(_ sentences: String..., spoil: @escaping @Sendable (inout Paper) -> Void) -> Self {
        .init(sentences: sentences.map { "paper \"little\": \($0)" }) { spoil(&$0.paper) }
    }

    private static let ids = "use 1 to 64 letters, digits, '-', '.' and '_', not beginning with '.'"

    static let inFormats: [Self] = [
        format("version: is 2; this program reads version 1") { $0.version = 2 },
        .init(sentences: ["format \"a b\": id: \(ids)"]) { $0.format.id = "a b" },
        .init(sentences: ["format \"\": id: \(ids)"]) { $0.format.id = "" },
        .init(sentences: ["format \"../x\": id: \(ids)"]) { $0.format.id = "../x" },
        .init(sentences: ["format \".x\": id: \(ids)"]) { $0.format.id = ".x" },
        .init(sentences: ["format \"\(String(repeating: "x", count: 65))\": id: \(ids)"]) {
            $0.format.id = String(repeating: "x", count: 65)
        },
        format("closingReserve: is not shorter than hardCap") { $0.closingReserve = $0.hardCap },
        format("lines.bad name: \(ids)") { $0.lines["bad name"] = .init(text: "Words.") },
        format("lines.spare: has no text") { $0.lines["spare"] = .init(text: "", audio: "spare.wav") },
        format("parts: is empty; an exam has at least one part") { $0.parts = [] },
        format("parts[0]: has a number outside 1 to 9") { $0.parts[0].number = 0 },
        format("parts[10]: has a number outside 1 to 9") { $0.parts[1].number = 10 },
        format("parts[1]: comes twice") { $0.parts[1].number = 1 },
        format("parts[1].clock: has from after to") { $0.parts[0].clock!.to = span(239) },
        format("parts[1].clock: has sharedFrom after from") { $0.parts[0].clock!.sharedFrom = span(241) },
        format("parts[2]: has no questions") { $0.parts[1].items = [.init(say: ["bye"])] },
    ]

    static let inRules: [Self] = [
        rule("short", ": has no end: give silence, maximum or finishableAfter") { $0.silence = nil },
        rule("talk", ": has minimum after maximum") { $0.minimum = span(121) },
        rule("short", ".repeats.limit: is outside 0 to 9") { $0.repeats!.limit = -1 },
        rule("short", ".repeats.limit: is outside 0 to 9") { $0.repeats!.limit = 10 },
        rule("short", ".patience: has no silence between its floor and its ceiling to start from") {
            $0.patience = .init(floor: span(2.1), ceiling: span(3))
        },
        rule("short", ".patience: has no silence between its floor and its ceiling to start from") {
            $0.patience = .init(floor: span(1), ceiling: span(1.9))
        },
        rule("short", ".patience: has no silence between its floor and its ceiling to start from") {
            $0.patience = .init(ceiling: span(1.9))
        },
        rule("talk", ".patience: has no silence between its floor and its ceiling to start from") {
            $0.silence = nil
            $0.patience = .init(ceiling: span(4))
        },
        rule("short", ".repeats.refusal: names the unknown line \"no\"") { $0.repeats!.refusal = "no" },
        rule("short", ".interruption.say: names the unknown line \"no\"") { $0.interruption!.say = "no" },
        rule("short", ".whenSilent[0].say: names the unknown line \"no\"") { $0.whenSilent![0].say = "no" },
        rule("talk", ".whenPausing[0].say: names the unknown line \"no\"") { $0.whenPausing![0].say = "no" },
        rule("short", ".whenSilent[1].after: is not above 0") { $0.whenSilent![1].after = span(0) },
        rule("short", ".whenSilent[0]: prompts but says no line") { $0.whenSilent![0].say = nil },
        rule("short", ".whenSilent[1]: has a line but does not prompt") { $0.whenSilent![1].say = "more" },
        rule("talk", ".whenPausing[0]: moves on in a pause; silence and minimum say when an answer is over") {
            $0.whenPausing = [.init(after: span(7), do: .moveOn)]
        },
        rule("short", ": could wait for a silent candidate for ever: end whenSilent with moveOn") {
            $0.whenSilent!.removeLast()
        },
        rule("open", ": could wait for a silent candidate for ever: end whenSilent with moveOn") {
            $0.whenSilent = nil
        },
        rule("talk", ": could wait for a first word for ever: end whenSilent with moveOn") {
            $0.silence = nil
            $0.whenSilent!.removeLast()
        },
    ]

    static let inItems: [Self] = [
        item(0, ": must have exactly one of say, ask and section") { $0.ask = "name" },
        item(1, ": must have exactly one of say, ask and section") { $0.section = "topics" },
        item(0, ": must have exactly one of say, ask and section", ": names no rule") { $0.say = nil },
        item(0, ": says no line") { $0.say = [] },
        item(0, ": has rules, but nothing is answered") { $0.rules = ["short"] },
        item(0, ": names the unknown line \"no\"") { $0.say = ["hello", "no"] },
        item(1, ".ask: names the unknown line \"no\"") { $0.ask = "no" },
        item(2, ": names the unknown line \"no\"") { $0.opening = ["no"] },
        item(2, ".preparation.start: names the unknown line \"no\"") {
            $0.preparation = .init(length: span(60), notes: true, start: "no")
        },
        item(1, ": names no rule") { $0.rules = nil },
        item(2, ": names no rule") { $0.rules = [] },
        item(2, ": names the unknown rule \"no\"") { $0.rules = ["short", "no"] },
        item(2, ": asks for 0 frames") { $0.frames = 0 },
    ]

    static let inPapers: [Self] = [
        paper("version: is 0; this program reads version 1") { $0.version = 0 },
        .init(sentences: ["paper \"a/b\": id: \(ids)"]) { $0.paper.id = "a/b" },
        // The reference app skipped a missing part.
        paper("sections.topics: is missing; part 1 needs it") { $0.sections["topics"] = nil },
        paper("sections.card: is missing; part 2 needs it") { $0.sections["card"] = [] },
        paper("sections.topics: has 1 of the 2 frames that part 1 needs") { $0.sections["topics"]!.removeLast(2) },
        paper("sections.topics: frame \"sea\": has no questions") { $0.sections["topics"]![1].questions = [] },
        paper("sections.topics: frame \"home\": comes twice") { $0.sections["topics"]![2].id = "home" },
        paper("sections.topics: frame \"talk\": comes twice") { $0.sections["topics"]![2].id = "talk" },
        paper("sections.topics: frame \"a b\": \(ids)") { $0.sections["topics"]![2].id = "a b" },
        paper("sections.topics: frame \"sky\": is about \"home-1\", and no card has that id") {
            $0.sections["topics"]![2].about = "home-1"
        },
        paper("question \"home-1\": comes twice") { $0.sections["topics"]![2].questions[0].id = "home-1" },
        paper("question \"card\": comes twice") { $0.sections["topics"]![2].questions[0].id = "card" },
        paper("question \"q/1\": \(ids)") { $0.sections["topics"]![2].questions[0].id = "q/1" },
        paper("question \"\": \(ids)") { $0.sections["topics"]![2].questions[0].id = "" },
        paper("question \"hello\": has the name of a line of the format") {
            $0.sections["topics"]![2].questions[0].id = "hello"
        },
        paper("question \"sea-1\": has neither text nor audio") { $0.sections["topics"]![1].questions[0].text = "" },
        paper("question \"card\".card: has no topic") { $0.sections["card"]![0].questions[0].card!.topic = "" },
        paper("question \"card\".card: has nothing to explain") {
            $0.sections["card"]![0].questions[0].card!.explain = ""
        },
    ]

    static let inOptions: [Self] = [
        .init(sentences: ["time multiplier: 0.99 is not between 1 and 4"]) { $0.options.timeMultiplier = 0.99 },
        .init(sentences: ["time multiplier: 4.01 is not between 1 and 4"]) { $0.options.timeMultiplier = 4.01 },
        .init(sentences: ["time multiplier: nan is not between 1 and 4"]) { $0.options.timeMultiplier = .nan },
        .init(sentences: ["format \"small\": parts: has no part 3"]) { $0.options.part = 3 },
    ]

    static let twoOfOneName: [Self] = [
        format("parts: \"name\" is said or asked twice") {
            $0.parts[1].items.insert(.init(ask: "name", rules: ["short"]), at: 0)
        },
        format(
            "parts: \"home-1\" is said or asked twice", "parts: \"home-2\" is said or asked twice",
            "parts: \"sea-1\" is said or asked twice", "parts: \"sea-2\" is said or asked twice"
        ) {
            $0.parts[1].items.insert(.init(section: "topics", rules: ["short"]), at: 0)
        },
        paper("\"home.lead\" names two different prompts") { $0.sections["topics"]![1].questions[0].id = "home.lead" },
        paper("\"home-1.why\" names two different prompts") {
            $0.sections["topics"]![1].questions[0].id = "home-1.why"
        },
    ]

    static let forgivable: [Self] = [
        paper("question \"sea-1\": has no text; a deaf or distracted candidate sees nothing") {
            $0.sections["topics"]![1].questions[0].text = ""
            $0.sections["topics"]![1].questions[0].audio = "sea-1.opus"
        },
        paper("question \"card\".card: has 2 points; a card has 3 or 4") {
            $0.sections["card"]![0].questions[0].card!.points.removeLast()
        },
        paper("question \"card\".card: has 5 points; a card has 3 or 4") {
            $0.sections["card"]![0].questions[0].card!.points += ["how", "who with"]
        },
    ]
}
