public import SystemSupport

/// Something that is being fetched, as a screen shows it.
///
/// ```swift
/// func list(_ library: TemplateLibrary) async -> Loadable<TemplateLibrary.Listing> {
///     await .of { () async throws(Problem) in try await library.templates() }
/// }
/// ```
public enum Loadable<Value: Sendable>: Sendable {
    case idle
    case loading
    case loaded(Value)
    case failed(ServiceProblem)

    public var value: Value? { if case .loaded(let value) = self { value } else { nil } }
    public var problem: ServiceProblem? { if case .failed(let problem) = self { problem } else { nil } }
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// Returns the result of fetching. If the task was cancelled meanwhile, the result is `idle`.
    public static func of(_ fetch: () async throws(Problem) -> Value) async -> Loadable {
        do throws(Problem) {
            let value = try await fetch()
            return Task.isCancelled ? .idle : .loaded(value)
        } catch {
            return Task.isCancelled ? .idle : .failed(ServiceProblem(error))
        }
    }
}

extension Loadable: Equatable where Value: Equatable {}
