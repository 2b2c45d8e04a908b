public import Assessment
public import HTTPClient
import SystemSupport

/// One question to a service about a recording: about a piece of it, or one run of a model.
public struct AssessorCall: Codable, Hashable, Sendable {
    /// The SHA-256 of the recording.
    public var recording: String
    /// `MarkSource.id` and `version`.
    public var assessor: String
    public var version: String
    /// The name of the call among the assessor's calls on this recording: `piece 2`, `run 1 of 5ac3…`.
    public var name: String
    /// The amount of the day's budget that the call uses: seconds of sound, and money in the unit of the prices.
    public var seconds: Double
    public var cost: Double

    /// The idempotency key, for services that support such keys. It is the same for the same question, regardless of
    /// the caller.
    public var key: String {
        let digits = SHA256.hexadecimal(of: Array("\(recording) \(assessor) \(version) \(name)".utf8))
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { String(digits.dropFirst($0.lowerBound).prefix($0.count)) }.joined(separator: "-")
    }
}

/// Remembers calls to services and their answers, so that no call is made twice and none exceeds the day's budget.
/// ```
/// unknown ── begin ──▶ asked ── keep ──▶ answered
///               ▲        │
///               └────────┘ the process died, or there was no answer: begun again, with the same key
/// ```
/// If the process dies between a service's answer and `keep`, only that call is made again.
public protocol AssessorMemory: Sendable {
    /// Returns the earlier answer to the call. Nil if the call has no answer yet.
    func answer(to call: AssessorCall) async throws(ServiceFailure) -> String?

    /// Records durably that a call is about to be made.
    ///
    /// - Throws: `ServiceFailure`: `spent` if the call exceeds the day's budget, `later` if nothing can be stored.
    func begin(_ call: AssessorCall) async throws(ServiceFailure)

    /// Stores an answer durably, before it is used.
    func keep(_ answer: String, to call: AssessorCall) async throws(ServiceFailure)
}

/// Makes an assessor's calls through a memory, under the assessor's name and version.
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

    /// Returns the answer to a call: the earlier answer if there is one, and otherwise a new one.
    ///
    /// - Parameters:
    ///   - name: the call's name among this assessor's calls on the recording. A different question has a different
    ///     name.
    ///   - seconds: the seconds of sound that the call is about.
    ///   - ask: gets the call's key, and returns the whole answer as text.
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

/// The prices of calls, in the unit of the budget.
public struct AssessorPrices: Equatable, Sendable {
    public var perCall = 0.0
    /// The price of a minute of sound.
    public var perMinute = 0.0

    public init(perCall: Double = 0, perMinute: Double = 0) {
        self.perCall = perCall
        self.perMinute = perMinute
    }
}
