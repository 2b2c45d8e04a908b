import ExamCore
import Papers
import SystemSupport
import Testing
import XMLFiles

@testable import Learning

/// Choices as items of QTI 3, out and in.
@Suite struct QTITests {
    private func read(
        _ text: String, _ defaults: QTIItem.Defaults = .init()
    ) throws(Problem) -> PracticeQuestion {
        try QTIItem.question(XMLReader.read(Array(text.utf8), name: "x.xml"), name: "x.xml", defaults: defaults)
    }

    private func sentence(_ text: String, _ defaults: QTIItem.Defaults = .init()) -> String {
        do throws(Problem) {
            _ = try read(text, defaults)
            return ""
        } catch { return error.sentence }
    }

    @Test func allThatComesWithOracyGoesRound() throws {
        for question in SampleQuestions.bank {
            #expect(try read(try #require(QTIItem.text(of: question))) == question)
        }
        let odd = SampleQuestions.honey.with { $0.prompt = "Is <b> & \"c\" bold, or 'd' > e?" }.with {
            $0.writtenBy = "m \"1\""
        }
        #expect(try read(try #require(QTIItem.text(of: odd))) == odd)
        #expect(QTIItem.text(of: odd.with { $0.key = .spoken(.init(speech: 3)) }) == nil)
    }

    /// As other programs write it: with prefixes, paragraphs around, emphasis, and no attributes of ours.
    private static let foreign = """
        <?xml version="1.0" encoding="UTF-8"?>
        <q:qti-assessment-item xmlns:q="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="Item_7" title="Tides" adaptive="false">
          <q:qti-response-declaration identifier="R1" cardinality="single" base-type="identifier">
            <q:qti-correct-response><q:qti-value>c2</q:qti-value></q:qti-correct-response>
          </q:qti-response-declaration>
          <q:qti-item-body>
            <p>Look at   the <em>sea</em>.</p>
            <q:qti-choice-interaction response-identifier="R1" max-choices="1" shuffle="true">
              <q:qti-prompt>What moves it?</q:qti-prompt>
              <q:qti-simple-choice identifier="c1"><p>The wind</p></q:qti-simple-choice>
              <q:qti-simple-choice identifier="c2">The <strong>moon</strong></q:qti-simple-choice>
            </q:qti-choice-interaction>
          </q:qti-item-body>
        </q:qti-assessment-item>
        """

    @Test func whatOthersWriteIsReadWithWhatItLacks() throws {
        #expect(sentence(Self.foreign) == "x.xml:8: nothing says how hard it is; --difficulty says it for all")
        #expect(
            sentence(Self.foreign, .init(difficulty: .easy)).hasPrefix("x.xml:6: nothing explains the right answer"))
        let question = try read(
            Self.foreign, .init(difficulty: .easy, explanation: "The moon pulls at the water of the sea."))
        #expect(question.id == "item-7" && question.topic == "tides" && question.bloom == nil)
        #expect(question.prompt == "Look at the sea. What moves it?")
        #expect(question.key == .multipleChoice(.init(options: ["The wind", "The moon"], correct: 1)))
    }

    @Test(arguments: [
        ("cardinality=\"single\"", "cardinality=\"multiple\"", "x.xml:8: more than one option may be right"),
        ("max-choices=\"1\"", "max-choices=\"0\"", "x.xml:8: more than one option may be right"),
        ("<q:qti-value>c2<", "<q:qti-value>c9<", "x.xml:3: <qti-correct-response> names none of the options"),
        ("<em>sea</em>", "<img src=\"sea.png\" alt=\"sea\"/>", "x.xml:7: <img> is not read here"),
        (
            "<em>sea</em>", "<q:qti-text-entry-interaction response-identifier=\"R2\"/>",
            "<qti-text-entry-interaction> is not read here"
        ),
        ("<p>The wind</p>", "<math><mi>x</mi></math>", "<math> is not read here"),
        ("q:qti-assessment-item ", "q:assessmentItem ", "is no XML (mismatched tag)"),
        (
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE x [<!ENTITY a \"b\">]>",
            "x.xml:1: has a document type"
        ),
        ("</q:qti-assessment-item>", "", "is no XML (no element found)"),
    ]) func whatIsNotReadIsRefusedByItsName(_ old: String, _ new: String, _ why: String) {
        let defaults = QTIItem.Defaults(difficulty: .easy, explanation: "The moon pulls at the water of the sea.")
        #expect(sentence(Self.foreign.replacing(old, with: new), defaults).contains(why), "\(new)")
    }

    @Test func otherFilesAreNoItems() {
        #expect(
            sentence("<manifest/>") == "x.xml:1: <manifest> is no item of QTI 3; it should be <qti-assessment-item>")
        #expect(sentence("").contains("is no XML") && sentence("\u{0}\u{1}").contains("is no XML"))
        let deep = String(repeating: "<a>", count: 5_000)
        #expect(sentence(deep) == "x.xml:1: has elements in elements, 100 deep")
        #expect(sentence("<qti-assessment-item/>") == "x.xml:1: it has no <qti-item-body>")
    }

    /// Whatever a file holds: it is read or refused, and what is read is a question that can be answered.
    @Test func mutatedFilesNeverTrap() {
        var chance = SplitMix64(seed: 3)
        let whole = Array(Self.foreign.utf8)
        let defaults = QTIItem.Defaults(difficulty: .easy, explanation: "The moon pulls at the water of the sea.")
        var read = 0
        for _ in 0..<5_000 {
            var bytes = whole
            for _ in 0...chance.below(4) { bytes[chance.below(bytes.count)] = UInt8(32 + chance.below(95)) }
            if chance.below(4) == 0 { bytes.removeLast(chance.below(bytes.count)) }
            guard let node = try? XMLReader.read(bytes, name: "x"),
                let question = try? QTIItem.question(node, name: "x", defaults: defaults)
            else { continue }
            read += 1
            guard case .multipleChoice(let key) = question.key else { continue }
            #expect(key.options.indices.contains(key.correct))
        }
        #expect(read > 100 && read < 4_000, "\(read)")
    }
}
