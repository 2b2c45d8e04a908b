import Assessment

let band = MarkMapping.band

func machine(_ id: String = "scorer", _ version: String = "1") -> MarkSource {
    MarkSource(kind: .machine, id: id, version: version)
}

/// Returns a machine's mark of an answer. Nil means that the machine failed.
func finding(
    _ trait: MarkedTrait, _ answer: String, speech: Double, _ mark: Double?, by source: MarkSource = machine(),
    scale: String = band
) -> CriterionEvidence {
    CriterionEvidence(
        trait: trait, scope: .answer(name: answer, speech: speech), source: source, recordings: ["\(answer)-hash"],
        scale: scale, outcome: mark.map { .mark($0) } ?? .missing(because: "the service refused it"))
}

/// Returns a machine's marks of an answer, the same for all four criteria.
func findings(_ answer: String, speech: Double, _ mark: Double?) -> [CriterionEvidence] {
    Criterion.allCases.map { finding(MarkedTrait($0), answer, speech: speech, mark) }
}

func sheet(
    _ marker: String, _ fluency: Double?, vocabulary: Double? = nil, grammar: Double? = nil,
    pronunciation: Double? = nil, topic: Double? = nil, at minute: Int = 0
) -> MarkSheet {
    MarkSheet(
        marker: marker, markedAt: "2026-11-23T10:\(minute < 10 ? "0" : "")\(minute):00Z", rubric: "ielts-style/1",
        bands: [.fluency: fluency, .vocabulary: vocabulary, .grammar: grammar, .pronunciation: pronunciation]
            .compactMapValues(\.self), topicRelevance: topic)
}

extension ExamResult {
    func mark(_ criterion: Criterion) -> Double? { criteria[criterion]?.outcome.mark }
    func reason(_ criterion: Criterion) -> String? { criteria[criterion]?.outcome.reason }
}
