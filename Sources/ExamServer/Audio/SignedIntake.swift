import BackendAPI
import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import RecordingStores
import SystemSupport
import UploadQueue

/// A request for an upload address.
struct UploadPlace: Decodable {
    var userId: String
    /// The session's id.
    var testId: String
    /// `part1`, `part2`, `part3`.
    var partType: String
    /// The question's id, with `…_a2` if it was asked a second time.
    var questionId: String
    /// The file's suffix with its dot: `.opus`.
    var fileExtension: String

    /// Reads the facts.
    ///
    /// - Throws: `APIProblem`, 400 and 415.
    func facts() throws(APIProblem) -> (session: UUID, facts: SignedFacts) {
        guard let session = WrittenID(testId)?.id else { throw .malformed("test_id: must be a UUID.") }
        guard let words = partType.wholeMatch(of: /(?:part)?([1-9])/), let part = Int(words.1) else {
            throw .malformed("part_type: must be part1, part2 …")
        }
        try Field.text(questionId, "question_id", atMost: 100)
        guard let mediaType = AudioMediaType(suffix: fileExtension) else { throw .notSound }
        return (session, SignedFacts(part: part, question: questionId, mediaType: mediaType.text))
    }
}

/// A client's notice that it has uploaded an object.
struct StoredObject: Decodable {
    var userId: String
    var key: String
    /// The answer's id, if the client has one.
    var responseId: String?
    /// The session's template. Ignored if this server does not have it.
    var templateId: String?
    var triggerEvaluation: Bool?
}

/// The facts kept for an address until its object has been uploaded.
struct SignedFacts: Codable, Equatable {
    var part: Int
    var question: String
    var mediaType: String

    /// The number of the attempt: 2 for `…_a2`, if the question was asked a second time.
    var attempt: Int {
        guard let mark = question.range(of: "_a", options: .backwards), mark.lowerBound > question.startIndex,
            let number = Int(question[mark.upperBound...]), (2...99).contains(number)
        else { return 1 }
        return number
    }

    /// The question's id without the suffix for the attempt.
    var plainQuestion: String {
        attempt > 1 ? String(question[..<question.range(of: "_a", options: .backwards)!.lowerBound]) : question
    }
}

/// Recordings that a client uploads directly to the storage. A row reserves their space. When the client reports an
/// upload, the object is checked and moved to a key for which no client has an address.
struct SignedIntake: Sendable {
    let services: Services
    let caller: Caller

    var user: UUID { caller.user }

    /// The time for which an address reserves space: as long as the address is valid, and a quarter of an hour more for
    /// the bytes.
    private static let patience = Double(SignedUploadRoutes.seconds + 900)

    /// Reserves an upload.
    ///
    /// - Returns: the key for the object.
    /// - Throws: `APIProblem`: 404 if the session belongs to another user, 429.
    func begin(_ session: UUID, _ facts: SignedFacts) async throws(APIProblem) -> AudioKey {
        let quota = try await Quota(of: user, services)
        try quota.admit(recording: quota.limits.recordingBytes)
        let there = try await rows { store throws(StoreError) in try await store.session(session) }
        // Clients that use addresses send an answer again if they don't know whether it arrived. The server then
        // compares.
        if let refusal = there?.refusal, try await !isStored(facts, in: session) { throw refusal }
        if there == nil {
            try quota.admitExam()
            try quota.admitSession()
            let row = TestSession(
                id: session, name: session.name, format: "uploaded", paper: "", startedAt: UTCText(Date()).iso)
            let limits = services.settings.limits
            if try await rows({ store throws(StoreError) in
                try await store.put(row, in: caller.groupsAsLearner, within: limits.toBegin(.exam))
            }) == .refused {
                throw .missing("session")
            }
        }
        let id = UUID()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let upload = ResumableUpload(
            id: id, session: session, length: quota.limits.recordingBytes,
            metadata: (try? encoder.encode(facts)).map { String(decoding: $0, as: UTF8.self) } ?? "",
            key: AudioKey(direct: id, of: session, user: user).text,
            expiresAt: UTCText(Date(timeIntervalSinceNow: Self.patience)).iso)
        let allowance = services.settings.limits.forRecordings
        let made = try await rows { store throws(StoreError) in try await store.create(upload, within: allowance) }
        guard made == .created else {
            throw .missing("session")
        }
        return AudioKey(upload.key)!
    }

    /// Whether an answer to this question is stored.
    private func isStored(_ facts: SignedFacts, in session: UUID) async throws(APIProblem) -> Bool {
        // Clients that know a question from its template send its id in the template.
        let id = UUID(uuidString: facts.plainQuestion)
        return try await rows { store throws(StoreError) in try await store.responses(of: session) }.contains {
            $0.record.part == facts.part && $0.record.attempt == facts.attempt
                && ($0.record.question == facts.plainQuestion || id != nil && $0.questionID == id)
        }
    }

    /// Makes the uploaded file the recording of an answer, and creates the answer, too: these clients send no other
    /// facts.
    ///
    /// - Throws: `APIProblem`: 404 if this user was not given such a key or nothing was uploaded, 409 if the answer has
    ///   another recording, 413.
    func complete(_ stored: StoredObject) async throws(APIProblem) -> (session: UUID, answer: UUID) {
        guard let key = AudioKey(stored.key), let id = key.directUpload,
            let upload = try await rows({ store throws(StoreError) in try await store.resumableUpload(id) }),
            upload.key == key.text, let session = upload.session, let length = upload.length,
            let facts = try? JSONDecoder().decode(SignedFacts.self, from: Data(upload.metadata.utf8)),
            let mediaType = AudioMediaType(facts.mediaType)
        else { throw .missing("upload") }
        let answer: UUID
        if let text = stored.responseId {
            guard let id = WrittenID(text)?.id else { throw .malformed("response_id: must be a UUID.") }
            answer = id
        } else {
            answer = DeliveryID.make("part\(facts.part)_\(facts.question)", of: session)
        }
        try await keep(Self.template(stored.templateId), of: session)
        let intake = RecordingIntake(services)
        if upload.offset == length {
            // A repeated request, because the client did not get the first answer.
            guard try await intake.recording(answer, of: user)?.session == session else { throw .missing("upload") }
            return (session, answer)
        }
        let found = try await services.objects { audio throws(AudioStoreError) in try await audio.size(of: key) }
        guard let byteCount = found else { throw .missing("recording") }
        guard byteCount <= length else {
            try? await services.audio.delete(key)
            throw .tooLarge(limit: length)
        }
        // From here on these bytes count, even if the client uploads others while the address is valid.
        let file = try await ReceivedFile.take(
            [key], from: services.audio, limit: length, folder: services.settings.uploadFolder)
        let recording: Recording
        do throws(APIProblem) {
            recording = try await intake.keep(file, as: answer, of: session, user: user, mediaType, instead: nil)
                .recording
        } catch {
            if error.status == .unsupportedMediaType { try? await services.audio.delete(key) }
            throw error
        }
        try await put(recording, facts, file)
        // The row stays until the address expires. Bytes sent late are removed with it.
        _ = try await rows { store throws(StoreError) in try await store.advance(id, from: 0, to: length) }
        try? await services.audio.delete(key)
        return (session, answer)
    }

    /// Ends an exam and queues it for evaluation, once.
    ///
    /// - Returns: whether it was not queued before, and the session's status.
    /// - Throws: `APIProblem`: 404.
    func evaluate(_ session: UUID, template: UUID?) async throws(APIProblem) -> (isNew: Bool, status: String) {
        guard let row = try await rows({ store throws(StoreError) in try await store.session(session) }) else {
            throw .missing("session")
        }
        try await keep(template, of: session)
        guard row.completedAt == nil else { return (false, row.status.rawValue) }
        if let refusal = row.refusal { throw refusal }
        let answers = try await rows { store throws(StoreError) in try await store.responses(of: session) }.count
        let completion = Completion(
            id: DeliveryID.make("completion", of: session), completedAt: UTCText(Date()).iso, outcome: "completed",
            answers: answers)
        let written = try await rows { store throws(StoreError) in try await store.complete(session, completion) }
        await services.seal(session)
        return (written == .created, "processing")
    }

    /// Returns whether the server is waiting for this object.
    static func isAwaited(_ key: AudioKey, _ services: Services) async throws(APIProblem) -> Bool {
        guard let id = key.directUpload, let user = key.user else { return false }
        let upload = try await services.rows(of: user) { store throws(StoreError) in try await store.resumableUpload(id)
        }
        return upload?.key == key.text && upload?.offset == 0
    }

    /// Reads a template's id.
    ///
    /// - Throws: `APIProblem`, 400.
    static func template(_ text: String?) throws(APIProblem) -> UUID? {
        guard let text else { return nil }
        guard let id = WrittenID(text)?.id else { throw .malformed("template_id: must be a UUID.") }
        return id
    }

    // MARK: -

    private func keep(_ template: UUID?, of session: UUID) async throws(APIProblem) {
        guard let template else { return }
        _ = try await rows { store throws(StoreError) in try await store.put(template: template, of: session) }
    }

    /// Returns the question's id in its paper. The client may have sent its id in the template instead.
    private func question(_ named: String, of session: UUID) async throws(APIProblem) -> String {
        guard let id = WrittenID(named)?.id,
            let template = try await rows({ store throws(StoreError) in try await store.session(session) })?.templateID,
            let known = try await rows({ store throws(StoreError) in try await store.question(id, of: template) })
        else { return named }
        return known.question
    }

    private func put(_ recording: Recording, _ facts: SignedFacts, _ file: ReceivedFile) async throws(APIProblem) {
        // The duration is unknown if the file cannot be read, or is a stream without a length.
        let duration = await file.length(by: services.sound, for: user)
        let there = try await rows { store throws(StoreError) in try await store.responses(of: recording.session) }
        if there.contains(where: { $0.id == recording.id }) { return }
        // The client does not state how the answer ended, or how much of it is speech.
        let question = try await question(facts.plainQuestion, of: recording.session)
        let record = AnswerRecord(
            question: question, part: facts.part, order: 1 + there.count { $0.part == facts.part },
            attempt: facts.attempt, duration: duration.map(Seconds.init))
        let response = TestResponse(
            id: recording.id, session: recording.session, record: record,
            questionID: UUID(uuidString: facts.plainQuestion), path: recording.key, byteCount: recording.byteCount,
            sha256: recording.sha256, mediaType: recording.mediaType)
        _ = try await rows { store throws(StoreError) in try await store.put(response) }
    }

    private func rows<Value>(
        _ ask: (OwnedStore) async throws(StoreError) -> Value
    ) async throws(APIProblem) -> Value { try await services.rows(of: user, ask) }
}
