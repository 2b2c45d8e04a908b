import ExamNode
import Foundation
import HTTPTypes

/// The limits on guessing.
package struct GuessLimits: Sendable {
    /// The number of attempts that may come in a row, and the seconds after which one more may come.
    package struct Pace: Sendable {
        package var most: Int
        package var seconds: Double

        package init(most: Int, seconds: Double) { (self.most, self.seconds) = (most, seconds) }
    }

    /// Wrong codes, wrong PINs and new members from one address, which a whole class may share.
    package var address = Pace(most: 60, seconds: 1)
    /// Wrong PINs of a name from one address.
    package var nameAtAddress = Pace(most: 5, seconds: 60)
    /// Wrong PINs of a name from anywhere, except from browsers that the member has used before.
    package var name = Pace(most: 10, seconds: 20)
    /// Wrong PINs of a name in a browser that the member has used before.
    package var device = Pace(most: 5, seconds: 60)

    package init() {}
}

/// Slows down guessing of codes and PINs.
///
/// Only failures count. No member is ever locked out: each limit lets another try through after some seconds.
///
/// A classmate who keeps guessing Ann's PIN cannot keep Ann out. In a browser that Ann has used before, only that
/// browser's own failures count (a "device cookie", OWASP: Slow Down Online Guessing Attacks with Device Cookies). In
/// another browser, a classmate on one address uses up at most one of the name's three tries a minute.
///
/// Each node counts for itself, and forgets when it stops.
final class SignInGuard: Sendable {
    /// A try that was allowed. If it succeeds, it is not counted.
    struct Attempt {
        fileprivate var takes: [(buckets: TokenBuckets<String>, key: String)] = []

        /// Takes the try back, because it was right.
        func succeeded() { for take in takes { take.buckets.giveBack(take.key) } }
    }

    private let addresses, pairs, names, devices: TokenBuckets<String>

    init(_ limits: GuessLimits = GuessLimits()) {
        func buckets(_ pace: GuessLimits.Pace) -> TokenBuckets<String> {
            TokenBuckets(most: pace.most, oneEvery: pace.seconds)
        }
        addresses = buckets(limits.address)
        pairs = buckets(limits.nameAtAddress)
        names = buckets(limits.name)
        devices = buckets(limits.device)
    }

    /// Counts a try of a code, or a new member.
    ///
    /// - Throws: `APIProblem` 429.
    func admit(from address: String, at now: Duration) throws(APIProblem) -> Attempt {
        try take([(addresses, Self.network(address))], at: now)
    }

    /// Counts a try of a PIN.
    ///
    /// - Parameters:
    ///   - name: the class's id and the name's key.
    ///   - device: the id of the browser, if this member has used it before. Nil otherwise.
    /// - Throws: `APIProblem` 429.
    func admit(
        name: String, device: String?, from address: String, at now: Duration
    ) throws(APIProblem) -> Attempt {
        let network = (addresses, Self.network(address))
        if let device { return try take([network, (devices, device)], at: now) }
        return try take([network, (pairs, "\(name) \(address)"), (names, name)], at: now)
    }

    private func take(
        _ wanted: [(buckets: TokenBuckets<String>, key: String)], at now: Duration
    ) throws(APIProblem) -> Attempt {
        var attempt = Attempt()
        for take in wanted {
            if let wait = take.buckets.take(take.key, at: now) {
                // A refused try does not count as a guess.
                attempt.succeeded()
                throw APIProblem(
                    .tooManyRequests, "too-many-requests", "Too many requests",
                    "There were too many wrong tries. Try again in \(wait) s.", retryAfter: wait)
            }
            attempt.takes.append(take)
        }
        return attempt
    }

    /// Returns the network of an address. For IPv6 these are the first 64 bits, because a computer chooses the other
    /// bits itself.
    static func network(_ address: String) -> String {
        var bytes = in6_addr()
        guard address.contains(":"), inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        return withUnsafeBytes(of: &bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
    }
}
