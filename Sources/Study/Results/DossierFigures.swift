import Assessment
import ExamCore
import Learning

extension ExamFigures {
    /// Makes the figures of an exam.
    ///
    /// - Parameter rules: The digest of the rules of the dossier.
    init(_ dossier: ExamDossier, rules: String) {
        self.init(
            dossier.assessment, rules: rules, part: dossier.evidence.part,
            marks: dossier.result?.criteria.compactMapValues(\.outcome.mark) ?? [:],
            mistakes: dossier.transcripts.flatMap(\.checks).flatMap(\.mistakes).compactMap(\.category)
                .reduce(into: [:]) { $0[$1, default: 0] += 1 },
            topics: ExamTopics.topics(of: dossier.evidence.frozen?.paper.origin?.items ?? []),
            estimates: dossier.estimates)
    }
}
