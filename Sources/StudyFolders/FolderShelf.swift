public import Assessment
import AudioFiles
public import ExamCore
import ExamKit
public import Learning
public import Reports
public import SessionFolders
public import Study
public import SystemSupport

/// A user's own exams and practice, in files that only this user can read.
///
/// ```
/// sessions/ID/        an exam or a spoken drill
/// practice.log        the events of practice, one a line
/// packs/ID.json       the user's own packs of questions
/// practice-tests/     the user's tests
/// plan.json           the user's profile and all plans so far
/// ```
///
/// ```swift
/// let shelf = FolderShelf()
/// let dossier = try await ExamDossier(of: "2026-11-21-0912-ielts-style", on: shelf, by: .ielts)
/// ```
public struct FolderShelf: LearnerShelf {
    /// The folders of all sessions.
    public let sessions: SessionShelf
    /// The rules by which delivery becomes an index.
    private let calibration: DeliveryCalibration?
    /// A session outside `sessions` that can also be found by its name.
    private let elsewhere: SessionFolder?
    /// Whether recordings become MP3.
    private let makesMP3: Bool
    /// The user's practice log.
    public let log: PracticeLog
    /// The user's own packs.
    public let packs: OwnPacks
    /// The user's tests.
    public let tests: OwnTests
    /// The file with the user's profile and plans.
    public let plans: PlanFile
    /// Gets the error of each pack that cannot be read.
    private let leaveOut: @Sendable (Problem) -> Void

    /// - Parameters:
    ///   - calibration: The user's own calibration. Nil for the measurements as they are stored.
    ///   - elsewhere: A session outside the shelf that can also be found by its folder's name.
    ///   - data: The folder of the user's practice.
    ///   - makesMP3: Whether `recording(of:in:)` converts recordings to MP3 for older browsers, at 2 ms a second of
    ///     sound. If false, it returns them as they are stored.
    ///   - leaveOut: Gets the error of each pack that cannot be read, when practice reads them.
    public init(
        _ sessions: SessionShelf = SessionShelf(), calibration: DeliveryCalibration? = nil,
        with elsewhere: SessionFolder? = nil, data: String = UserFolders.data, makesMP3: Bool = false,
        leaveOut: @escaping @Sendable (Problem) -> Void = { _ in }
    ) {
        self.sessions = sessions
        self.calibration = calibration
        self.elsewhere = elsewhere
        self.makesMP3 = makesMP3
        log = PracticeLog(path: data + "/practice.log")
        packs = OwnPacks(folder: data + "/packs")
        tests = OwnTests(folder: data + "/practice-tests")
        plans = PlanFile(path: data + "/plan.json")
        self.leaveOut = leaveOut
    }

    /// Returns the folder of a session. Nil if there is none.
    private func folder(_ id: ExamEntry.ID) -> SessionFolder? {
        if let elsewhere, elsewhere.name == id { return elsewhere }
        // An id is a name, not a path.
        guard !id.isEmpty, !id.contains("/") else { return nil }
        return try? SessionFolder.open(at: "\(sessions.path)/\(id)")
    }

    // MARK: - Exams

    public func exams(limit: Int, before place: ExamEntry?) async throws(Problem) -> [ExamEntry] {
        var entries = sessions.list().filter { SpokenDrill(paper: $0.paper) == nil }.map(Self.entry)
        if let place {
            // A session elsewhere is not in the list. All exams that began earlier come after it.
            if let index = entries.firstIndex(where: { $0.id == place.id }) {
                entries.removeFirst(index + 1)
            } else {
                entries.removeAll { ($0.startedAt ?? "") >= place.startedAt ?? "" }
            }
        }
        return Array(entries.prefix(limit))
    }

    private static func entry(_ session: SessionSummary) -> ExamEntry {
        var ending: ExamEnding?
        if case .over(let outcome) = session.state { ending = .outcome(outcome) }
        var entry = ExamEntry(
            id: session.id, format: session.format, paper: session.paper, startedAt: session.startedAt?.utc,
            ending: ending)
        entry.offset = session.startedAt?.secondsEast
        return entry
    }

    public func exam(_ id: ExamEntry.ID) async throws(Problem) -> ExamEvidence? {
        guard let folder = folder(id) else { return nil }
        return try evidence(of: folder)
    }

    /// Returns everything that a folder keeps of an exam, except its sound.
    ///
    /// - Parameter isMeasuring: Whether to measure recordings that have not been measured yet. If false, the evidence
    ///   has only the stored measurements, or none.
    /// - Throws: The same errors as `ExamAssessment.stored`; `Problem.malformed` with the file.
    public func evidence(of folder: SessionFolder, measuring isMeasuring: Bool = true) throws(Problem) -> ExamEvidence {
        var entry = Self.entry(SessionSummary(folder))
        let state = folder.stateOfEvidence
        let frozen = try folder.frozenExam()
        guard let manifest = try folder.readManifest() else {
            return ExamEvidence(
                entry: entry, name: folder.name, frozen: frozen, answers: [],
                assessment: .make(session: folder.name, answers: []))
        }
        if entry.ending == nil { entry.ending = .brokenOff }
        let gone = Set(folder.answersWithoutRecording(in: manifest).map(\.name))
        var evidence = ExamEvidence(
            entry: entry, name: folder.name, frozen: frozen,
            answers: manifest.takes.map { take in
                KeptAnswer(
                    record: take.record, recording: take.sha256, hasRecording: !gone.contains(take.record.name))
            },
            assessment: isMeasuring
                ? try .stored(in: folder, by: calibration)
                : try folder.readAssessment() ?? .make(session: folder.name, answers: []))
        // The files are in the order in which the assessors' programs ended. The evidence needs the order of the exam.
        let places = Dictionary(manifest.takes.enumerated().map { ($1.record.name, $0) }) { first, _ in first }
        func place(_ answer: String) -> Int { places[answer] ?? manifest.takes.count }
        evidence.typed = try folder.readTranscripts().sorted { place($0.answer) < place($1.answer) }
        evidence.said = try folder.readFindings().sorted {
            (place($0.answer), $0.source.id) < (place($1.answer), $1.source.id)
        }
        // The learner alone decides what evidence their own marks rest on.
        evidence.resting = evidence.said
        evidence.sheets = try folder.readMarks()
        evidence.state = state
        evidence.makesSoundForAllBrowsers = SoundAsMP3.isThere
        return evidence
    }

    public func assessment(of id: ExamEntry.ID) async throws(Problem) -> ExamAssessment? {
        guard let folder = folder(id), case .over = SessionSummary(folder).state else { return nil }
        // An unreadable file of another exam must not break this one.
        return try? folder.readAssessment()
    }

    public func keptFigures(of id: ExamEntry.ID) async -> ExamFigures? { folder(id)?.keptFigures }

    public func keep(_ figures: ExamFigures, of evidence: ExamEvidence) async {
        guard let state = evidence.state else { return }
        folder(evidence.entry.id)?.keep(figures, madeOf: state)
    }

    // MARK: - Sound

    public func recording(of answer: String, in exam: ExamEntry.ID) async throws(Problem) -> ReportedSound? {
        guard let folder = folder(exam),
            let take = try folder.readManifest()?.takes.first(where: { $0.record.name == answer })
        else { return nil }
        let (path, mediaType) = ("\(folder.path)/\(take.file)", take.file.hasSuffix(".wav") ? "audio/wav" : "audio/ogg")
        guard makesMP3 else {
            return (try? PrivateFile.read(path)).map { ReportedSound(mediaType: mediaType, bytes: $0) }
        }
        return SoundAsMP3.playable(path, mediaType: mediaType).map {
            ReportedSound(mediaType: $0.mediaType, bytes: $0.bytes)
        }
    }

    public func peaks(of prompt: [Clip], in exam: ExamEntry.ID) async throws(Problem) -> [Double] {
        guard !prompt.isEmpty, let folder = folder(exam) else { return [] }
        let record = try folder.readRecord()
        let voice = ExaminerVoice(of: record, recordings: UserFolders.recordings)
        return voice.peaks(of: prompt, in: record?.folders ?? [], step: SoundTimeline.peakStep)
    }

    // MARK: - Practice

    public func practiceContent(with mended: QuestionPack?) -> PracticeContent {
        PracticeContent(own: packs.packs(leaveOut: leaveOut), mended: mended)
    }

    public func mendedSentences() async throws(Problem) -> QuestionPack? { try sessions.mendedSentences() }

    public func keep(mended questions: [PracticeQuestion], of exam: ExamEntry.ID) async throws(Problem) -> Int {
        try folder(exam)?.keep(mended: questions) ?? 0
    }

    public func practice(after place: PracticePlace) async throws(Problem) -> PracticeStretch? {
        try log.stretch(after: place)
    }

    public func append(_ lines: [PracticeLine], after place: PracticePlace) async throws(Problem) -> Bool {
        try log.append(lines, after: place)
    }

    public func newestPractice(limit: Int) async throws(Problem) -> [PracticeLine] {
        Array(try log.stretch(after: PracticePlace())?.lines.suffix(limit) ?? [])
    }

    public func openTests() async throws(Problem) -> [String] {
        try tests.all().filter { [.ready, .inProgress].contains($0.status) }.map(\.id)
    }

    public func change(
        test id: PracticeTest.ID, _ change: @escaping @Sendable (inout PracticeTest) throws -> Void
    ) async throws -> PracticeTest? {
        try tests.change(id, change)
    }

    // MARK: - Plans

    public func planBook() async throws(Problem) -> KeptPlanBook? { try plans.read() }

    public func put(_ book: PlanBook, for known: KeptPlanBook?) async throws(Problem) -> Bool {
        try plans.replace(known, with: book)
    }
}
