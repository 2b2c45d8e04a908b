import Crypto
import CryptoExtras
import Foundation
import SystemSupport

/// A PIN as it is stored: hashed by scrypt (RFC 7914) with a salt of its own, `scrypt$15$8$3$SALT$HASH`.
///
/// A PIN has few digits, so a thief of the database finds it in hours, however slow the hash is. The hash gives members
/// that time to choose another one. `SignInGuard` protects PINs against guessing through the server.
package struct PINHash: Sendable {
    /// The cost of one hash.
    package struct Cost: Equatable, Sendable {
        /// The binary logarithm of the number of rounds. Memory is 2^(logN + 10) bytes.
        package var logRounds: Int
        package var parallelism: Int

        package init(logRounds: Int, parallelism: Int) {
            (self.logRounds, self.parallelism) = (logRounds, parallelism)
        }

        /// 32 MB and about 0.2 s (OWASP Password Storage Cheat Sheet, scrypt).
        package static let usual = Cost(logRounds: 15, parallelism: 3)
    }

    /// The stored form.
    package let text: String

    /// Hashes a PIN, which takes a processor about 0.2 s.
    static func make(of pin: String, cost: Cost) async -> PINHash {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let key = await derive(pin, salt: salt, cost: cost)
        let parts = ["scrypt", "\(cost.logRounds)", "8", "\(cost.parallelism)", salt.base64EncodedString()]
        return PINHash(text: (parts + [key?.base64EncodedString() ?? ""]).joined(separator: "$"))
    }

    /// Returns whether a PIN has this hash. The time taken does not depend on the result.
    func matches(_ pin: String) async -> Bool {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, parts[0] == "scrypt", parts[2] == "8", let rounds = Int(parts[1]),
            10...20 ~= rounds, let parallelism = Int(parts[3]), 1...16 ~= parallelism,
            let salt = Data(base64Encoded: parts[4]), let known = Data(base64Encoded: parts[5]), known.count == 32,
            let key = await Self.derive(pin, salt: salt, cost: Cost(logRounds: rounds, parallelism: parallelism))
        else { return false }
        return zip(key, known).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Two at a time: more would keep exams in progress from the processors.
    private static let threads = BlockingThreads(named: "pins", count: 2)

    private static func derive(_ pin: String, salt: Data, cost: Cost) async -> Data? {
        await runBlocking(on: threads) {
            let key = try? KDF.Scrypt.deriveKey(
                from: Data(pin.utf8), salt: salt, outputByteCount: 32, rounds: 1 << cost.logRounds, blockSize: 8,
                parallelism: cost.parallelism)
            return key?.withUnsafeBytes { Data($0) }
        }
    }
}
