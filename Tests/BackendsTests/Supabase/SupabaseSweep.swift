import Foundation
import HTTPClient
import SupabaseStandIn
import TestSupport
import Testing
import UploadQueue

/// Each step of a delivery meets each situation, once or always. Either everything arrives once, or it waits with the
/// server's own words. After the cause is removed, a retry makes everything arrive once.
@Suite(.needs(StandInProject.obstacle), .endsIfItHangs) struct SupabaseSweep {
    enum Step: String, CaseIterable, Sendable {
        case session, object, info, row, counter, completion, entry

        func isAsked(by request: HTTPRequest) -> Bool {
            let body = if case .bytes(let bytes) = request.body { String(decoding: bytes, as: UTF8.self) } else { "" }
            let isChange = request.method == "PATCH" && request.url.contains("/rest/v1/test_sessions")
            return switch self {
            case .session: request.line == "POST /rest/v1/test_sessions"
            case .object: request.line.hasPrefix("POST /storage/v1/object/")
            case .info: request.line.hasPrefix("GET /storage/v1/object/info/")
            case .row: request.line == "POST /rest/v1/responses"
            case .counter: isChange && !body.contains("\"status\"")
            case .completion: isChange && body.contains("\"status\"")
            case .entry: request.line == "POST /rest/v1/processing_queue"
            }
        }

        var isStorage: Bool { self == .object || self == .info }
    }

    enum Situation: String, CaseIterable, Sendable {
        case lost, answerLost, expired, rotated, rules, statementTimeout, unavailable, busy, page, conflict

        func fault(at step: Step) -> StandInProject.Fault {
            switch self {
            case .lost: .lost
            case .answerLost: .answerLost
            case .expired:
                .answer(
                    step.isStorage
                        ? StandInStorage.error("403", "AccessDenied", "\"exp\" claim timestamp check failed")
                        : StandInRest.error(401, "PGRST303", "JWT expired"))
            case .rotated:
                .answer(
                    step.isStorage
                        ? StandInStorage.error("403", "AccessDenied", "signature verification failed")
                        : StandInRest.error(401, "PGRST301", "No suitable key or wrong key type"))
            case .rules:
                .answer(
                    step.isStorage
                        ? StandInStorage.error("403", "AccessDenied", words)
                        : StandInRest.error(403, "42501", words))
            case .statementTimeout:
                .answer(
                    step.isStorage
                        ? StandInStorage.error("544", "DatabaseTimeout", words) : StandInRest.error(500, "57014", words)
                )
            case .unavailable: .answer(.text(503, words))
            case .busy: .answer(.json(429, ["message": words], headers: ["retry-after": "7"]))
            case .page: .answer(.text(200, "<html>Welcome</html>", headers: ["content-type": "text/html"]))
            case .conflict:
                .answer(
                    step.isStorage
                        ? StandInStorage.error("409", "KeyAlreadyExists", "The resource already exists")
                        : StandInRest.error(
                            409, "23503", "insert or update violates foreign key constraint \"x_fkey\"",
                            details: "Key is not present in table \"test_sessions\"."))
            }
        }

        /// The server's own words, if it sends any.
        var words: String {
            switch self {
            case .rules: "new row violates row-level security policy"
            case .statementTimeout: "canceling statement due to statement timeout"
            case .unavailable: "upstream connect error"
            case .busy: "too many requests"
            default: ""
            }
        }
    }

    /// Returns the failures that keep uploads from arriving after as many tries as a queue might make.
    private func deliverAll(_ device: Device) async throws -> [(upload: Upload, failure: DeliveryFailure)] {
        let answers = try [device.answer(order: 1), device.answer(order: 2)]
        var failures: [(Upload, DeliveryFailure)] = []
        for stage in [[device.sessionUpload], answers, [device.completion(of: 2, delivered: 2)]] {
            for upload in stage {
                var failure: DeliveryFailure?
                for _ in 0..<4 {
                    failure = await device.failure(of: upload)
                    guard let failure, ![.refused, .signInNeeded].contains(failure.kind) else { break }
                }
                if let failure { failures.append((upload, failure)) }
            }
            // Later uploads wait.
            if !failures.isEmpty { break }
        }
        return failures
    }

    private func checkWhole(_ device: Device, _ what: String) throws {
        let sessions = device.rows("test_sessions")
        #expect(sessions.count == 1 && device.rows("responses").count == 2, "\(what)")
        #expect(sessions.first?["status"] == .text("completed"), "\(what)")
        #expect(sessions.first?["completed_responses"] == .number(2), "\(what)")
        #expect(sessions.first?["all_responses_uploaded"] == .truth(true), "\(what)")
        #expect(device.rows("processing_queue").count == 1, "\(what)")
        #expect(device.objects.count == 2, "\(what)")
        for upload in try [device.answer(order: 1), device.answer(order: 2)] {
            guard case .answer(let answer, let file) = upload.content else { continue }
            let path = answer.objectPath(session: Device.session.id, suffix: file.suffix)
            let sent = try Data(contentsOf: URL(filePath: file.path))
            #expect(device.objects[path].map { Data($0.bytes) } == sent, "\(what)")
        }
        #expect(device.complaints.isEmpty, "\(what): \(device.complaints)")
    }

    /// Checks that nothing is there twice, and that every object without a row is reported.
    private func checkHalf(
        _ device: Device, _ failures: [(upload: Upload, failure: DeliveryFailure)], _ situation: Situation,
        _ what: String
    ) {
        #expect(device.rows("test_sessions").count <= 1 && device.rows("processing_queue").count <= 1, "\(what)")
        #expect(device.rows("responses").count <= 2, "\(what)")
        let named = Set(device.rows("responses").compactMap { $0["audio_file_path"]?.text })
        for (upload, failure) in failures {
            #expect(!failure.message.isEmpty || failure.kind == .transient, "\(what): \(failure)")
            if !situation.words.isEmpty, failure.kind != .signInNeeded {
                #expect(failure.message.contains(situation.words), "\(what): \(failure)")
            }
            if situation == .busy { #expect(failure.retryAfter == .seconds(7), "\(what)") }
            guard case .answer(let answer, let file) = upload.content, failure.kind == .refused else { continue }
            let path = answer.objectPath(session: Device.session.id, suffix: file.suffix)
            let isSaid = failure.message.contains("object")
            #expect(isSaid || named.contains(path) || device.objects[path] == nil, "\(what): \(failure)")
        }
    }

    @Test(arguments: Step.allCases)
    func anyFaultOfAStepEndsCompleteOrWaits(_ step: Step) async throws {
        var (runs, waited) = (0, 0)
        for situation in Situation.allCases {
            // This answer can't occur in these steps.
            if situation == .conflict && [.info, .counter, .completion].contains(step) { continue }
            for isOnce in [true, false] {
                let what = "\(situation.rawValue) at \(step.rawValue), \(isOnce ? "once" : "always")"
                let device = try Device()
                try await device.signIn()
                let seen = Shared(0)
                device.standIn.fault { _, request in
                    guard step.isAsked(by: request) else { return nil }
                    seen.value += 1
                    return isOnce && seen.value > 1 ? nil : situation.fault(at: step)
                }
                let failures = try await deliverAll(device)
                #expect(seen.value > 0, "\(what): not met")
                checkHalf(device, failures, situation, what)
                if failures.isEmpty { try checkWhole(device, what) } else { waited += 1 }
                // A refusal waits for a person. Everything else has passed by itself.
                if isOnce { #expect(failures.isEmpty || situation == .rules, "\(what): \(failures)") }
                device.standIn.mend()
                let left = try await deliverAll(device)
                #expect(left.isEmpty, "\(what), mended: \(left)")
                try checkWhole(device, what + ", mended")
                runs += 1
            }
        }
        print(
            "row 7: sweep of a Supabase project, \(step.rawValue): \(runs) runs, \(waited) waited until it was mended")
    }
}
