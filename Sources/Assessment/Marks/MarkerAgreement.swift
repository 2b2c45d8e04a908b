/// The agreement of two people who marked the same exams independently.
public struct MarkerAgreement: Codable, Equatable, Sendable {
    /// The number of exams that two people have marked.
    public var exams: Int
    /// The number of exams required to report agreement.
    public var needed: Int
    /// The mean absolute difference in bands. Nil if there are too few exams.
    public var meanDifference: Double?
    /// The number of bands by which the first marker in alphabetical order marks higher, on average. Meaningful only if
    /// the same two people marked all exams.
    public var meanLead: Double?
    /// Cohen's kappa over half bands with quadratic weights (Cohen 1968): 1 is full agreement, and 0 is chance. Nil if
    /// there are too few exams, or if all marks are equal.
    public var kappa: Double?

    /// Computes the agreement of the first two markers of each exam.
    ///
    /// - Parameters:
    ///   - sheets: the sheets of each exam.
    ///   - needed: the number of exams required. The built-in rules use 20, because fewer say little.
    public static func make(
        of sheets: [[MarkSheet]], on criterion: Criterion, needed: Int = ResultRules.ielts.leastExamsForAgreement
    ) -> MarkerAgreement {
        make(of: sheets.compactMap { pair(of: $0, on: criterion) }, needed: needed)
    }

    /// Computes one marker's agreement with others. `meanLead` is the number of bands by which this marker marks
    /// higher.
    ///
    /// - Parameter pairs: for each exam, this marker's mark and that of the first other marker.
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

    /// Returns 1 − Σ of squared differences ÷ the Σ expected of two independent markers with the same distributions of
    /// marks.
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
