import Assessment
import AudioFiles
import ExamCore
import ExamNode
import ExamStore
import Foundation
import Learning
import RecordingStores
import Reports
import ServerWork
import SessionFolders
import Study
import SystemSupport

/// A user's exams, practice and plans in a server's rows, for the user or for a reader of one exam.
struct StoreShelf: LearnerShelf {
    let services: Services
    let owned: OwnedStore
    /// The source of the examiner's recordings. Nil if nothing is played.
    private let prompts: PreparedExams?
    /// The user who asks.
    private let reader: UUID

    /// - Parameter reader: Nil for the user of the rows.
    init(_ services: Services, _ owned: OwnedStore, prompts: PreparedExams? = nil, for reader: UUID? = nil) {
        self.services = services
        self.owned = owned
        self.prompts = prompts
        self.reader = reader ?? owned.user
    }

    /// Runs a call of the store.
    ///
    /// - Throws: `Problem` in place of the store's error.
    private func ask<Value: Sendable>(
        _ call: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do throws(StoreError) {
            return try await call()
        } catch {
            throw Problem(error)
        }
    }

    // MARK: - Exams

    /// Returns the exams, the newest first. Empty for a reader of another user's exam, who sees only that exam.
    func exams(limit: Int, before place: ExamEntry?) async throws(Problem) -> [ExamEntry] {
        if owned.isReadOnly { return [] }
        return try await ask { () throws(StoreError) in
            var cursor: PageCursor?
            if let place {
                guard let id = UUID(uuidString: place.id), let session = try await owned.session(id) else { return [] }
                cursor = PageCursor(after: session)
            }
            return try await owned.sessions(limit: limit, before: cursor, papers: .exams).map { ExamEntry($0) }
        }
    }

    func exam(_ id: ExamEntry.ID) async throws(Problem) -> ExamEvidence? {
        guard let id = UUID(uuidString: id) else { return nil }
        return try await ask { () throws(StoreError) in
            guard let session = try await owned.session(id) else { return nil }
            return try await StoredExam(session, of: owned, in: services.store.service).evidence
        }
    }

    func assessment(of id: ExamEntry.ID) async throws(Problem) -> ExamAssessment? {
        guard let id = UUID(uuidString: id) else { return nil }
        return try await ask { () throws(StoreError) in
            let responses = try await owned.responses(of: id).assessed
            let sounds = try await services.store.service.findings(
                MeasuredSound.self, of: id, by: StoredExam.Finder.measurer)
            let found = ExamAssessment.make(session: id.name, responses, sounds)
            return found.answers.isEmpty ? nil : found
        }
    }

    // MARK: - Sound

    /// Returns a recording as MP3, or unchanged if this machine cannot write MP3. Nil if the recording is gone or
    /// cannot be decoded.
    func recording(of answer: String, in exam: ExamEntry.ID) async throws(Problem) -> ReportedSound? {
        guard let id = UUID(uuidString: exam) else { return nil }
        let found = try await ask { () throws(StoreError) -> (TestResponse, Recording)? in
            guard let response = try await owned.responses(of: id).first(where: { $0.record.name == answer }),
                let recording = try await owned.recording(response.id)
            else { return nil }
            return (response, recording)
        }
        guard let (response, recording) = found, let key = AudioKey(recording.key) else { return nil }
        do {
            let file = try await FetchedFile(key, from: services.audio, in: services.settings.folder)
            guard file.sha256 == recording.sha256 else { return nil }
            return try await playable(file, response)
        } catch let error as AudioStoreError where error.kind == .missing {
            return nil
        } catch let error as AudioStoreError {
            throw Problem(.unavailable, error.message)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.unavailable, "a recording could not be fetched")
        }
    }

    private func playable(
        _ file: borrowing FetchedFile, _ response: TestResponse
    ) async throws(Problem) -> ReportedSound? {
        guard SoundAsMP3.isThere else {
            let path = file.path
            return await runBlocking { try? PrivateFile.read(path) }.map {
                ReportedSound(mediaType: response.mediaType, bytes: $0)
            }
        }
        do throws(SoundWorkers.Failure) {
            let (_, bytes) = try await services.sound.perform(
                .mp3, on: file.path, byteCount: file.byteCount, for: reader, .person)
            return ReportedSound(mediaType: "audio/mpeg", bytes: bytes)
        } catch {
            // The client is gone.
            if error == .cancelled { throw Problem(.unavailable, "the report was cancelled") }
            return nil
        }
    }

    /// Returns the examiner's prompt over time, if this node has its sound.
    func peaks(of prompt: [Clip], in exam: ExamEntry.ID) async throws(Problem) -> [Double] {
        guard let prompts, let id = UUID(uuidString: exam) else { return [] }
        let files = try await ask { () throws(StoreError) in try await services.store.service.files(of: id) }
        let frozen = files["exam.json"].flatMap { try? FrozenExam($0, from: "exam.json") }
        return await runBlocking {
            prompts.peaks(
                of: prompt, record: files["session.json"], language: frozen?.format.language,
                step: SoundTimeline.peakStep)
        }
    }

    // MARK: - Practice

    /// The number of lines to read at a time.
    private static let page = 5_000

    func practiceContent(with mended: QuestionPack?) -> PracticeContent {
        mended.map(services.practice.with) ?? services.practice
    }

    func mendedSentences() async throws(Problem) -> QuestionPack? {
        let files = try await ask { () throws(StoreError) in try await owned.files(named: MendedFile.name) }
        // A file that cannot be read was written by a newer version, which can read it.
        return MendedFile.joined(files.map { (try? MendedFile.questions(in: $0, name: MendedFile.name)) ?? [] })
    }

    func keep(mended questions: [PracticeQuestion], of exam: ExamEntry.ID) async throws(Problem) -> Int {
        guard let id = UUID(uuidString: exam), !questions.isEmpty else { return 0 }
        return try await ask { () throws(StoreError) in
            try await owned.change(file: MendedFile.name, of: id) { bytes in
                let before = bytes.map { try? MendedFile.questions(in: $0, name: MendedFile.name) } ?? []
                // A newer version's sentences stay as they are.
                guard let before, let (file, added) = MendedFile.adding(questions, to: before) else { return (nil, 0) }
                return (file, added)
            } ?? 0
        }
    }

    func practice(after place: PracticePlace) async throws(Problem) -> PracticeStretch? {
        let read = try await ask { () throws(StoreError) in
            try await owned.practiceLines(after: place.number, knowing: place.line, limit: Self.page)
        }
        guard let read else { return nil }
        var lines: [PracticeLine] = []
        lines.reserveCapacity(read.count)
        for line in read {
            guard let parsed = PracticeLine(line.text) else {
                throw Problem(
                    .unavailable, "a practice log has a line that this program does not know: a newer one wrote it")
            }
            lines.append(parsed)
        }
        let end = read.last.map { PracticePlace(number: $0.number, line: $0.text) } ?? place
        return PracticeStretch(lines, end: end, isWhole: read.count < Self.page)
    }

    func append(_ lines: [PracticeLine], after place: PracticePlace) async throws(Problem) -> Bool {
        try await ask { () throws(StoreError) in
            try await owned.append(practiceLines: lines.map(\.text), after: place.number, knowing: place.line)
        }
    }

    func newestPractice(limit: Int) async throws(Problem) -> [PracticeLine] {
        try await ask { () throws(StoreError) in
            try await owned.newestPracticeLines(limit: limit).compactMap(PracticeLine.init)
        }
    }

    func openTests() async throws(Problem) -> [String] {
        try await ask { () throws(StoreError) in
            try await owned.practiceTests(limit: services.settings.limits.practiceTests)
                .filter { [.ready, .inProgress].contains($0.state) }.map(\.id.name)
        }
    }

    func change(
        test id: PracticeTest.ID, _ change: @escaping @Sendable (inout PracticeTest) throws -> Void
    ) async throws -> PracticeTest? {
        guard let id = UUID(uuidString: id) else { return nil }
        let changed = try await ask { () throws(StoreError) in
            try await owned.change(practiceTest: id) { kept in
                let changed: Result<PracticeTest, any Error> = Result {
                    // A test that cannot be read was written by a newer version. A node with that version can read it.
                    guard var test = try? kept.test() else {
                        throw Problem(.unavailable, "a test is of a newer version")
                    }
                    try change(&test)
                    return test
                }
                return (kept: (try? changed.get()).map { kept.with($0) }, outcome: changed)
            }
        }
        return try changed?.get()
    }

    // MARK: - Plans

    /// Returns the profile and plans. Nil for a reader of another user's exam, who sees only that exam.
    func planBook() async throws(Problem) -> KeptPlanBook? {
        if owned.isReadOnly { return nil }
        guard let text = try await ask({ () throws(StoreError) in try await owned.planBook() }) else { return nil }
        do throws(Problem) {
            return try KeptPlanBook(text, name: "plan")
        } catch {
            // A newer version wrote it, and can read it.
            throw Problem(.unavailable, error.sentence)
        }
    }

    func put(_ book: PlanBook, for known: KeptPlanBook?) async throws(Problem) -> Bool {
        try await ask { () throws(StoreError) in
            try await owned.put(planBook: String(decoding: book.json, as: UTF8.self), for: known?.text)
        }
    }
}

extension Problem {
    /// The store's error in the terms of `LearnerShelf`.
    init(_ error: StoreError) {
        let kind: Kind =
            switch error.kind {
            case .unavailable, .unusable: .unavailable
            case .invalid, .conflict: .malformed
            case .full: .occupied
            case .refused, .sealed, .heldHere: .denied
            }
        self.init(kind, error.message)
    }
}
