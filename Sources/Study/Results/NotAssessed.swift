public import Assessment
import ExamCore
public import Reports

/// An aspect of an exam that no person and no program has judged. Each place that shows it words it in its own way.
public enum NotAssessed: Equatable, Sendable {
    /// A criterion without a mark. The reason is nil if the exam was not marked at all.
    case criterion(Criterion, reason: String?)
    /// The overall band, which needs all four criteria.
    case overall
    /// The scale of the format's own tests.
    case ownScale(what: String, why: String)
    /// The words: no answer has a transcript.
    case words
    /// The grammar: no transcript was checked.
    case grammar
    /// The fillers: the transcripts may have left them out.
    case fillers
    /// The introduction, which stays with the candidate.
    case introduction
    /// An assessor that said nothing, with the reason.
    case assessor(AssessorAbsence)
    /// The sound of an answer, with the reason if it is known.
    case sound(of: String, why: String?)
    /// A report's sound in older browsers.
    case soundInOlderBrowsers

    /// Returns the aspects in the order in which they are shown.
    static func all(
        of evidence: ExamEvidence, _ result: ExamResult?, transcripts: [AnswerTranscript]
    ) -> [NotAssessed] {
        var list = Criterion.allCases.compactMap { criterion -> NotAssessed? in
            guard let trait = result?.criteria[criterion] else { return .criterion(criterion, reason: nil) }
            return trait.outcome.mark == nil ? .criterion(criterion, reason: trait.outcome.reason) : nil
        }
        if result?.overall.mark == nil { list.append(.overall) }
        if let own = evidence.frozen?.format.scoring?.notGiven {
            list.append(.ownScale(what: own.what, why: own.why))
        }
        if transcripts.isEmpty {
            list.append(.words)
        } else if transcripts.allSatisfy(\.checks.isEmpty) {
            list.append(.grammar)
        }
        if transcripts.lackFillers { list.append(.fillers) }
        if evidence.answers.assessed.count < evidence.answers.count { list.append(.introduction) }
        list += evidence.gaps.map(NotAssessed.assessor)
        list += evidence.unmeasured.map { .sound(of: $0.record.name, why: $0.whyUnmeasured) }
        if !evidence.makesSoundForAllBrowsers { list.append(.soundInOlderBrowsers) }
        return list
    }

    /// The words for reports and for a server's clients. Nil for aspects that these show elsewhere.
    public var reported: ReportContent.NotAssessed? {
        switch self {
        case .criterion(let criterion, let reason):
            .init(what: criterion.title, why: reason ?? "It was not marked. Sound alone gives no band.")
        case .overall: nil
        case .ownScale(let what, let why):
            .init(what: what, why: why.prefix(1).uppercased() + why.dropFirst() + ".")
        case .words: .init(what: "the words", why: "No answer has a transcript.")
        case .grammar: .init(what: "grammar, by a checker", why: "No grammar checker was used.")
        case .fillers: .init(what: "fillers", why: "The transcript may have left them out.")
        case .introduction: .introduction
        case .assessor(let absence): .init(what: absence.assessor, why: absence.why)
        case .sound(let answer, let why):
            .init(what: "the sound of \(answer)", why: why ?? "It was not measured yet.")
        case .soundInOlderBrowsers:
            .init(
                what: "sound for every browser",
                why: "this libsndfile cannot write MP3, so the page has Ogg/Opus sound, which older Safari cannot play."
            )
        }
    }
}
