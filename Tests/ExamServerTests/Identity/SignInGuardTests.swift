import Foundation
import Testing

@testable import ExamServer

/// Guessing for days, in simulated time.
@Suite struct SignInGuardTests {
    private static let day = 86_400

    /// Counts the admitted tries of a day. `attempt` is called once a second.
    private func heard(_ attempt: (_ second: Int) -> Bool) -> Int { (0..<Self.day).count { attempt($0) } }

    @Test func aDaysGuessesFromOneAddressAreFew() {
        let guesses = SignInGuard()
        let codes = heard { (try? guesses.admit(from: "10.0.0.7", at: .seconds($0 / 2))) != nil }
        // Two tries in each second of half a day, of which one is admitted.
        #expect(codes <= 60 + Self.day / 2 && codes > Self.day / 2)
        let other = SignInGuard()
        let pins = heard {
            (try? other.admit(name: "c ann", device: nil, from: "10.0.0.7", at: .seconds($0))) != nil
        }
        #expect(1_440...1_445 ~= pins, "\(pins)")
    }

    @Test func aDaysGuessesFromManyAddressesAreFew() {
        let guesses = SignInGuard()
        let pins = heard {
            (try? guesses.admit(
                name: "c ann", device: nil, from: "10.0.\($0 % 250).\($0 / 250 % 250)", at: .seconds($0)))
                != nil
        }
        // A PIN of six digits out of nearly a million: less than one in two hundred.
        #expect(4_320...4_330 ~= pins, "\(pins)")
    }

    /// A classmate tries without end. Ann signs in on a new phone, then again on the same one.
    @Test func aClassmateCannotKeepAnyoneOut() throws {
        var longest = 0
        for start in stride(from: 600, to: 20_000, by: 997) {
            let guesses = SignInGuard()
            var waited: Int?
            for second in 0..<(start + 600) {
                _ = try? guesses.admit(name: "c ann", device: nil, from: "10.0.0.66", at: .seconds(second))
                guard second >= start, (second - start) % 5 == 0, waited == nil else { continue }
                let attempt = try? guesses.admit(name: "c ann", device: nil, from: "10.0.0.7", at: .seconds(second))
                if attempt != nil { waited = second - start }
            }
            longest = max(longest, try #require(waited, "she never got in"))
            let known = try? guesses.admit(
                name: "c ann", device: "phone", from: "10.0.0.7", at: .seconds(start + 600))
            #expect(known != nil)
        }
        #expect(longest <= 20, "\(longest) s")
    }

    @Test func rightTriesAreNotCounted() throws {
        let guesses = SignInGuard()
        for _ in 0..<1_000 {
            try guesses.admit(name: "c ann", device: nil, from: "10.0.0.7", at: .zero).succeeded()
            try guesses.admit(from: "10.0.0.7", at: .zero).succeeded()
        }
        // Refused tries do not count against the other limits.
        for _ in 0..<5 { _ = try guesses.admit(name: "c ann", device: nil, from: "10.0.0.7", at: .zero) }
        for _ in 0..<500 {
            #expect((try? guesses.admit(name: "c ann", device: nil, from: "10.0.0.7", at: .zero)) == nil)
        }
        for _ in 0..<5 { _ = try guesses.admit(name: "c ann", device: nil, from: "10.0.0.8", at: .zero) }
        #expect((try? guesses.admit(name: "c ann", device: nil, from: "10.0.0.9", at: .zero)) == nil)
        #expect((try? guesses.admit(name: "c bo", device: nil, from: "10.0.0.7", at: .zero)) != nil)
    }

    @Test func anIPv6NetworkIsOneAddress() {
        #expect(SignInGuard.network("2001:db8::1") == SignInGuard.network("2001:db8:0:0:ffff::2"))
        #expect(SignInGuard.network("2001:db8::1") != SignInGuard.network("2001:db8:0:1::1"))
        #expect(SignInGuard.network("10.0.0.7") == "10.0.0.7")
    }

    @Test func hashesKnowTheirPINs() async {
        let cost = PINHash.Cost(logRounds: 10, parallelism: 1)
        let (hash, other) = (await PINHash.make(of: "502916", cost: cost), await PINHash.make(of: "502916", cost: cost))
        #expect(hash.text != other.text, "each has a salt of its own")
        #expect(await hash.matches("502916"))
        for pin in ["502917", "50291", "5029160", "", " 502916"] { #expect(await !hash.matches(pin)) }
        for text in ["", "scrypt", "scrypt$10$8$1$$", "scrypt$99$8$1$AAAA$AAAA", hash.text.dropLast(4) + ""] {
            #expect(await !PINHash(text: String(text)).matches("502916"), "\(text)")
        }
        // RFC 7914, section 12: the password "pleaseletmein" with the salt "SodiumChloride", and its first 32 bytes.
        let known = "scrypt$14$8$1$U29kaXVtQ2hsb3JpZGU=$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI="
        #expect(await PINHash(text: known).matches("pleaseletmein"))
    }
}
