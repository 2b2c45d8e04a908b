package import SystemSupport

/// A dictionary of pronunciations as numbers of phones, by words in lower case.
package struct Pronunciations: Sendable {
    private var phones: [String: [UInt8]] = [:]

    /// The numbers of libhama's phones, by the names that CMUdict uses.
    private static let numbers: [Substring: UInt8] = [
        "IY": 20, "IH": 101, "EH": 91, "AE": 66, "AA": 80, "AO": 83, "OW": 34, "UH": 123, "UW": 48, "ER": 93, "EY": 16,
        "AY": 8, "AW": 9, "OY": 84, "B": 10, "D": 12, "G": 18, "K": 27, "P": 35, "T": 41, "CH": 47, "JH": 13, "F": 17,
        "V": 49, "TH": 173, "DH": 69, "S": 39, "Z": 57, "SH": 120, "ZH": 130, "HH": 19, "M": 31, "N": 32, "NG": 75,
        "L": 30, "R": 113, "W": 50, "Y": 21,
    ]
    /// The numbers of the vowels in "but" and in "a".
    private static let (stressed, weak): (UInt8, UInt8) = (125, 89)

    /// Reads a dictionary in the format of CMUdict: `hello HH AH0 L OW1`. Lines that it doesn't understand are left
    /// out, and if a word has several pronunciations, the first one counts.
    ///
    /// - Throws: `Problem.missing`.
    package init(file path: String) throws(Problem) { self.init(text: try PrivateFile.read(path)) }

    /// Reads the bytes of a dictionary.
    package init(text bytes: [UInt8]) {
        phones.reserveCapacity(130_000)
        for line in bytes.split(separator: 10) {
            let fields = line.split(separator: UInt8(ascii: " ")).prefix { $0.first != UInt8(ascii: "#") }
            guard fields.count > 1 else { continue }
            let word = String(decoding: fields[0], as: UTF8.self)
            let read = fields.dropFirst().compactMap { Self.number(of: String(decoding: $0, as: UTF8.self)) }
            if read.count == fields.count - 1, phones[word] == nil { phones[word] = read }
        }
    }

    /// Returns the phones of a written word: `Hello,`, `don't`, `42`, `well-known`. Empty if they are unknown.
    package func phones(of word: String) -> [Int] {
        let bare = word.lowercased().replacing("’", with: "'").filter {
            $0.isLetter || $0.isNumber || "'-".contains($0)
        }
        if let known = known(bare.trimming("'-")) { return known }
        let parts = bare.split { !$0.isLetter && !$0.isNumber && $0 != "'" }.flatMap { part in
            part.allSatisfy(\.isNumber) ? SpokenNumber.words(String(part)) : [String(part)]
        }
        let found = parts.map { known($0.trimming("'-")) }
        return found.contains { $0 == nil } ? [] : found.flatMap { $0 ?? [] }
    }

    private func known(_ word: String) -> [Int]? {
        if let phones = phones[word] { return phones.map(Int.init) }
        // A possessive or a plural that the dictionary leaves out.
        for (ending, phone) in [("'s", UInt8(57)), ("s", 57), ("'d", 12), ("'ll", 30)] where word.hasSuffix(ending) {
            if let stem = phones[String(word.dropLast(ending.count))] { return stem.map(Int.init) + [Int(phone)] }
        }
        return nil
    }

    /// Returns the number of `AH0`, `IY1`.
    private static func number(of name: String) -> UInt8? {
        let bare = name.prefix { !$0.isNumber }
        if bare == "AH" { return name.hasSuffix("1") || name.hasSuffix("2") ? stressed : weak }
        return numbers[bare]
    }
}

extension String {
    /// Returns the text without these characters at both ends.
    fileprivate func trimming(_ characters: String) -> String {
        var text = self[...]
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return String(text)
    }
}
