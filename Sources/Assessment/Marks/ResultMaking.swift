/// Makes a mark from evidence: first for one source, then for all sources of a kind, then from the first kind that has
/// a mark.
struct ResultMaking {
    var evidence: [CriterionEvidence]
    var answers: [SpokenAnswer]
    var limits: MarkLimits
    var rules: ResultRules

    /// One source's opinion on a trait of the whole exam.
    fileprivate struct Opinion {
        var source: MarkSource
        /// In bands.
        var outcome: MarkOutcome
        var evidence: [CriterionEvidence]
        var unmarked: [ExamResult.UnmarkedAnswer] = []
        var shareOfSpeech: Double?
        var held: [ExamResult.Held] = []
    }

    func result(of trait: MarkedTrait) -> ExamResult.TraitResult {
        let known = evidence.filter { $0.trait == trait }
        var silent: [Opinion] = []
        for kind in rules.sources {
            let opinions = opinions(known.filter { $0.source.kind == kind })
            let isMarked = opinions.contains { $0.outcome.mark != nil }
            guard isMarked else {
                silent += opinions
                continue
            }
            let (outcome, basis, counted) =
                kind == .human ? joinPeople(opinions) : joinMachines(opinions, on: trait)
            return result(
                outcome, basis, of: counted, held: kind == .human ? [] : opinions.flatMap(\.held), among: known)
        }
        let reason = silent.isEmpty ? "it was not marked" : silent.map(\.words).joined(separator: "; ")
        return result(.missing(because: reason), "no evidence", of: silent, held: silent.flatMap(\.held), among: known)
    }

    private func result(
        _ outcome: MarkOutcome, _ basis: String, of opinions: [Opinion], held: [ExamResult.Held],
        among known: [CriterionEvidence]
    ) -> ExamResult.TraitResult {
        let counted = opinions.flatMap(\.evidence)
        return ExamResult.TraitResult(
            outcome: outcome, basis: basis, evidence: counted, beside: known.filter { !counted.contains($0) },
            unmarked: opinions.flatMap(\.unmarked), shareOfSpeech: opinions.compactMap(\.shareOfSpeech).min(),
            held: held.isEmpty ? nil : held)
    }

    func mappings(usedBy traits: [ExamResult.TraitResult]) -> [String] {
        let scales = Set(traits.flatMap { $0.outcome.mark == nil ? [] : $0.evidence.map(\.scale) })
        return rules.mappings.filter { scales.contains($0.scale) }.map(\.id)
    }

    // MARK: - One source

    /// Returns one opinion for each source, in the order of the evidence. If a source used several versions, only the
    /// last one counts, because marks from two versions cannot be combined.
    private func opinions(_ evidence: [CriterionEvidence]) -> [Opinion] {
        var ids: [String] = []
        for one in evidence where !ids.contains(one.source.id) { ids.append(one.source.id) }
        return ids.map { id in
            let version = evidence.last { $0.source.id == id }?.source.version
            return withinLimits(opinion(evidence.filter { $0.source.id == id && $0.source.version == version }))
        }
    }

    /// Holds a machine's opinion if its mark is too far from delivery and words.
    private func withinLimits(_ opinion: Opinion) -> Opinion {
        guard opinion.source.kind == .machine, let mark = opinion.outcome.mark,
            let trait = opinion.evidence.first?.trait,
            let why = limits.objection(to: mark, on: trait)
        else { return opinion }
        var opinion = opinion
        let held = HeldMark(mark: mark, because: why)
        opinion.outcome = held.outcome
        opinion.held.append(.init(source: opinion.source.id, answer: nil, mark: mark, because: why))
        return opinion
    }

    /// - Parameter said: the evidence of one source and version; not empty.
    private func opinion(_ said: [CriterionEvidence]) -> Opinion {
        let source = said[0].source
        if let whole = said.last(where: { $0.scope == .exam }) {
            return Opinion(source: source, outcome: band(of: whole), evidence: [whole])
        }
        var opinion = Opinion(source: source, outcome: .missing(because: ""), evidence: [])
        // The weights are whole milliseconds. Products of half bands and whole numbers are exact, and so are their
        // sums.
        var (sum, marked, all) = (0.0, 0.0, 0.0)
        func leaveOut(_ name: String, _ speech: Double, _ reason: String) {
            opinion.unmarked.append(.init(name: name, speech: speech, source: source.id, reason: reason))
        }
        var names: Set<String> = []
        for (name, speech, one) in lastOfEachAnswer(said) {
            names.insert(name)
            all += (speech * 1000).rounded()
            if let held = one.held {
                opinion.held.append(.init(source: source.id, answer: name, mark: held.mark, because: held.because))
            }
            switch band(of: one) {
            case .mark(let band) where speech > 0:
                sum += band * (speech * 1000).rounded()
                marked += (speech * 1000).rounded()
                opinion.evidence.append(one)
            case .mark: leaveOut(name, speech, "it has no speech, so it has no weight")
            case .missing(let reason): leaveOut(name, speech, reason)
            }
        }
        for answer in answers where !names.contains(answer.name) {
            all += (answer.speech * 1000).rounded()
            leaveOut(answer.name, answer.speech, "\(source.id) did not mark it")
        }
        guard marked > 0 else {
            let why = "no answer with speech was marked"
            opinion.outcome = .missing(
                because: opinion.held.first.map { HeldMark.beginning + $0.because } ?? why)
            return opinion
        }
        opinion.shareOfSpeech = marked / all
        guard marked / all + 1e-9 >= rules.leastShareOfSpeech else {
            let (share, least) = (Int(100 * marked / all), Int(100 * rules.leastShareOfSpeech))
            opinion.outcome = .missing(
                because: "only \(share) % of the speech was marked; \(least) % are needed")
            return opinion
        }
        opinion.outcome = .mark((sum / marked).exact)
        return opinion
    }

    private func lastOfEachAnswer(
        _ said: [CriterionEvidence]
    ) -> [(name: String, speech: Double, evidence: CriterionEvidence)] {
        var found: [(name: String, speech: Double, evidence: CriterionEvidence)] = []
        for one in said {
            guard case .answer(let name, let speech) = one.scope else { continue }
            let known = answers.first { $0.name == name }?.speech
            let seconds = max(0, (known ?? speech).isFinite ? known ?? speech : 0)
            let entry = (name, seconds, one)
            if let index = found.firstIndex(where: { $0.name == name }) {
                found[index] = entry
            } else {
                found.append(entry)
            }
        }
        return found
    }

    private func band(of one: CriterionEvidence) -> MarkOutcome {
        guard let mark = one.outcome.mark else { return one.outcome }
        guard let mapping = rules.mappings.first(where: { $0.scale == one.scale }) else {
            return .missing(because: "rules \(rules.id) have no mapping from \(one.scale) to bands")
        }
        guard let band = mapping.band(of: mark), (0...9).contains(band) else {
            return .missing(because: "\(mark) is not a mark of the scale \(one.scale)")
        }
        return .mark(band)
    }

    // MARK: - Several of a kind

    /// Combines the opinions of people.
    ///
    /// - Parameter opinions: in the order in which people marked. Those without a mark do not count.
    private func joinPeople(_ opinions: [Opinion]) -> (MarkOutcome, String, [Opinion]) {
        let marked = opinions.filter { $0.outcome.mark != nil }
        let marks = marked.compactMap(\.outcome.mark)
        let names = marked.map(\.source.id)
        let (low, high) = (marks.min() ?? 0, marks.max() ?? 0)
        if marks.count == 1 { return (.mark(marks[0]), "\(names[0]), a person", marked) }
        if high - low < rules.differenceForThird - 1e-9 {
            return (.mark(marks.mean), "the mean of \(names.spokenList), people", marked)
        }
        if marks.count == 2 {
            let reason = "\(names.spokenList) are \(high - low) bands apart: a third marker decides"
            return (.missing(because: reason), "two people who differ", marked)
        }
        switch rules.moderation {
        case .median: return (.mark(marks.median), "the median of \(names.spokenList), people who differ", marked)
        case .third:
            let (before, third) = (Array(names.prefix(2)).spokenList, names[2])
            return (.mark(marks[2]), "\(third), the third marker, since \(before) differ", marked)
        }
    }

    /// Combines machines by their shares. A machine without a mark is left out, so that the others' marks are not lost.
    ///
    /// - Parameter opinions: at least one has a mark.
    private func joinMachines(_ opinions: [Opinion], on trait: MarkedTrait) -> (MarkOutcome, String, [Opinion]) {
        let marked = opinions.filter { $0.outcome.mark != nil }
        let shares = rules.shares[trait] ?? []
        let listed = shares.compactMap { share in
            marked.first { $0.source.id == share.source }.map { (opinion: $0, weight: share.weight) }
        }
        let counted = listed.isEmpty ? marked.map { (opinion: $0, weight: 1) } : listed
        // The machines that should have marked it and did not.
        let silent = shares.map(\.source).filter { id in !marked.contains { $0.source.id == id } }
        let without = silent.isEmpty ? "" : ", without \(silent.spokenList)"
        if counted.count == 1 {
            let only = counted[0].opinion
            return (only.outcome, "\(only.source.id), a machine\(without)", [only])
        }
        let weight = counted.reduce(0) { $0 + $1.weight }
        let sum = counted.reduce(0) { $0 + $1.weight * ($1.opinion.outcome.mark ?? 0) }
        let words = counted.map { "\(Int((100 * $0.weight / weight).rounded())) % \($0.opinion.source.id)" }
        return (.mark((sum / weight).exact), "\(words.spokenList), machines\(without)", counted.map(\.opinion))
    }

    // MARK: - People and machines

    /// Returns each machine's mark of a trait with people's mark, if both marked the exam.
    func pairs(on trait: MarkedTrait) -> [SourceAgreement.Pair] {
        let known = evidence.filter { $0.trait == trait }
        let people = opinions(known.filter { $0.source.kind == .human })
        guard people.contains(where: { $0.outcome.mark != nil }), let mark = joinPeople(people).0.mark else {
            return []
        }
        return opinions(known.filter { $0.source.kind == .machine }).compactMap { machine in
            machine.outcome.mark.map { .init(trait: trait, source: machine.source.id, people: mark, machine: $0) }
        }
    }
}

extension ResultMaking.Opinion {
    fileprivate var words: String { "\(source.id): \(outcome.reason ?? "marked")" }
}

extension Double {
    /// Removes the rounding errors of binary fractions: 5.999999999999999 becomes 6.
    fileprivate var exact: Double {
        let millionth = (self * 1_000_000).rounded() / 1_000_000
        return abs(self - millionth) < 1e-9 ? millionth : self
    }
}

extension [Double] {
    fileprivate var mean: Double { (reduce(0, +) / Double(count)).exact }

    fileprivate var median: Double {
        let ordered = sorted()
        return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
    }
}

extension [String] {
    /// The names as a list: `Ada, Bo and Cy`.
    fileprivate var spokenList: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1]
    }
}
