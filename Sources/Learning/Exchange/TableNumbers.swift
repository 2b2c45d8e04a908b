import Papers

/// The numbers of a table, as spreadsheets display them.
///
/// `1,500` means 1500 in some countries and 1.5 in others. Other numbers of the same table decide: `0,5` shows that its
/// commas are decimal, `2.5` that its points are. If no number decides, `1,500` is not understood.
struct TableNumbers {
    /// The meaning of a cell's digits.
    enum Reading: Equatable {
        case number(Double)
        /// Two numbers that are equally likely.
        case either(Double, Double)
        case none
    }

    private let isComma: Bool
    private let isPoint: Bool

    private let pointsMayGroup: Bool

    /// Looks for the decimal mark in these cells.
    ///
    /// - Parameter pointsMayGroup: whether a point alone may separate thousands. True for tables whose cells are
    ///   separated by semicolons: spreadsheets write them in countries with decimal commas.
    init(_ cells: some Sequence<String>, pointsMayGroup: Bool) {
        self.pointsMayGroup = pointsMayGroup
        var marks: Set<Character> = []
        for cell in cells { if let mark = Self.decimalMark(of: cell) { marks.insert(mark) } }
        (isComma, isPoint) = (marks == [","], marks == ["."])
    }

    /// Returns the number in a cell.
    func reading(of cell: String) -> Reading {
        // Spreadsheets group thousands with spaces in some countries, and with apostrophes in others.
        let digits = cell.filter { !$0.isWhitespace && $0 != "'" }
        let commas = digits.count { $0 == "," }
        let points = digits.count { $0 == "." }
        if commas == 0, points <= 1, !Self.mayGroup(digits, ".") || isPoint { return Self.number(digits) }
        if commas + points == 1 {
            let mark: Character = commas == 1 ? "," : "."
            let decimal = Self.number(digits.replacing(String(mark), with: "."))
            guard Self.mayGroup(digits, mark) else { return decimal }
            let whole = Self.number(digits.replacing(String(mark), with: ""))
            if mark == "," ? isComma : isPoint { return decimal }
            if mark == "," ? isPoint : isComma { return whole }
            guard case .number(let one) = whole, case .number(let other) = decimal else { return .none }
            return mark == "." && !pointsMayGroup ? decimal : .either(one, other)
        }
        return Self.grouped(digits)
    }

    /// Returns the mark that can only be decimal. Nil if the cell does not decide.
    private static func decimalMark(of cell: String) -> Character? {
        let digits = cell.filter { !$0.isWhitespace && $0 != "'" }
        let marks = digits.filter { $0 == "," || $0 == "." }
        guard let last = marks.last else { return nil }
        if Set(marks).count == 2 {
            // The mark of thousands comes first.
            guard case .number = grouped(digits) else { return nil }
            return last
        }
        if marks.count > 1 { return last == "," ? "." : "," }
        return mayGroup(digits, last) ? nil : last
    }

    /// Returns whether a mark may separate thousands: one to three digits before it, not 0 alone, and three after it.
    private static func mayGroup(_ digits: String, _ mark: Character) -> Bool {
        let parts = digits.drop { $0 == "-" || $0 == "+" }.split(separator: mark, omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count > 1, (1...3).contains(first.count), first != "0" else {
            return false
        }
        return parts.allSatisfy { $0.allSatisfy(\.isNumber) } && parts.dropFirst().allSatisfy { $0.count == 3 }
    }

    /// Returns the number with one mark for thousands, perhaps several times, and perhaps another one for decimals.
    private static func grouped(_ digits: String) -> Reading {
        guard let last = digits.last(where: { $0 == "," || $0 == "." }) else { return number(digits) }
        let other: Character = last == "," ? "." : ","
        if digits.contains(other) {
            let parts = digits.split(separator: last, omittingEmptySubsequences: false)
            guard parts.count == 2, mayGroup(String(parts[0]), other) else { return .none }
            return number(parts[0].replacing(String(other), with: "") + "." + parts[1])
        }
        return mayGroup(digits, last) ? number(digits.replacing(String(last), with: "")) : .none
    }

    private static func number(_ digits: String) -> Reading {
        Double(digits).flatMap { $0.isFinite ? .number($0) : nil } ?? .none
    }
}
