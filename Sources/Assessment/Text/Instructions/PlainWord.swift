/// A word without disguise: in lower case, without accents and invisible characters, and with Latin letters for
/// look-alike ones. In Chinese, one character.
struct PlainWord: Equatable {
    var text: String
    /// The word's range in Unicode scalars of its text.
    var place: Range<Int>
    /// Whether the sentence before it ended.
    var beginsSentence: Bool
    /// Whether the word was spelled letter by letter, or contained invisible characters.
    var isDisguised: Bool
    var isChinese: Bool

    static func words(of text: String) -> [PlainWord] {
        var words: [PlainWord] = []
        // The number of spaces before each word. A wider gap ends a spelled word.
        var gaps: [Int] = []
        var word = PlainWord(text: "", place: 0..<0, beginsSentence: true, isDisguised: false, isChinese: false)
        var (gap, isNewSentence, invisibleAt) = (0, true, -1)
        func isOpen() -> Bool { !word.text.isEmpty }
        func close() {
            guard isOpen() else { return }
            words.append(word)
            gaps.append(gap)
            word.text = ""
            (gap, isNewSentence) = (0, false)
        }
        for (number, scalar) in text.unicodeScalars.enumerated() {
            if scalar.properties.isDefaultIgnorableCodePoint {
                if isOpen() { invisibleAt = word.text.unicodeScalars.count }
                continue
            }
            if isHan(scalar) {
                close()
                word = PlainWord(
                    text: String(scalar), place: number..<number + 1, beginsSentence: isNewSentence, isDisguised: false,
                    isChinese: true)
                close()
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                if !isOpen() {
                    word = PlainWord(
                        text: "", place: number..<number + 1, beginsSentence: isNewSentence, isDisguised: false,
                        isChinese: false)
                    invisibleAt = -1
                }
                if invisibleAt > 0 { word.isDisguised = true }
                word.text += plain(scalar)
                word.place = word.place.lowerBound..<number + 1
            } else if !isAccent(scalar) {
                close()
                gap += 1
                if ends.contains(scalar) { isNewSentence = true }
            }
        }
        close()
        return spelledTogether(words, gaps)
    }

    private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "\n", "…", "。", "！", "？", "；", ";"]

    private static func isHan(_ scalar: Unicode.Scalar) -> Bool { (0x4E00...0x9FFF).contains(scalar.value) }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool { (0x0300...0x036F).contains(scalar.value) }

    /// Joins spelled words: "n i n e" is one word. A wider gap ends it.
    private static func spelledTogether(_ words: [PlainWord], _ gaps: [Int]) -> [PlainWord] {
        func isLetter(_ word: PlainWord) -> Bool { word.text.count == 1 && !word.isChinese }
        var joined: [PlainWord] = []
        var number = 0
        while number < words.count {
            var end = number + 1
            if isLetter(words[number]) {
                while end < words.count, isLetter(words[end]), gaps[end] == gaps[min(number + 1, end)],
                    !words[end].beginsSentence || gaps[end] == 1
                { end += 1 }
            }
            guard end - number >= 3 else {
                joined.append(words[number])
                number += 1
                continue
            }
            var word = words[number]
            word.text = words[number..<end].map(\.text).joined()
            word.place = word.place.lowerBound..<words[end - 1].place.upperBound
            word.isDisguised = true
            joined.append(word)
            number = end
        }
        return joined
    }

    private static func plain(_ scalar: Unicode.Scalar) -> String {
        // Full-width forms.
        if (0xFF01...0xFF5E).contains(scalar.value), let ascii = Unicode.Scalar(scalar.value - 0xFEE0) {
            return ascii.properties.lowercaseMapping
        }
        return scalar.properties.lowercaseMapping.unicodeScalars.map { letters[$0] ?? String($0) }.joined()
    }

    /// The plain forms of accented letters of the five languages, and of letters in other alphabets that look like
    /// Latin ones (Unicode TR 39, confusables).
    private static let letters: [Unicode.Scalar: String] = {
        var letters: [Unicode.Scalar: String] = ["ß": "ss", "œ": "oe", "æ": "ae"]
        let alike: [(String, String)] = [
            ("a", "àáâãäåаα"), ("c", "çс"), ("e", "èéêëеε"), ("i", "ìíîïіι"), ("n", "ñ"), ("o", "òóôõöоο"), ("p", "рρ"),
            ("u", "ùúûüυ"), ("x", "х"), ("y", "ýÿу"), ("k", "кκ"), ("t", "тτ"), ("m", "м"), ("h", "н"), ("b", "в"),
            ("s", "ѕ"),
            ("v", "ν"),
        ]
        for (latin, others) in alike { for other in others.unicodeScalars { letters[other] = latin } }
        return letters
    }()
}
