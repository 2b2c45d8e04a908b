public import Assessment
public import ExamCore
public import SystemSupport

/// All facts about one exam: the evidence on its shelf, and everything derived from it. The same evidence gives the
/// same dossier in the terminal, on the page and in a report.
public struct ExamDossier: Sendable {
    /// The values that the shelf returned.
    public let evidence: ExamEvidence
    /// The learner's earlier exams with which it is compared, the newest first.
    public let earlier: [EarlierExam]
    /// The candidate's own transcripts and those of recognisers, with the mistakes found in them.
    public let transcripts: [AnswerTranscript]
    /// The questions in the order of the exam. Nil if the paper is unknown.
    public let script: ExamScript?
    /// The measures of the words.
    public let text: ExamText
    /// The limits that delivery and words set on machines' marks.
    public let limits: MarkLimits
    /// The result of all marks. Nil without marks.
    public let result: ExamResult?
    /// The estimates, the overall band first. Empty for a spoken drill, or if nothing was judged and the sound gives
    /// too little evidence.
    public let estimates: [AspectEstimate]

    /// Reads an exam and those with which it is compared.
    ///
    /// - Parameter rules: The rules for marks and estimates.
    /// - Returns: Nil if the learner has no such exam.
    /// - Throws: The shelf's errors.
    public init?(
        of id: ExamEntry.ID, on shelf: some LearnerShelf, by rules: ResultRules
    ) async throws(Problem) {
        guard let evidence = try await shelf.exam(id) else { return nil }
        self.init(evidence, after: try await EarlierExams.of(evidence.entry, on: shelf), by: rules)
    }

    /// Makes the dossier of evidence.
    ///
    /// - Parameter rules: The rules for marks and estimates.
    public init(_ evidence: ExamEvidence, after earlier: [EarlierExam], by rules: ResultRules) {
        self.evidence = evidence
        self.earlier = earlier
        transcripts = evidence.typed.joined(with: evidence.said, digest: \.digest)
        script = evidence.frozen.flatMap { ExamScript.assemble($0.format, $0.paper, options: $0.options).script }
        // Sentences to repeat are needed only to compare with transcripts.
        text = ExamText(
            of: evidence.assessment, transcripts,
            sentences: transcripts.isEmpty ? [:] : script?.sentences ?? [:], readings: evidence.said.readings)
        limits = MarkLimits(evidence.assessment.answers.isEmpty ? nil : evidence.assessment.delivery, text.exam)
        let said = evidence.counted.flatMap(\.countedEvidence)
        if evidence.sheets.isEmpty && said.isEmpty {
            result = nil
        } else {
            result = ExamResult.make(
                sheets: evidence.sheets, findings: said, answers: evidence.answers.compactMap(\.spoken),
                limits: limits, rules: rules)
        }
        estimates =
            SpokenDrill(paper: evidence.entry.paper) != nil
            ? []
            : AspectEstimate.all(of: evidence.assessment, evidence.estimateBasis(limits: limits), rules: rules)
    }

    /// The measurements of the answers, except introductions.
    public var assessment: ExamAssessment { evidence.assessment }

    /// The numbers of the questions as they were asked.
    public var asked: AskedQuestions { AskedQuestions(evidence.answers.map(\.record)) }

    /// The recommendations, the most important first, at most three.
    public var steps: [NextStep] {
        NextStep.steps(for: assessment, transcripts: transcripts, earlier: earlier, asked: asked)
    }

    /// The most telling strength. Nil if nothing is known to be good.
    public var strength: Strength? { Strength.found(in: assessment, earlier: earlier) }

    /// Returns each machine's marks of the exam with people's marks, in bands. Empty if only one of them marked it.
    ///
    /// - Parameter rules: The rules by which machines' scales become bands.
    public func comparedMarks(by rules: ResultRules) -> [SourceAgreement.Pair] {
        let basis = evidence.estimateBasis(limits: limits)
        return SourceAgreement.Pair.all(
            sheets: basis.sheets, findings: basis.findings, answers: basis.answers, rules: rules)
    }

    /// The aspects that nothing has judged, in the order in which they are shown.
    public var notAssessed: [NotAssessed] { NotAssessed.all(of: evidence, result, transcripts: transcripts) }

    /// The measures, compared with those of the earlier exams.
    public var compared: [ComparedMeasure] { earlier.compared(with: assessment.delivery) }

    /// The title for people: the format's and the paper's.
    public var title: String {
        evidence.frozen.map { "\($0.format.title): \($0.paper.title)" } ?? evidence.name
    }

    /// Returns the words of an answer's question. Nil if they are unknown.
    public func question(of answer: AnswerRecord) -> String? {
        turn(of: answer)?.question ?? evidence.questions[answer.question]
    }

    /// Returns the place in the exam at which an answer was given. Nil if the paper is unknown.
    public func turn(of answer: AnswerRecord) -> ExamScript.Turn? {
        script?.turns.first { $0.id == answer.question }
    }
}

extension ExamEvidence {
    /// The answers without measurements, except introductions.
    var unmeasured: [KeptAnswer] {
        let measured = Set(assessment.answers.map(\.record.name))
        return answers.assessed.filter { !measured.contains($0.record.name) }
    }

    /// The answers without a recording. Their measurements are kept.
    public var withoutRecording: [AnswerRecord] { answers.filter { !$0.hasRecording }.map(\.record) }
}

extension KeptAnswer {
    /// The answer with its seconds of speech, which weight its marks. Nil if it does not count, or if it was not
    /// measured: then its assessor states the seconds.
    package var spoken: SpokenAnswer? {
        guard record.counts, let speech = record.speech else { return nil }
        return SpokenAnswer(
            name: record.name, speech: Double(speech.duration.milliseconds) / 1000, recording: recording)
    }
}
