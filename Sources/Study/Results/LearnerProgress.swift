public import Assessment
public import Reports
public import SystemSupport

/// The development of a learner's exams of one format, for the terminal, the page and reports.
public struct LearnerProgress: Sendable {
    /// The most exams of the format, the newest ones. This many fit on a line of a terminal.
    public static let most = 24
    /// The most exams, of any format, to search for exams of this format.
    static let mostSought = 200

    /// The format's id.
    public let format: String
    /// The ids of all formats of which the learner has exams, the newest exam's first.
    public let formats: [String]
    /// The oldest first. Exams without measurements are left out.
    public let exams: [ProgressExam]
    /// The band that the learner wants, compared with the estimates. Nil if the profile names none.
    public let goal: GoalProgress?

    /// Reads the exams of a format with their measures and estimates. Single parts are left out, and exams that cannot
    /// be read.
    ///
    /// - Parameters:
    ///   - format: The format's id. Nil for the format of the newest exam that was measured.
    ///   - rules: The rules for marks and estimates.
    ///   - offset: The offset of the learner's clock from UTC in seconds east, for exams that did not record it. Nil for
    ///     that of this machine.
    /// - Returns: Nil if no exam was measured and `format` is nil.
    /// - Throws: The shelf's errors except `malformed` and `missing`.
    public init?(
        of format: String?, on shelf: some LearnerShelf, by rules: ResultRules, offset: Int? = nil
    ) async throws(Problem) {
        let entries = try await shelf.exams(limit: Self.mostSought, before: nil)
            .filter { $0.format != nil && $0.ending != nil }
        var chosen = format
        var exams: [ProgressExam] = []
        for entry in entries where chosen == nil || entry.format == chosen {
            guard exams.count < Self.most else { break }
            guard let began = entry.startedAt.flatMap(WallTime.init),
                let evidence = try await Self.evidence(of: entry, on: shelf), evidence.part == nil
            else { continue }
            chosen = entry.format
            let local = WallTime(
                secondsSince1970: began.secondsSince1970 + (entry.offset ?? offset ?? began.secondsEast))
            exams.append(
                ProgressExam(
                    session: entry.id, startedAt: began.utc, day: String(local.utc.prefix(10)),
                    of: evidence.assessment, estimates: ExamDossier(evidence, after: [], by: rules).estimates))
        }
        guard let chosen else { return nil }
        self.format = chosen
        self.exams = exams.reversed()
        goal = GoalProgress(wanted: await GoalProgress.wantedBand(on: shelf), self.exams.map(\.estimates))
        var seen: Set<String> = []
        formats = entries.compactMap(\.format).filter { seen.insert($0).inserted }
    }

    /// Returns what is kept of a measured exam. Nil if it was not measured, or cannot be read.
    private static func evidence(
        of entry: ExamEntry, on shelf: some LearnerShelf
    ) async throws(Problem) -> ExamEvidence? {
        try await unlessUnreadable { () throws(Problem) in
            guard let evidence = try await shelf.exam(entry.id) else { return nil }
            // If no answer was measured, look whether the exam was measured at all. All other exams are fetched only
            // once.
            guard evidence.assessment.answers.isEmpty else { return evidence }
            return try await shelf.assessment(of: entry.id) == nil ? nil : evidence
        }
    }

    /// The drawing, for the terminal, the page and files alike.
    public var chart: ProgressChart { ProgressChart(exams, title: format, wanted: goal?.wanted) }

    /// The change of each measure from the exams before to the newest one, as sentences.
    public var sentences: [String] { exams.changes.map(\.sentence) }
}
