import ExamNode
import ExamStore
import HTTPTypes
import Hummingbird
import Logging
import RecordingStores
import Study
import SystemSupport

/// Converts every error of a request into a problem document. Errors of the server itself are logged, without any text
/// of the request.
struct Problems: RouterMiddleware {
    let metrics: ServerMetrics

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            metrics.count(response.status)
            return response
        } catch {
            var problem = problem(error, context)
            problem.requestID = context.requestID
            metrics.count(problem.status)
            return try problem.response(from: request, context: context)
        }
    }

    private func problem(_ error: any Error, _ context: ServerContext) -> APIProblem {
        switch error {
        case let problem as APIProblem:
            return problem
        case let error as StoreError:
            context.logger.error("store", metadata: ["what": "\(error.message)"])
            return APIProblem(error)
        case let error as AudioStoreError:
            context.logger.error("audio", metadata: ["what": "\(error.message)"])
            return APIProblem(error)
        case let problem as Problem:
            context.logger.error("shelf", metadata: ["what": "\(problem.sentence)"])
            return APIProblem(problem)
        case let refusal as PracticeRefusal: return APIProblem(refusal)
        case let refusal as PlanRefusal: return APIProblem(refusal)
        case let refusal as TakingRefusal: return APIProblem(refusal)
        case let error as any HTTPResponseError:
            // Hummingbird's own errors: no such route, or a body that is too long or not the expected JSON.
            switch error.status {
            case .notFound: return APIProblem(.notFound, "not-found", "Not found", "There is nothing at this address.")
            case .methodNotAllowed:
                return APIProblem(
                    .methodNotAllowed, "method", "Method not allowed", "This address does not take this method.")
            case .contentTooLarge:
                return APIProblem(.contentTooLarge, "too-large", "Too large", "The request is too long.")
            case .unsupportedMediaType:
                return APIProblem(
                    .unsupportedMediaType, "media-type", "Wrong type", "This address takes application/json.")
            default:
                return APIProblem(error.status, "malformed", "The request cannot be read", Self.words(error))
            }
        default:
            context.logger.error("fault", metadata: ["kind": "\(type(of: error))"])
            return .fault
        }
    }

    /// Returns the description of the wrong field in a JSON body, never its value.
    private static func words(_ error: any HTTPResponseError) -> String {
        (error as? HTTPError)?.body.map { String($0.prefix(200)) } ?? "This is not what this address takes."
    }
}
