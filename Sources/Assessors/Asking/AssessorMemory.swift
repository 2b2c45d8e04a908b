public import Assessment
public import HTTPClient
import SystemSupport

/// One thing that is asked of a service about a recording: a piece of it, a run of a model.
public struct AssessorCall: Codable, Hashable, Sendable {
    /// SHA-256 of the recording.
    public var recording: String
    /// `MarkSource.id` and `version`.
    public var assessor: String
    public var version: String
    /// Which of the assessor's calls on this recording: `piece 2`, `run 1 of 5ac3…`.
    public var name: String
    /// What it takes of a day's budget: seconds of sound, and money in whatever the prices are in.
    public var seconds: Double
    public var cost: Double

    /// The same for the same question, whoever asks it: an idempotency key for services that know such keys.
    public var key: String {
        let digits = SHA256.hexadecimal(of: Array("\(recording) \(assessor) \(version) \(name)".utf8))
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { String(digits.dropFirst($0.lowerBound).prefix($0.count)) }.joined(separator: "-")
    }
}

/// Remembers what services were asked and answered, so that nothing is asked twice, and nothing beyond what a day may cost.
///
/// ```
/// unknown ── begin ──▶ asked ── keep ──▶ answered
///               ▲        │
///               └────────┘ the process died, or there was no answer: begun again, with the same key
/// ```
/// Between a service's last word and `keep` a process may die: only that call is made again.
public protocol AssessorMemory: Sendable {
    /// What the call was answered before; nil where it was not.
    func answer(to call: AssessorCall) async throws(ServiceFailure) -> String?

    /// Says, for good, that a call is about to be made.
    ///
    /// - Throws: `ServiceFailure`: `spent` where the day's budget does not reach; `later` where nothing can be kept.
    func begin(_ call: AssessorCall) async throws(ServiceFailure)

    /// Keeps an answer for good, before anything is made of it.
    func keep(_ answer: String, to call: AssessorCall) async throws(ServiceFailure)
}

/// How an assessor asks: through a memory, under its name and version.
public struct AssessorCalls: Sendable {
    let memory: any AssessorMemory
    let source: MarkSource
    let recording: String
    let prices: AssessorPrices

    public init(
        _ memory: any AssessorMemory, for source: MarkSource, on recording: String,
        prices: AssessorPrices = AssessorPrices()
    ) {
        self.memory = memory
        self.source = source
        self.recording = recording
        self.prices = prices
    }

    /// What a call is answered: what it was answered before, or what it is now.
    ///
    /// - Parameters:
    ///   - name: of the call among this assessor's on the recording; another question has another name.
    ///   - seconds: of sound that it is about.
    ///   - ask: is given the call's key, and returns the whole answer as text.
    public func once(
        _ name: String, seconds: Double, ask: (String) async throws(ServiceFailure) -> String
    ) async throws(ServiceFailure) -> String {
        let call = AssessorCall(
            recording: recording, assessor: source.id, version: source.version, name: name, seconds: seconds,
            cost: prices.perCall + prices.perMinute * seconds / 60)
        if let known = try await memory.answer(to: call) { return known }
        try await memory.begin(call)
        let answer = try await ask(call.key)
        try await memory.keep(answer, to: call)
        return answer
    }
}

/// What asking costs, in whatever a budget counts.
public struct AssessorPrices: Equatable, Sendable {
    public var perCall = 0.0
    /// Of sound.
    public var perMinute = 0.0

    public init(perCall: Double = 0, perMinute: Double = 0) {
        self.perCall = perCall
        self.perMinute = perMinute
    }
}
