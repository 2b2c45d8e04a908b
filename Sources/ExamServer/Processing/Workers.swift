import ExamKit
import ExamStore
import Foundation
import Glibc
import Logging
import ServiceLifecycle

/// Those who work on sessions that are over: one job at a time each, claimed from the store, so that any node may do any of it.
///
/// A worker that dies gives its job back when its lease runs out; a job that fails is tried again later and later, and kept for a
/// person at last.
struct Workers: Service {
    let services: Services
    let assessing: (any Assessor)?
    let count: Int

    /// Long enough for the longest answer on a slow machine; renewed with each answer.
    private static let lease = 120.0

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask { await work("\(services.settings.node)/\(number + 1)") }
                }
                // A service that returns ends all others, and a node may have no workers.
                if count == 0 { group.addTask { try? await gracefulShutdown() } }
            }
        }
    }

    private func work(_ name: String) async {
        for await _ in services.store.service.wakeUps() {
            while !Task.isCancelled {
                do {
                    guard let job = try await services.store.service.claim(worker: name, seconds: Self.lease) else {
                        break
                    }
                    await perform(job)
                } catch {
                    // The store is away: it says when there may be work again.
                    services.logger.warning("jobs", metadata: ["what": "\(error.words)"])
                    break
                }
            }
            if Task.isCancelled { return }
        }
    }

    private func perform(_ job: Job) async {
        let service = services.store.service
        do {
            try await evaluate(job)
            _ = try await service.complete(job)
        } catch {
            // The kind of an error, never what it says of a recording's content.
            let words = (error as? StoreError)?.words ?? (error as? AudioStoreError)?.words ?? "\(type(of: error))"
            services.logger.warning("job", metadata: ["session": "\(job.session.name)", "what": "\(words)"])
            _ = try? await service.fail(job, words)
        }
    }

    /// Looks at every answer of a session that nobody has looked at, and concludes.
    private func evaluate(_ job: Job) async throws {
        let service = services.store.service
        guard let user = try await service.owner(of: job.session), let session = try await service.session(job.session)
        else { return }
        let owned = services.store.owned(by: user)
        var results: [ResponseResult] = []
        for response in try await owned.responses(of: job.session) {
            guard try await service.extend(job, seconds: Self.lease) else { return }
            var result = try await look(at: response, owned)
            // It was assessed before, by a worker that died later.
            if response.processing == "completed" { result.scores = response.scores }
            _ = try await service.put(result, session: job.session)
            results.append(result)
        }
        let conclusion =
            try await assessing?.conclude(results, of: session) ?? StoredResult(responses: results)
        _ = try await service.put(conclusion, session: job.session)
    }

    private func look(at response: TestResponse, _ owned: OwnedStore) async throws -> ResponseResult {
        guard let recording = try await owned.recording(response.id), let key = AudioKey(recording.key) else {
            return ResponseResult(response: response.id, error: "it has no recording")
        }
        let file = try await FetchedFile(key, from: services.audio, in: services.settings.folder)
        guard file.sha256 == recording.sha256 else {
            return ResponseResult(response: response.id, error: "its recording is not what was stored")
        }
        guard let peaks = try? Waveform.peaks(of: file.path) else {
            return ResponseResult(response: response.id, error: "its recording cannot be decoded")
        }
        var result = try await assessing?.assess(file.path, of: response) ?? ResponseResult(response: response.id)
        result.peaks = peaks
        return result
    }
}
