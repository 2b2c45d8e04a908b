/// How far two people agree who marked the same exams without seeing each other's marks.
public struct MarkerAgreement: Codable, Equatable, Sendable {
    /// Exams that two people have marked.
    public var exams: Int
    /// What there must be before figures are told.
    public var needed: Int
    /// How far the two lie apart, in bands, on average; nil where there are too few exams.
    public var meanDifference: Double?
    /// By how many bands whose name comes first in the alphabet marks higher, on average: tells something where the two are the same in all
    /// exams.
    public var meanLead: Double?
    /// Cohen's kappa over half bands with quadratic weights (Cohen 1968): 1 is full agreement, 0 what chance gives; nil where there are too
    /// few exams, or all marks are the same one.
    public var kappa: Double?

    /// - Parameters:
    ///   - sheets: of each exam; the two who marked it first count.
    ///   - needed: 20 by the built-in rules: fewer say little.
    public static func make(
        of sheets: [[MarkSheet]], on criterion: Criterion, needed: Int = ResultRules.ielts.leastExamsForAgreement
    ) -> MarkerAgreement {
        make(of: sheets.compactMap { pair(of: $0, on: criterion) }, needed: needed)
    }

    /// How far one marker agrees with others: `meanLead` is by how many bands they mark higher.
    ///
    /// - Parameter pairs: of each exam their mark, and that of the other who marked it first.
    public static func make(
        of pairs: [(first: Double, second: Double)], needed: Int = ResultRules.ielts.leastExamsForAgreement
    ) -> MarkerAgreement {
        var agreement = MarkerAgreement(exams: pairs.count, needed: needed)
        guard pairs.count >= max(needed, 1) else { return agreement }
        let count = Double(pairs.count)
        agreement.meanDifference = pairs.reduce(0) { $0 + abs($1.first - $1.second) } / count
        agreement.meanLead = pairs.reduce(0) { $0 + $1.first - $1.second } / count
        agreement.kappa = kappa(pairs)
        return agreement
    }

    private typealias Pair = (first: Double, second: Double)

    private static func pair(of sheets: [MarkSheet], on criterion: Criterion) -> Pair? {
        let marked = sheets.filter { $0.bands[criterion] != nil }.sorted {
            ($0.markedAt, $0.marker) < ($1.markedAt, $1.marker)
        }
        guard marked.count >= 2 else { return nil }
        let two = marked.prefix(2).sorted { $0.marker < $1.marker }.compactMap { $0.bands[criterion] }
        return (two[0], two[1])
    }

    /// 1 − Σ of squared differences ÷ the Σ that is expected of two who mark as often high and low, but independently.
    private static func kappa(_ pairs: [Pair]) -> Double? {
        let observed = pairs.reduce(0) { $0 + square($1.first - $1.second) } * Double(pairs.count)
        let expected = pairs.reduce(0) { sum, a in sum + pairs.reduce(0) { $0 + square(a.first - $1.second) } }
        return expected > 0 ? 1 - observed / expected : nil
    }

    private static func square(_ difference: Double) -> Double { difference * difference }

    private init(exams: Int, needed: Int) {
        self.exams = exams
        self.needed = needed
    }
}
