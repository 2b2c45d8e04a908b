import ExamCore
import Papers
import Reports
import SystemSupport
import Testing
import XMLFiles

@testable import Learning

/// Tests that exported questions are the same when they are imported, in each format that is written and read.
@Suite struct RoundTripTests {
    /// One question of each kind, with all fields.
    static let kinds: [PracticeQuestion] = [
        SampleQuestions.honey.with { $0.writtenBy = "llama3.1:8b [q4]" },
        SampleQuestions.honey.with {
            $0.id = "hand-1"
            $0.topic = "two sides"
            $0.bloom = nil
            $0.prompt = "I love tea. On the other ___, coffee wakes me up."
            $0.key = .fillInTheBlank(.init(accepted: ["hand", "side", "5*3"]))
        },
        SampleQuestions.honey.with {
            $0.id = "rate-1"
            $0.prompt = "You said 165 words in a minute and a half. How many is that a minute?"
            $0.key = .calculation(.init(value: 110, tolerance: 0.5, units: ["words", "wpm", "a|b]"]))
        },
        SampleQuestions.honey.with {
            $0.id = "rate-2"
            $0.difficulty = .hard
            $0.key = .calculation(.init(value: -0.25))
        },
        SampleQuestions.honey.with {
            $0.id = "sweet-1"
            $0.key = .multipleResponse(.init(options: ["Honey", "Salt", "Sugar", "Syrup"], correct: [0, 2, 3]))
        },
        SampleQuestions.honey.with {
            $0.id = "sweet-2"
            $0.key = .multipleResponse(.init(options: ["Honey", "Salt"], correct: [0]))
        },
        SampleQuestions.honey.with {
            $0.id = "steps-1"
            $0.key = .ordering(.init(options: ["Fill a pot", "Boil the water", "Add the tea"], correct: [0, 1, 2]))
        },
        SampleQuestions.honey.with {
            $0.id = "pairs-1"
            $0.key = .matching(
                .init(pairs: [("cut", "a knife"), ("stir", "a spoon"), ("eat", "a spoon")], others: ["a plate"]))
        },
        SampleQuestions.honey.with {
            $0.id = "talk-1"
            $0.key = .spoken(.init(speech: 30))
        },
    ]

    /// The special characters of every format, in positions in which they could take effect.
    static let nastyTexts = [
        "a ~ b = c # d { e } f : g \\ h", "\\n is no line break, \\\\ no backslash", "one\ttwo", "one\ntwo\n\nthree",
        "\"quoted\", and; so 'on'", "\"", "[html]<b>bold</b> & &amp; <i>", "%50%half %", "=TRUE", "~%100%x",
        "//no comment",
        "::title::", "#### feedback", "$CATEGORY: x", "ANSWER: B", "A. first",
        "日本語 – naïve café \u{1F469}\u{200D}\u{1F680}",
        ",\u{301} =\u{338} \"\u{301}", "3 < 5 > 2", "a|b\\|c\\", "{#3:0.5}", "->", "[id:7] ]", "1", "option_1",
        "#separator:tab",
    ]

    static let nasty: [PracticeQuestion] = nastyTexts.enumerated().map { number, text in
        let others = nastyTexts.indices.dropFirst(number + 1).prefix(4).map { nastyTexts[$0] }
        return SampleQuestions.honey.with {
            $0.id = "nasty-\(number)"
            $0.prompt = text
            $0.explanation = String(text.reversed())
            $0.key = key(number, text, others)
        }
    }

    private static func key(_ number: Int, _ text: String, _ others: [String]) -> AnswerKey {
        let options = [text] + others + ["last"]
        switch others.count < 2 ? 0 : number % 6 {
        case 1, 5: return .fillInTheBlank(.init(accepted: [text] + others))
        case 2: return .multipleResponse(.init(options: options, correct: [0, options.count - 1]))
        case 3: return .ordering(.init(options: options, correct: Array(options.indices)))
        case 4: return .matching(.init(pairs: [(text, others[0]), (others[1], "last")], others: [text]))
        default: return .multipleChoice(.init(options: options, correct: number % 3 == 0 ? 1 : 0))
        }
    }

    static let all = SampleQuestions.bank + kinds + nasty

    private func questions(_ read: [ReadQuestion], _ mistakes: [ImportMistake]) -> [PracticeQuestion] {
        #expect(mistakes == [])
        return read.compactMap { $0.question() }
    }

    private func expectSame(_ read: [PracticeQuestion], _ written: [PracticeQuestion]) {
        #expect(read.count == written.count)
        for (one, other) in zip(read, written) { #expect(one == other) }
    }

    @Test func asAPack() {
        let reader = PackReader(
            JSONFile.encode(QuestionPack(id: "p", title: "P", questions: Self.all, highestNumber: 7)))
        expectSame(questions(reader.questions, reader.mistakes), Self.all)
        #expect(reader.pack == QuestionPack(id: "p", title: "P", questions: [], highestNumber: 7))
    }

    @Test(arguments: ["\n", "\r\n"]) func asATable(_ lineEnd: String) {
        let text = CSVText.text(PackTable.rows(of: Self.all))
        // A spreadsheet may use its own line ends between rows. Line breaks within a cell stay.
        let reader = PackTableReader(
            Array((lineEnd == "\n" ? text : text.replacing("\nnasty", with: "\r\nnasty")).utf8))
        expectSame(questions(reader.questions, reader.mistakes), Self.all)
    }

    @Test func asGIFT() {
        let held = Self.all.filter(GIFTText.holds)
        #expect(Self.all.count - held.count == 2 + Self.nasty.count { !GIFTText.holds($0) } && held.count > 100)
        let reader = GIFTReader(GIFTText.text(of: QuestionPack(id: "p/q", title: "P\nQ", questions: Self.all)))
        expectSame(questions(reader.questions, reader.mistakes), held)
    }

    /// In XML, several spaces count as one.
    @Test func asItemsOfQTI() throws {
        let held = Self.all.filter { if case .spoken = $0.key { false } else { true } }
        for question in held {
            let text = try #require(QTIItem.text(of: question))
            let read = try QTIReader.question(XMLReader.read(Array(text.utf8)))
            #expect(read.question() == question.withSingleSpaces)
        }
        #expect(Self.all.count { QTIItem.text(of: $0) == nil } == 1)
    }

    @Test func asMoodleXML() throws {
        let held = Self.all.filter(MoodleXMLText.holds)
        #expect(Self.all.count - held.count == 1)
        let text = MoodleXMLText.text(of: QuestionPack(id: "p/q", title: "P", questions: Self.all))
        #expect(PackFormat.of(Array(text.utf8), name: "x.xml") == .moodle)
        let reader = MoodleReader(try XMLReader.read(Array(text.utf8)))
        #expect(reader.mistakes == [])
        expectSame(questions(reader.questions, reader.unread.mistakes()), held.map(\.withSingleSpaces))
    }

    @Test func controlCharactersAreNotXML() throws {
        let odd = SampleQuestions.honey.with { $0.prompt = "a\u{0}\u{8}b?" }
        let read = try QTIReader.question(XMLReader.read(Array(#require(QTIItem.text(of: odd)).utf8)))
        #expect(read.prompt == "ab?")
    }

    /// Imports whole files, including the rules and the ids that stay.
    @Test(arguments: [PackFormat.json, .csv, .gift]) func theBankIsImportedAsItIs(_ format: PackFormat) throws {
        let bank = QuestionPack.builtIn[0]
        let bytes =
            switch format {
            case .json: JSONFile.encode(bank)
            case .csv: Array(CSVText.text(PackTable.rows(of: bank.questions)).utf8)
            default: Array(GIFTText.text(of: bank).utf8)
            }
        #expect(PackFormat.of(bytes, name: "x") == format)
        let new = try PackImport(
            [QuestionFile(bytes, format, name: "x")], id: bank.id, title: bank.title, previous: bank)
        #expect(new.pack == bank && new.keptCount == bank.questions.count && new.goneCount == 0)
    }
}

extension PracticeQuestion {
    fileprivate var withSingleSpaces: PracticeQuestion {
        func plain(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        return with {
            $0.prompt = plain(prompt)
            $0.explanation = plain(explanation)
            $0.key = key.mapTexts(plain)
        }
    }
}
