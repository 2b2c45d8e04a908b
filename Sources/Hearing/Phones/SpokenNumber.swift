/// Numbers as they are read aloud.
enum SpokenNumber {
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

    /// Returns the words of a number: `42` as forty two, `1994` as nineteen ninety four, `2005` as two thousand five.
    /// Longer numbers are read digit by digit.
    ///
    /// - Parameter digits: ASCII digits. Other digits have no words.
    static func words(_ digits: String) -> [String] {
        guard let number = Int(digits), number >= 0 else { return [] }
        let isPlain = digits.first != "0" || digits.count == 1
        switch number {
        case 0..<100 where isPlain: return belowHundred(number)
        case 100..<1000 where isPlain:
            return [small[number / 100], "hundred"] + (number % 100 == 0 ? [] : ["and"] + belowHundred(number % 100))
        case 1100..<2000, 2010..<2100:
            let rest = number % 100
            return belowHundred(number / 100)
                + (rest == 0 ? ["hundred"] : rest < 10 ? ["oh", small[rest]] : belowHundred(rest))
        case 1000..<1100, 2000..<2010:
            return [small[number / 1000], "thousand"] + (number % 1000 == 0 ? [] : belowHundred(number % 100))
        default: return digits.compactMap(\.wholeNumberValue).map { small[$0] }
        }
    }

    private static func belowHundred(_ number: Int) -> [String] {
        number < 20 ? [small[number]] : [tens[number / 10]] + (number % 10 == 0 ? [] : [small[number % 10]])
    }
}
