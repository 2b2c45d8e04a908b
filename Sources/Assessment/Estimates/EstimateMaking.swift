import ExamCore

/// The evidence of an exam on which an estimate rests.
public struct EstimateBasis: Sendable {
    /// People's marks of the exam.
    public var sheets: [MarkSheet]
    /// Machines' findings in the answers. None may rest on words that the learner typed.
    public var findings: [CriterionEvidence]
    /// All answers that count.
    public var answers: [SpokenAnswer]
    /// The number of words that machines heard. Nil without words.
    public var words: Int?
    public var limits: MarkLimits

    public init(
        sheets: [MarkSheet], findings: [CriterionEvidence], answers: [SpokenAnswer], words: Int?, limits: MarkLimits
    ) {
        self.sheets = sheets
        self.findings = findings
        self.answers = answers
        self.words = words
        self.limits = limits
    }
}

extension AspectEstimate {
    /// The least width of a machine's range, in marks, if its marks were never compared with people's marks of such
    /// answers.
    public static let leastUncompared = 2.0
    /// The margin of people's marks, in bands. Half a band is the smallest step that they can give.
    static let marginOfPeople = 0.5

    /// Returns the estimates of everything that was judged in an exam, the overall band first. Empty if nothing was
    /// judged.
    ///
    /// - Parameter assessment: the measurements of the exam.
    public static func all(
        of assessment: ExamAssessment, _ basis: EstimateBasis, rules: ResultRules = .ielts
    ) -> [AspectEstimate] {
        let making = EstimateMaking(assessment: assessment, basis: basis, rules: rules)
        let criteria = Criterion.allCases.compactMap { criterion in
            making.band(criterion).map { (criterion, $0) }
        }
        let bands = Dictionary(uniqueKeysWithValues: criteria)
        var all = making.overall(bands).map { [$0] } ?? []
        for criterion in Criterion.allCases {
            if let band = bands[criterion] {
                all.append(band)
            } else {
                // If a criterion has no band, estimate the part of it that was measured.
                let aspects: [Aspect] =
                    criterion == .fluency ? [.fluency] : criterion == .pronunciation ? [.prosody, .accuracy] : []
                all += aspects.compactMap(making.measured)
            }
        }
        return told(all)
    }
}

/// Makes the estimates of one exam.
private struct EstimateMaking {
    var assessment: ExamAssessment
    var basis: EstimateBasis
    var rules: ResultRules

    private typealias Range = AspectEstimate.Range

    // MARK: - Bands

    /// Returns the estimate of a criterion in bands. Nil if it has no marks, or its marks are held.
    func band(_ criterion: Criterion) -> AspectEstimate? {
        let people = rules.sources.contains(.human) ? people(criterion) : nil
        let machines = rules.sources.contains(.machine) ? machines(criterion) : nil
        guard let counted = people ?? machines?.range else { return nil }
        return AspectEstimate(
            aspect: .init(criterion), scale: .band, counted: counted,
            beside: people == nil ? nil : machines?.range,
            narrower: people.map(afterPeople) ?? machines?.narrower ?? "")
    }

    private func afterPeople(_ range: Range) -> String {
        range.sources.count == 1
            ? "A second person's marks would show how far people agree on it."
            : "It is as narrow as people's marks are."
    }

    private func people(_ criterion: Criterion) -> Range? {
        let marks = basis.sheets.compactMap { sheet in sheet.bands[criterion].map { (sheet.marker, $0) } }
        guard let low = marks.map(\.1).min(), let high = marks.map(\.1).max() else { return nil }
        // The middle is the mark that counts. If people differ and no third person has decided, the range shows all
        // marks.
        let middle =
            ExamResult.make(sheets: basis.sheets, rules: rules).criteria[criterion]?.outcome.mark ?? (low + high) / 2
        let margin = AspectEstimate.marginOfPeople
        return Range(
            .people, min(low, middle - margin)...max(high, middle + margin), on: .band, least: 0.5,
            sources: marks.map(\.0), seconds: seconds, words: nil, isCompared: true,
            width: marks.count == 1
                ? "Half a band either way: the smallest step of a person's marks."
                : "It holds all marks by \(marks.count) people, and half a band around the one that counts.")
    }

    private func machines(_ criterion: Criterion) -> (range: Range, narrower: String)? {
        var machineRules = rules
        machineRules.sources = [.machine]
        let making = ResultMaking(
            evidence: basis.findings.map(\.withMedianOfRuns), answers: basis.answers, limits: basis.limits,
            rules: machineRules)
        let trait = MarkedTrait(criterion)
        let result = making.result(of: trait)
        guard let mark = result.outcome.mark else { return nil }
        var sources: [String] = []
        for one in result.evidence where !sources.contains(one.source.id) { sources.append(one.source.id) }
        let errors = sources.map { rules.error(of: $0, on: trait) }
        let spread = spread(of: result.evidence, around: mark)
        let judgesWords = criterion == .grammar || criterion == .vocabulary
        func range(_ bounds: ClosedRange<Double>, least: Double, isCompared: Bool, _ width: String) -> Range {
            Range(
                .machines, bounds, on: .band, least: least, sources: sources,
                seconds: marked(result.evidence), words: judgesWords ? basis.words : nil, isCompared: isCompared,
                width: width)
        }
        let known = errors.compactMap(\.self)
        guard known.count == errors.count, let margin = known.map(\.margin).max() else {
            let margin = AspectEstimate.leastUncompared / 2
            let bounds = (mark - margin - spread.below)...(mark + margin + spread.above)
            let unknown = zip(sources, errors).filter { $0.1 == nil }.map(\.0).joined(separator: " and ")
            let width =
                "At least two bands: the marks of \(unknown) were never compared with people's."
                + (spread.isWide ? " Its runs differ, which makes the range wider." : "")
            return (
                range(bounds, least: AspectEstimate.leastUncompared, isCompared: false, width),
                "People's marks of \(rules.leastExamsForAgreement) exams that \(unknown) marked would show how far to "
                    + "trust it. A person's marks of this exam would stand above it."
            )
        }
        // The lead of several machines together is the mean of their leads, just as their mark is the mean of their
        // marks.
        let middle = mark - known.map(\.lead).reduce(0, +) / Double(known.count)
        let bounds = min(middle - margin, middle - spread.below)...max(middle + margin, middle + spread.above)
        let exams = known.map(\.exams).min() ?? 0
        let share = result.shareOfSpeech ?? 1
        return (
            range(
                bounds, least: 0.5, isCompared: true,
                "\(IndexError.stated.percent) of people's marks were that close, in \(exams.counted("exam"))."),
            share < 0.95
                ? "\((1 - share).percent) of the speech was not marked." : "A person's marks would stand above it."
        )
    }

    /// Returns how far runs of the same source lie below and above the mark.
    private func spread(
        of evidence: [CriterionEvidence], around mark: Double
    ) -> (below: Double, above: Double, isWide: Bool) {
        var (below, above, weights) = (0.0, 0.0, 0.0)
        for one in evidence {
            let bands = rules.mappings.first { $0.scale == one.scale }
            let runs = (one.runs ?? []).compactMap { $0.mark.flatMap { bands?.band(of: $0) } }
            let weight = one.scope == .exam ? 1 : max(speech(of: one), 0)
            weights += weight
            guard let own = one.outcome.mark.flatMap({ bands?.band(of: $0) }), let low = runs.min(),
                let high = runs.max()
            else { continue }
            below += weight * max(0, own - low)
            above += weight * max(0, high - own)
        }
        guard weights > 0 else { return (0, 0, false) }
        return (below / weights, above / weights, below + above >= 0.25 * weights)
    }

    private func speech(of one: CriterionEvidence) -> Double {
        guard case .answer(let name, let speech) = one.scope else { return 0 }
        return basis.answers.first { $0.name == name }?.speech ?? speech
    }

    /// The seconds of speech in the answers that were marked. The marks of a whole exam rest on all of them.
    private func marked(_ evidence: [CriterionEvidence]) -> Double {
        guard !evidence.contains(where: { $0.scope == .exam }) else { return seconds }
        var names: Set<String> = []
        return evidence.reduce(0) { sum, one in
            guard case .answer(let name, _) = one.scope, names.insert(name).inserted else { return sum }
            return sum + speech(of: one)
        }
    }

    private var seconds: Double { basis.answers.reduce(0) { $0 + $1.speech } }

    // MARK: - The whole

    /// Returns the overall estimate. Nil unless all four criteria have a band.
    func overall(_ bands: [Criterion: AspectEstimate]) -> AspectEstimate? {
        guard bands.count == Criterion.allCases.count else { return nil }
        let isByPeople = bands.values.allSatisfy { $0.counted.origin == .people }
        let ranges = Criterion.allCases.compactMap { criterion in
            bands[criterion].map { (rules.weights[criterion] ?? 0, $0.counted) }
        }
        let weight = ranges.reduce(0) { $0 + $1.0 }
        guard weight > 0 else { return nil }
        func mean(_ end: (Range) -> Double) -> Double { ranges.reduce(0) { $0 + $1.0 * end($1.1) } / weight }
        var sources: [String] = []
        for source in ranges.flatMap(\.1.sources) where !sources.contains(source) { sources.append(source) }
        let isCompared = ranges.allSatisfy(\.1.isCompared)
        return AspectEstimate(
            aspect: .overall, scale: .band,
            counted: Range(
                isByPeople ? .people : .machines, mean(\.low)...mean(\.high), on: .band,
                least: isCompared ? 0.5 : AspectEstimate.leastUncompared, sources: sources,
                seconds: ranges.map(\.1.seconds).min() ?? 0, words: ranges.compactMap(\.1.words).min(),
                isCompared: isCompared,
                width: "The mean of the four ranges, which may all be too high or too low together."),
            narrower: "Narrower ranges of the four criteria.")
    }

    // MARK: - Without bands

    /// Returns the estimate of an aspect from the sound alone, on the scale of listeners. Nil if the sound says too
    /// little.
    func measured(_ aspect: AspectEstimate.Aspect) -> AspectEstimate? {
        let delivery = assessment.delivery
        guard delivery.gates.isEmpty, delivery.measures.speech > 0 else { return nil }
        let (index, calibration): (Double?, String) =
            switch aspect {
            case .prosody: (index(by: .prosody), DeliveryCalibration.prosody.id)
            case .accuracy: (index(by: .accuracy), DeliveryCalibration.accuracy.id)
            default: (delivery.index, delivery.calibration)
            }
        guard let index else { return nil }
        let error = IndexError.known(of: calibration)
        let margin = error?.margin(seconds: delivery.measures.speech) ?? 0
        // Read sentences were compared with people's marks. Free speech never was, so the range is two marks wide.
        let wide = max(margin, AspectEstimate.leastUncompared / 2)
        return AspectEstimate(
            aspect: aspect, scale: .listeners,
            counted: Range(
                .machines, (index - wide)...(index + wide), on: .listeners, least: AspectEstimate.leastUncompared,
                sources: [Range.ownSource], seconds: delivery.measures.speech, words: nil, isCompared: false,
                width: error == nil
                    ? "At least two marks: the error of this calibration is unknown."
                    : "At least two marks. Listeners' marks of read sentences lie within \(margin.figure(1)) of it in "
                        + "\(IndexError.stated.percent) of cases; answers like these were never compared."),
            narrower: "A person's marks, or an assessor's, give a band.")
    }

    private func index(by calibration: DeliveryCalibration) -> Double? {
        assessment.answers.counted.clear.index(by: calibration)
    }
}

extension CriterionEvidence {
    /// The evidence, with the median of its runs as its mark if they are too far apart for a mark that counts. The
    /// range shows how far apart they are.
    fileprivate var withMedianOfRuns: CriterionEvidence {
        guard outcome.mark == nil, held == nil, let runs, case .mark(let mark) = runs.outcome(widest: .infinity) else {
            return self
        }
        var copy = self
        copy.outcome = .mark(mark)
        return copy
    }
}

extension ResultRules {
    /// Returns a machine's error against people. Nil if too few of its marks were compared.
    func error(of source: String, on trait: MarkedTrait) -> SourceError? {
        errors?.first { $0.source == source && $0.trait == trait && $0.exams >= leastExamsForAgreement }
    }
}
