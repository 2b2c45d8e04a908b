import Assessors
import ExamStore
import Foundation
import Logging
import SystemSupport

/// Evaluates a session that is over: each answer that this version of the assessor has not assessed is fetched, measured and assessed,
/// and the session's result is made of all of them.
///
/// What was found in an answer is stored before anything else is done with it. A worker may die between any two steps: the next one
/// goes on with the answers that are left.
struct Evaluation: Sendable {
    let services: Services
    let job: Job

    /// - Throws: `LostLease` where the job is somebody else's; anything where it is to be tried again.
    func run() async throws {
        let service = services.store.service
        // Erased meanwhile, and the job with it.
        guard let user = try await service.owner(of: job.session), let session = try await service.session(job.session)
        else { return }
        let owned = services.owned(by: user)
        let responses = try await owned.responses(of: job.session)
        var results = try await service.assessments(of: job.session, by: services.assessorVersion)
        let found = try await assess(responses.filter { results[$0.id] == nil }, owned)
        results.merge(found) { kept, _ in kept }
        let answers = responses.compactMap { results[$0.id] }
        let result = try await services.assessor?.result(of: session, from: answers) ?? StoredResult()
        guard try await service.complete(job, result, by: services.assessor?.version) else { throw LostLease() }
    }

    /// A few at a time. One that fails stops no other: what was found is kept, and only what is left is asked for again.
    private func assess(_ responses: [TestResponse], _ owned: OwnedStore) async throws -> [UUID: ResponseResult] {
        var found: [UUID: ResponseResult] = [:]
        var failure: (any Error)?
        await withTaskGroup(of: Result<ResponseResult, any Error>.self) { group in
            for (number, response) in responses.enumerated() {
                if number >= max(1, services.assessor?.callsAtOnce ?? 1), let outcome = await group.next() {
                    take(outcome)
                }
                if Task.isCancelled { break }
                group.addTask {
                    do { return .success(try await assess(response, owned)) } catch { return .failure(error) }
                }
            }
            for await outcome in group { take(outcome) }
        }
        if let failure { throw failure }
        try Task.checkCancellation()
        return found

        func take(_ outcome: Result<ResponseResult, any Error>) {
            switch outcome {
            case .success(let result): found[result.response] = result
            case .failure(let error): failure = failure ?? error
            }
        }
    }

    private func assess(_ response: TestResponse, _ owned: OwnedStore) async throws -> ResponseResult {
        guard let recording = try await owned.recording(response.id), let key = AudioKey(recording.key) else {
            return try await keep(Self.failed(response.id, "The recording is missing."))
        }
        let file = try await FetchedFile(key, from: services.audio, in: services.settings.folder)
        guard file.sha256 == recording.sha256 else {
            return try await keep(Self.failed(response.id, "The recording is not the one that was stored."))
        }
        let path = file.path
        let peaks: [Double]? = try? await runBlocking { try response.peaks ?? Waveform.peaks(of: path) }
        if peaks != nil, let sound = try? await runBlocking({ try RecordingMeasure.measure(path) }) {
            try await services.store.service.keep(sound, of: response.id, by: SessionFindings.Finder.measurer)
        }
        var result = try await ask(response, path, isDecodable: peaks != nil)
        result.peaks = peaks
        return try await keep(result)
    }

    /// Asks the assessor, unless it said something about this answer before.
    private func ask(_ response: TestResponse, _ path: String, isDecodable: Bool) async throws -> ResponseResult {
        let undecodable = "The recording cannot be decoded."
        guard let assessor = services.assessor else {
            return isDecodable ? ResponseResult(response: response.id) : Self.failed(response.id, undecodable)
        }
        let begin = try await services.store.service.beginAssessment(of: response.id, by: assessor.version, for: job)
        let attempt: Int
        switch begin {
        case .known(let result): return result
        case .lost: throw LostLease()
        case .elsewhere: throw AnswerInUse()
        case .ask(let number): attempt = number
        }
        let request = AssessmentRequest(
            path: path, response: response, version: assessor.version, attempt: attempt)
        var result =
            try await isDecodable
            ? assessor.assess(request) : assessor.assess(undecodable: request, because: undecodable)
        result.response = response.id
        return result
    }

    /// Stores what was found. It may have been paid for: a store that is away is waited for, as long as the lease lasts, and what no store
    /// takes is not asked for again.
    private func keep(_ found: ResponseResult) async throws -> ResponseResult {
        var result = found
        while true {
            do throws(StoreError) {
                let kept = try await services.store.service.keep(result, by: services.assessorVersion) ?? result
                if kept.error != nil { warn(of: kept) }
                return kept
            } catch {
                if error.kind == .invalid, result == found {
                    result = Self.failed(result.response, "What was found cannot be stored.")
                    result.peaks = found.peaks
                    continue
                }
                guard error.kind == .unavailable, !Task.isCancelled else { throw error }
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Tells whoever runs the server; the reason stands in the answer's row.
    private func warn(of result: ResponseResult) {
        services.logger.warning(
            "an answer cannot be assessed",
            metadata: ["session": "\(job.session.name)", "answer": "\(result.response.name)"])
    }

    private static func failed(_ id: UUID, _ reason: String) -> ResponseResult {
        ResponseResult(response: id, error: reason)
    }
}

/// The worker of another job is asking about this answer.
struct AnswerInUse: Error {}
