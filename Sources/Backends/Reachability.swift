import BackendAPI
public import HTTPClient
import UploadQueue

/// Checks whether a destination is available at the moment. The result is for a line of text before an exam, and never
/// prevents one.
public struct Reachability: Sendable {
    public enum Reach: Equatable, Sendable {
        case reachable
        /// The reason, as one plain sentence without a full stop.
        case unreachable(String)
    }

    private let client: any HTTPExchanging
    private var limits = HTTPLimits()

    public init(client: any HTTPExchanging) {
        self.client = client
        // The user waits for this before an exam.
        (limits.connect, limits.idle, limits.total) = (.seconds(3), .seconds(3), .seconds(3))
        limits.responseBytes = 64 << 10
    }

    /// Asks for a backend's health, or looks for a folder. Takes at most three seconds, and sends no token.
    public func reachable(_ destination: Destination) async -> Reach {
        switch destination {
        case .folder(let path): await folder(path)
        case .backend(let url, _): await health(at: BackendRoutes(base: url).health)
        case .signedURL(let url, _, _): await health(at: SignedURLRoutes(api: url).health)
        case .supabase(let url, let key, _, _):
            await health(at: url + (url.hasSuffix("/") ? "" : "/") + "auth/v1/health", headers: [("apikey", key)])
        }
    }

    private func health(at url: String, headers: [(String, String)] = []) async -> Reach {
        do throws(HTTPFailure) {
            let response = try await client.exchange(
                HTTPRequest("GET", url, headers: headers), limits: limits, sent: { _ in })
            if response.isDone { return .reachable }
            return .unreachable("the server answers, but with an error: \(response.status)")
        } catch {
            return .unreachable(RedactedText.of(error.sentence))
        }
    }

    private func folder(_ path: String) async -> Reach {
        do throws(DeliveryFailure) {
            try await runBlocking { _ throws(DeliveryFailure) in _ = try FolderUploader.open(path) }
            return .reachable
        } catch {
            return .unreachable(error.message)
        }
    }
}
