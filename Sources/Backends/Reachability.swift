import BackendAPI
public import HTTPClient
import UploadQueue

/// Whether a destination is there just now (A5, V12): for a line of text before an exam, never a reason not to begin one.
public struct Reachability: Sendable {
    public enum Reach: Equatable, Sendable {
        case reachable
        /// Why not: one plain sentence without a full stop.
        case unreachable(String)
    }

    private let client: any HTTPExchanging
    private var limits = HTTPLimits()

    public init(client: any HTTPExchanging) {
        self.client = client
        // Somebody waits for it before an exam.
        (limits.connect, limits.idle, limits.total) = (.seconds(3), .seconds(3), .seconds(3))
        limits.responseBytes = 64 << 10
    }

    /// Asks for a backend's health, or looks for a folder; three seconds at most. It needs no token and sends none.
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
