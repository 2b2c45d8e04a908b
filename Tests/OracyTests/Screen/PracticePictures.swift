import ExamCore
import Learning
import Testing

@testable import oracy

/// The screens of a drill and a test, as pictures of 60 × 16.
@Suite struct PracticePictures {
    private let question = PracticeQuestion(
        id: "tooth", topic: "food", difficulty: .easy,
        prompt: "My brother has a sweet ___, so he can't walk past a bakery.",
        key: .multipleChoice(.init(options: ["nose", "ear", "tooth", "throat", "finger"], correct: 2)),
        explanation: "To have a sweet tooth is to like sugary things.")
    private let gap = PracticeQuestion(
        id: "gap", topic: "food", difficulty: .easy, prompt: "The opposite of sweet: ___",
        key: .fillInTheBlank(.init(accepted: ["savoury"])), explanation: "Savoury food is salty or spicy.")

    @Test func aDrillAsksAndSaysAtOnceWhetherThatWasRight() {
        var desk = DrillDesk()
        desk.ask(question, "0 of 4 done · Spoken English · new")
        sees(
            desk,
            """
              0 of 4 done · Spoken English · new

              My brother has a sweet ___, so he can't walk past a
              bakery.
                a  nose
                b  ear
                c  tooth
                d  throat
                e  finger






              a to e answers · Esc leaves
            """)
        #expect(desk.press(.text("z")) == nil)
        #expect(desk.press(.text("b")) == .answer(.multipleChoice(selectedOption: 1)))
        desk.explain(.wrong, question)
        sees(
            desk,
            """
              0 of 4 done · Spoken English · new

              My brother has a sweet ___, so he can't walk past a
              bakery.
                a  nose
              * b  ear
                c  tooth
                d  throat
                e  finger

              Not right.
              It is: c tooth
              To have a sweet tooth is to like sugary things.


              Enter continues · Esc leaves
            """)
        #expect(desk.press(.enter) == .next)
    }

    @Test func typedTextStandsBelowTheQuestion() {
        var desk = DrillDesk()
        desk.ask(gap, "1 of 4 done · Food · due")
        for letter in "savory" { #expect(desk.press(.text(letter)) == nil) }
        sees(
            desk,
            """
              1 of 4 done · Food · due

              The opposite of sweet: ___

              > savory










              Enter answers · Esc leaves
            """)
        #expect(desk.press(.enter) == .answer(.fillInTheBlank(textAnswer: "savory")))
    }

    @Test func aTestShowsWhatWasChosenAndAsksBeforeItIsHandedIn() {
        var desk = TestDesk(question.asked, "2 of 3 · 2 answered · yours: c", .multipleChoice(selectedOption: 2))
        sees(
            desk,
            """
              2 of 3 · 2 answered · yours: c

              My brother has a sweet ___, so he can't walk past a
              bakery.
                a  nose
                b  ear
              * c  tooth
                d  throat
                e  finger






              Enter next · Ctrl-P previous · Ctrl-S hand in · Esc leave
            """)
        #expect(desk.press(.control("s")) == .ask)
        desk.warning = "You cannot change your answers afterwards."
        sees(
            desk,
            """
              2 of 3 · 2 answered · yours: c

              My brother has a sweet ___, so he can't walk past a
              bakery.
                a  nose
                b  ear
              * c  tooth
                d  throat
                e  finger





              You cannot change your answers afterwards. Hand it in?
              Press y, or any other key to go back.
            """)
        #expect(desk.press(.text("n")) == nil && desk.warning == nil)
    }

    private func sees(
        _ desk: some ScreenContent, _ picture: String, _ at: SourceLocation = #_sourceLocation
    ) {
        let shown = desk.frame(width: 60, height: 16, glyphs: .unicode).lines.map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
        let wanted = picture.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(shown.joined(separator: "\n") == wanted.joined(separator: "\n"), sourceLocation: at)
    }
}
