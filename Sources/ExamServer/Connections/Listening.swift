import Glibc
import Hummingbird
import NIOCore
import ServiceLifecycle
import SystemSupport

/// An address to listen on, with an explanation if that fails.
struct Listening {
    var host: String
    /// The port. 0 for any free port.
    var port: Int

    /// Runs a server that listens at the address.
    ///
    /// - Throws: `Problem.unavailable` with the address and what to do if the address is not available, and the errors
    ///   of `work`.
    func run(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as IOError {
            switch error.errnoCode {
            case EADDRINUSE: throw unavailable("another program listens there; end it, or choose another port")
            case EADDRNOTAVAIL, EAFNOSUPPORT:
                throw unavailable("this machine has no such address; \"ip address\" lists those that it has")
            case EACCES: throw unavailable("this user may not listen there; choose a port from 1024 on")
            default: throw error
            }
        } catch is SocketAddressError.UnknownHost {
            throw unavailable("this name is unknown; write an address of this machine")
        }
    }

    private func unavailable(_ words: String) -> Problem {
        Problem(.unavailable, "\(host.contains(":") ? "[\(host)]" : host):\(port): \(words)")
    }
}

/// A service that listens at its own address, in addition to the server.
struct ListeningService<Listener: Service>: Service {
    var place: Listening
    var listener: Listener

    func run() async throws {
        try await place.run { try await listener.run() }
    }
}
