import ExamCore
import Papers
import Testing
import XMLFiles

@testable import Learning

/// Tests that any file gives questions, or mistakes with a line of the file, and never crashes.
@Suite struct ExchangeFuzzTests {
    private static let pack = QuestionPack(id: "p", title: "P", questions: Array(RoundTripTests.kinds.prefix(4)))
    private static let quiz =
        #"[{"question": "What cuts bread?", "options": ["A fork", "A knife"], "answerIndex": 1, "explanation": "It has an edge."}]"#
    private static let aiken = "What cuts bread?\nA. A fork\nB) A knife\nANSWER: B\n\nWho?\na. I\nb. You\nanswer: a\n"
    private static let gift =
        "$CATEGORY: a/b\n\n::t::[html]Who is {~%0%I#no =you#yes ####so\\n} here?\n\nHow many?{#3:0.5}\n\nIs it?{T#a#b}\n\n// [id:x\\]]\nOne?{=%100%a =b}"

    private static let small =
        #"{"version":1,"id":"p","title":"P","questions":[{"id":"a","topic":"t","difficulty":"Easy","prompt":"x","calculation":{"value":1,"units":["m"]},"explanation":"y"}]}"#
    private static let table =
        "topic,prompt,option_1,option_2,correct,accepted\nt,What?,\"a, \"\"b\"\"\",c,1,\nt,\"One\n___\",,,,d|e\\|\n"

    /// Small files of each format, so that random changes are likely to matter.
    private static let seeds: [(PackFormat, [String])] = [
        (.json, [small]), (.quiz, [quiz]), (.csv, [table]), (.gift, gift.split(separator: "\n\n").map(String.init)),
        (.aiken, [aiken]),
    ]

    /// Characters with a meaning in some format.
    private static let marks = Array("{}~=#:\\%\"',;|\n\r\t[]<>&/$.-A1 \u{FEFF}é".utf8)

    /// Returns the bytes with random insertions, deletions, changes and repetitions.
    static func mutated(_ whole: [UInt8], _ chance: inout SplitMix64) -> [UInt8] {
        var bytes = whole
        for _ in 0...chance.below(4) where !bytes.isEmpty {
            let place = chance.below(bytes.count)
            switch chance.below(5) {
            case 0: bytes[place] = marks[chance.below(marks.count)]
            case 1: bytes.insert(marks[chance.below(marks.count)], at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + chance.below(20)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + chance.below(30))], at: place)
            }
        }
        return bytes
    }

    @Test(arguments: seeds.indices) func everyFileGivesQuestionsOrMistakes(_ index: Int) {
        let (format, texts) = Self.seeds[index]
        let wholes = texts.map { Array($0.utf8) }
        var chance = SplitMix64(seed: 7)
        var (good, bad) = (0, 0)
        for number in 0..<20_000 {
            let bytes = Self.mutated(wholes[number % wholes.count], &chance)
            let file = QuestionFile(bytes, format, name: "x")
            #expect(!file.questions.isEmpty || !file.mistakes.isEmpty || !file.unread.isEmpty)
            #expect(file.unread.allSatisfy { !$0.mistakes.isEmpty })
            let mistakes = file.mistakes + file.unread.flatMap(\.mistakes)
            let lines = bytes.count { $0 == 10 || $0 == 13 } + 1
            let places = file.questions.map(\.line) + mistakes.map(\.line)
            if let wild = places.first(where: { !(1...lines).contains($0) }) {
                Issue.record("line \(wild) of \(lines)")
            }
            if mistakes.isEmpty { good += 1 } else { bad += 1 }
        }
        #expect(good > 100 && bad > 100, "\(format): \(good) good, \(bad) bad")
    }

    @Test func itemsOfQTI() {
        var chance = SplitMix64(seed: 8)
        let items = Self.pack.questions.compactMap { QTIItem.text(of: $0).map { Array($0.utf8) } }
        var (good, bad) = (0, 0)
        for number in 0..<20_000 {
            guard let node = try? XMLReader.read(Self.mutated(items[number % items.count], &chance)) else { continue }
            let file = QuestionFile(node, name: "x")
            #expect(file.questions.count + file.unread.count == 1 && file.mistakes.isEmpty)
            if file.unread.isEmpty { good += 1 } else { bad += 1 }
        }
        #expect(good > 500 && bad > 100, "\(good) good, \(bad) bad")
    }

    /// A question that was read is the same after it is written and read again.
    @Test func questionsAreUnchangedAfterWritingAndReading() {
        var chance = SplitMix64(seed: 9)
        var count = 0
        for _ in 0..<2_000 {
            for read in GIFTReader(String(decoding: Self.mutated(Array(Self.gift.utf8), &chance), as: UTF8.self))
                .questions
            {
                guard var question = read.question(.init(topic: "t", difficulty: .easy, explanation: "So.")),
                    GIFTText.holds(question)
                else { continue }
                question.id = "q"
                question.topic = "t"
                let again = GIFTReader(GIFTText.text(of: QuestionPack(id: "p", title: "P", questions: [question])))
                let others = again.questions.compactMap { $0.question() }
                if others != [question] { Issue.record("\(question)\n\(others) \(again.mistakes)") }
                count += 1
            }
        }
        #expect(count > 2_000)
    }
}
