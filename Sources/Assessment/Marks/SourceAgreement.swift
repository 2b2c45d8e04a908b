/// The agreement of a machine's marks of a trait with people's marks of the same exams.
public struct SourceAgreement: Codable, Equatable, Sendable {
    /// A machine's mark of an exam and people's mark, in bands.
    public struct Pair: Equatable, Sendable {
        public var trait: MarkedTrait
        /// The machine.
        public var source: String
        /// The mark that counts among people's.
        public var people: Double
        public var machine: Double

        public init(trait: MarkedTrait, source: String, people: Double, machine: Double) {
            self.trait = trait
            self.source = source
            self.people = people
            self.machine = machine
        }

        /// Returns the pairs of one exam. Empty if only people or only machines marked it.
        public static func all(
            sheets: [MarkSheet], findings: [CriterionEvidence], answers: [SpokenAnswer], rules: ResultRules
        ) -> [Pair] {
            let people = sheets.sorted { ($0.markedAt, $0.marker) < ($1.markedAt, $1.marker) }
            // Marks far from the delivery are compared, too: otherwise machines would look better than they are.
            let making = ResultMaking(
                evidence: people.flatMap { $0.evidence(recordings: answers.map(\.recording)) } + findings,
                answers: answers, limits: .unknown, rules: rules)
            return MarkedTrait.allCases.flatMap(making.pairs)
        }
    }

    public var trait: MarkedTrait
    public var source: String
    /// The number of exams that both marked.
    public var exams: Int
    /// The number of exams that figures need.
    public var needed: Int
    /// The error for rules. Nil if there are too few exams.
    public var error: ResultRules.SourceError?
    /// The share of people's marks that a range contains if its width is found without the exam in question. Nil if
    /// there are too few exams.
    public var held: Double?

    /// Compares each machine with people, on each trait, in the order of their names.
    ///
    /// - Parameter needed: the number of exams that figures need, at least 5.
    public static func all(
        of pairs: [Pair], needed: Int = ResultRules.ielts.leastExamsForAgreement
    ) -> [SourceAgreement] {
        MarkedTrait.allCases.flatMap { trait in
            let own = Dictionary(grouping: pairs.filter { $0.trait == trait }, by: \.source)
            return own.keys.sorted().map { SourceAgreement(trait, $0, own[$0] ?? [], needed) }
        }
    }

    private init(_ trait: MarkedTrait, _ source: String, _ pairs: [Pair], _ needed: Int) {
        self.trait = trait
        self.source = source
        self.needed = max(needed, 5)
        exams = pairs.count
        let leads = pairs.map { $0.machine - $0.people }
        guard exams >= self.needed, let width = Self.width(leads) else { return }
        error = .init(trait: trait, source: source, exams: exams, lead: width.lead, margin: width.margin)
        let inside = leads.indices.count { left in
            let others = leads.indices.filter { $0 != left }.map { leads[$0] }
            return Self.width(others).map { abs(leads[left] - $0.lead) <= $0.margin + 1e-9 } ?? false
        }
        held = Double(inside) / Double(exams)
    }

    /// Returns the mean lead, and the margin around it that should contain the stated share of future marks. The margin
    /// is the ⌈0.8 (n + 1)⌉th smallest of n errors, as in conformal prediction (V. Vovk 2005).
    private static func width(_ leads: [Double]) -> (lead: Double, margin: Double)? {
        let place = Int((IndexError.stated * Double(leads.count + 1)).rounded(.up))
        guard place <= leads.count, place > 0 else { return nil }
        let lead = leads.reduce(0, +) / Double(leads.count)
        let margin = leads.map { abs($0 - lead) }.sorted()[place - 1]
        func short(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
        return (short(lead), short(margin))
    }
}

extension ResultRules {
    /// Returns the rules with the errors of compared machines. If several machines marked a trait, each gets a share of
    /// it, larger for a smaller error.
    ///
    /// - Parameter id: the id of the new rules.
    public func refitted(to agreements: [SourceAgreement], id: String) -> ResultRules {
        var rules = self
        rules.id = id
        let found = agreements.compactMap(\.error)
        rules.errors = found
        for (trait, own) in Dictionary(grouping: found, by: \.trait) where own.count > 1 {
            // Errors below a quarter of a band count as equal.
            let weights = own.map { 1 / max($0.margin, 0.25) }
            let sum = weights.reduce(0, +)
            rules.shares[trait] = zip(own, weights).map {
                Share(source: $0.source, weight: ($1 / sum * 1_000).rounded() / 1_000)
            }
        }
        return rules
    }
}
