import Testing

@testable import ExamCore

/// Tests of learners who choose a card, a part or a single question. Everything that belongs to it is included.
@Suite struct ChosenQuestions {
    private static let seeds: [UInt64?] = [nil] + (0..<12 as Range<UInt64>).map { $0 }

    // MARK: - The card

    @Test(arguments: seeds, ["bridge", "tower", "lake"])
    func theChosenCardIsAskedAndTheDiscussionFollowsIt(_ seed: UInt64?, _ card: String) throws {
        #expect(try ids(.init(seed: seed, card: card)).suffix(3) == [card, "\(card)-more", "\(card)-why"])
    }

    @Test(arguments: seeds, ["bridge", "tower", "lake"])
    func aDiscussionAloneFollowsTheChosenCard(_ seed: UInt64?, _ card: String) throws {
        #expect(try ids(.init(part: 3, seed: seed, card: card)) == ["\(card)-why"])
    }

    @Test func withoutAChoiceItIsThePapersFirst() throws {
        #expect(try ids(.init()).suffix(3) == ["bridge", "bridge-more", "bridge-why"])
        #expect(try ids(.init(part: 2)) == ["bridge", "bridge-more"])
        #expect(try ids(.init(part: 3)) == ["lake-why"], "the first discussion's")
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func theDiscussionFollowsTheCardThatTheSeedChose(_ seed: UInt64) throws {
        let turns = try ids(.init(seed: seed)).suffix(3)
        let card = try #require(turns.first)
        #expect(Array(turns) == [card, "\(card)-more", "\(card)-why"])
    }

    @Test func theCardDoesNotChangeWhatElseTheSeedChooses() throws {
        for seed in Self.seeds {
            #expect(try ids(.init(seed: seed, card: "lake")).first == ids(.init(seed: seed)).first)
        }
    }

    @Test(arguments: [nil, 2, 3], seeds)
    func anUnknownCardIsRefusedWithTheKnownOnes(_ part: Int?, _ seed: UInt64?) {
        let (script, validation) = assembled(.init(part: part, seed: seed, card: "river"))
        #expect(script == nil)
        let known = "bridge, lake or tower"
        #expect(validation.errors == ["card: paper \"little\" has \(known), and this part of it no card \"river\""])
    }

    @Test func aCardIsRefusedIfTheExamHasNone() {
        let (script, validation) = assembled(.init(part: 1, card: "lake"))
        #expect(script == nil)
        #expect(validation.errors.count == 1)
    }

    @Test func aPaperWithoutCardsSaysSo() {
        var materials = Self.materials
        materials.format.parts.removeLast(2)
        materials.paper.sections = materials.paper.sections.filter { $0.key == "topics" }
        materials.options.card = "lake"
        #expect(
            materials.assembled.validation.errors == [
                "card: paper \"little\" has no card, and this part of it no card \"lake\""
            ]
        )
    }

    // MARK: - One question

    @Test func onlyTheQuestionIsAsked() throws {
        let script = try script(.init(question: "home-2"))
        #expect(script.turns.map(\.id) == ["home-2"])
        var exam = Transcript(script)
        #expect(exam.at(0, .begin).map(\.command) == [.play(Clip(id: "home-2", text: "What is your home like?"))])
        #expect(exam.at(3, .promptEnded("home-2")).map(\.command) == [.openTake(take)])
        _ = exam.speech(from: 4, to: 6)
        #expect(exam.at(9).map(\.command) == [.closeTake(take, .finished(nil))])
        #expect(exam.exam.phase == .processing(.completed))
    }

    @Test func theQuestionIsShownWithItsOwnPartAndOrder() throws {
        var exam = try Transcript(script(.init(card: "lake", question: "lake-why")))
        _ = exam.at(0, .begin)
        let view = exam.exam.view(at: .zero)
        #expect(view.part == 3)
        #expect(view.questionOrder == 1)
    }

    @Test func aTalkComesWithItsCardAndItsPreparation() throws {
        let script = try script(.init(card: "tower", question: "tower"))
        #expect(script.turns.map(\.id) == ["tower"])
        #expect(script.turns[0].card?.topic == "The tower")
        #expect(script.turns[0].preparation?.length == .seconds(60))
        #expect(script.turns[0].preparation?.start?.id == "start")
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("tower"))
        #expect(exam.exam.view(at: seconds(5)).card?.topic == "The tower")
        #expect(exam.at(65).last?.command == .play(Clip(id: "start", text: "Words of start.")))
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func withASeedAnyQuestionOfThatSittingIsAskedAlone(_ seed: UInt64) throws {
        let all = try script(.init(seed: seed))
        for turn in all.turns where turn.answer != nil {
            #expect(try script(.init(seed: seed, question: turn.id)).turns == [turn])
        }
    }

    @Test func anUnknownQuestionIsRefused() {
        let (script, validation) = assembled(.init(question: "home-9"))
        #expect(script == nil)
        #expect(validation.errors == ["question: the exam has no question \"home-9\""])
    }

    @Test func linesWithoutAnAnswerAreNotQuestions() {
        #expect(
            assembled(.init(question: "hello")).validation.errors == ["question: the exam has no question \"hello\""])
    }

    @Test func aQuestionOfAnotherPartIsRefused() {
        #expect(assembled(.init(part: 3, question: "home-1")).script == nil)
    }

    @Test func anUnknownCardAndAnUnknownQuestionAreBothNamed() {
        #expect(assembled(.init(card: "river", question: "home-9")).validation.errors.count == 2)
    }

    // MARK: - Materials

    /// Three cards, each with a question to round off and a discussion.
    private static var materials: Materials {
        var materials = Materials()
        let cards = ["bridge", "tower", "lake"]
        func frames(_ suffix: String) -> [Paper.Frame] {
            cards.map { card in
                let question = Paper.Question(id: "\(card)-\(suffix)", text: "\(suffix)?")
                return .init(id: "\(card).\(suffix)", about: card, questions: [question])
            }
        }
        materials.paper.sections["card"] = cards.map { card in
            let words = Paper.Card(topic: "The \(card)", points: ["where", "what", "when"], explain: "and why")
            return .init(id: "\(card).talk", questions: [.init(id: card, text: "Describe a \(card).", card: words)])
        }
        materials.paper.sections["more"] = frames("more")
        materials.paper.sections["discussion"] = frames("why").reversed()
        materials.format.parts[1].items[0].frames = 1
        materials.format.parts[1].items[1] = .init(section: "more", frames: 1, rules: ["short"])
        materials.format.parts.append(
            .init(
                number: 3,
                title: "Discussion",
                items: [.init(section: "discussion", frames: 1, rules: ["open"])]
            )
        )
        return materials
    }

    private func assembled(_ options: ExamOptions) -> (script: ExamScript?, validation: Validation) {
        var materials = Self.materials
        materials.options = options
        return materials.assembled
    }

    private func script(_ options: ExamOptions) throws -> ExamScript {
        let (script, validation) = assembled(options)
        return try #require(script, "\(validation.errors)")
    }

    private func ids(_ options: ExamOptions) throws -> [String] {
        try script(options).turns.map(\.id)
    }
}
