import SystemSupport

/// Reads something that a shelf keeps. Returns nil if it is missing or cannot be read, so that the rest is still shown.
///
/// - Throws: Other errors of `read`.
func unlessUnreadable<Kept>(_ read: () async throws(Problem) -> Kept?) async throws(Problem) -> Kept? {
    do throws(Problem) {
        return try await read()
    } catch {
        switch error.kind {
        case .malformed, .missing: return nil
        default: throw error
        }
    }
}
