import Assessment
import Assessors
import ExamCore
import HTTPClient
import SessionFolders
import StudyFolders
import SystemSupport

/// Has the answers of one exam assessed, several at a time, and reports the results.
struct SessionAssessors {
    private let folder: SessionFolder
    private let answers: [AnswerToAssess]
    private let known: [AssessorFinding]
    private let assessing: AnswerAssessing
    private let seats: [AnswerAssessing.Seat]

    /// The number of answers assessed at a time: services allow few concurrent calls, and sound takes memory.
    private static let atOnce = 4

    /// - Parameter consents: The third parties that may receive data.
    /// - Throws: `Problem`: `missing` if the exam isn't over; `occupied` if another process is assessing it;
    ///   `malformed`.
    init(
        _ folder: SessionFolder, _ seats: [AnswerAssessing.Seat], _ home: AssessorsHome, _ consents: Set<String>
    ) throws(Problem) {
        self.folder = folder
        self.seats = seats
        let takes = try folder.answersToMark()
        let assessment = try SessionAssessing.assessment(of: folder)
        let frozen = try folder.frozenExam()
        let script = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).0
        let transcripts = try folder.readTranscripts()
        answers = takes.compactMap { take in
            guard let measured = assessment.answers.first(where: { $0.recording == take.sha256 }) else { return nil }
            let turn = script?.turns.first { $0.id == take.question }
            return AnswerToAssess(
                record: take.record, recording: take.sha256, path: "\(folder.path)/\(take.file)",
                sound: measured.sound, question: turn?.question, textToSay: script?.sentences[take.question]?.text,
                card: turn?.card,
                words: transcripts.first { $0.answer == take.record.name && $0.recording == take.sha256 })
        }
        known = try folder.readFindings()
        let memory = try SessionCallMemory(folder, budget: home.settings().budget, spending: home.spending)
        assessing = AnswerAssessing(seats, memory: memory, consents: consents)
    }

    /// - Parameter tell: Called with a line for each finding as it arrives.
    /// - Throws: `Problem` if a finding cannot be stored.
    func run(_ tell: @escaping @Sendable (String) -> Void) async throws -> AssessOutcome {
        let round = AssessorRound()
        let keeper = FindingKeeper(folder, tell)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, answer) in answers.enumerated() {
                if number >= Self.atOnce { try await group.next() }
                group.addTask { try await assess(answer, round, keeper) }
            }
            try await group.waitForAll()
        }
        return AssessOutcome(
            findings: try folder.readFindings(), gaps: round.gaps, isNew: await keeper.count > 0,
            name: SessionSummary(folder).name(on: SessionShelf()))
    }

    private func assess(_ answer: AnswerToAssess, _ round: AssessorRound, _ keeper: FindingKeeper) async throws {
        var said: [String] = []
        let gaps = try await assessing.assess(answer, known: known, whyOut: round.whyOut) { finding in
            said.append(finding.source.id)
            try await keeper.keep(finding)
        }
        round.note(gaps, said: said)
    }
}

/// Stores findings one at a time, because they share a file.
private actor FindingKeeper {
    private let folder: SessionFolder
    private let tell: @Sendable (String) -> Void
    private(set) var count = 0

    init(_ folder: SessionFolder, _ tell: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.tell = tell
    }

    func keep(_ finding: AssessorFinding) throws(Problem) {
        try folder.keep(finding)
        count += 1
        tell("\(finding.answer)  \(finding.source.id): \(finding.summary)")
    }
}

/// The outcome of a round of assessment.
struct AssessOutcome {
    var findings: [AssessorFinding]
    var gaps: [AnswerAssessing.Gap]
    var isNew: Bool
    var name: String

    struct Report: Encodable {
        var session: String
        var findings: [AssessorFinding]
        var gaps: [Gap]

        struct Gap: Encodable {
            var assessor: String
            var why: String
        }
    }

    var report: Report {
        Report(
            session: name, findings: findings,
            gaps: gaps.map { .init(assessor: $0.assessor, why: $0.failure.sentence) })
    }

    var lines: [String] {
        var lines = isNew ? [] : gaps.isEmpty ? ["All answers were assessed before."] : []
        if !gaps.isEmpty {
            lines.append("not assessed")
            // Sentences of a service already begin with its name.
            lines += gaps.map {
                let sentence = $0.failure.sentence
                return "  " + (sentence.hasPrefix($0.assessor) ? sentence : "\($0.assessor): \(sentence)").cleaned
            }
        }
        lines.append("To see all findings: oracy results \(name)")
        return lines
    }

    /// The exit code, as the command's help lists them; nil if nothing is missing.
    var exitCode: Int32? {
        let kinds = gaps.map(\.failure.kind)
        if kinds.contains(.setUp) { return 69 }
        return kinds.isEmpty ? nil : 75
    }
}

extension AssessorFinding {
    /// A one-line summary of the finding.
    var summary: String {
        if let failure { return failure }
        var parts: [String] = []
        if let transcript { parts.append(transcript.text.split(separator: " ").count.of("word")) }
        if let pronunciation, let overall = pronunciation.overall {
            parts.append("pronunciation \(overall.figure(0)) of 100")
        }
        for one in evidence where one.scale == MarkMapping.band {
            let name = one.trait.criterion == nil ? "topic" : one.trait.rawValue
            switch one.outcome {
            case .mark(let mark): parts.append("\(name) \(mark.asMark)")
            case .missing(let reason): parts.append("\(name): no mark (\(reason))")
            }
        }
        if let mistakes { parts.append(mistakes.count.of("mistake")) }
        parts += AssessorFinding.Dropped.allCases.compactMap { what in
            dropped[what].map { "\($0) \(what.words($0))" }
        }
        if suspectInstructions { parts.append("it seems to address its marker: a person should check it") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}

extension AssessorFinding.Dropped {
    fileprivate func words(_ count: Int) -> String {
        let many = count == 1 ? "" : "s"
        return switch self {
        case .noSpeech, .silence: "stretch\(count == 1 ? "" : "es") without speech left out"
        case .repetition: "stretch\(count == 1 ? "" : "es") of repeated words left out"
        case .phones: "stretch\(count == 1 ? "" : "es") with words unlike the sounds left out"
        case .tooFast: "stretch\(count == 1 ? "" : "es") with more words than anyone can say left out"
        case .unheard: "part\(many) that the recogniser could not hear left out"
        case .times: "time\(many) of words left out"
        case .quote: "quote\(many) left out because the answer does not contain \(count == 1 ? "it" : "them")"
        case .number: "number\(many) left out because \(count == 1 ? "it is" : "they are") not a band"
        case .run: "run\(many) without an answer"
        }
    }
}
