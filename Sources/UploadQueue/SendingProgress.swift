public import Foundation

/// How the sending of a queue goes: what a progress bar shows.
public struct SendingProgress: Equatable, Sendable {
    /// What has arrived since sending began.
    public private(set) var delivered = 0
    /// Bytes of the recordings among them.
    public private(set) var deliveredBytes = 0
    /// What is on its way or waits; parked uploads do not count.
    public private(set) var open = 0
    /// Bytes of the recordings among them.
    public private(set) var openBytes = 0
    /// What waits for a person.
    public private(set) var parked = 0
    /// Whether the backend is taken to be there.
    public private(set) var breaker = Delivery.Breaker.closed
    /// When something is tried next, on `SteadyClock`, where everything waits; nil: now, or when something happens.
    public private(set) var nextTry: Duration?
    /// By number in the journal.
    public private(set) var underWay: [Int64: UnderWay] = [:]

    /// An upload on its way.
    public struct UnderWay: Equatable, Sendable {
        /// What is being sent.
        public let upload: Upload
        /// Of `upload.file`; at most what the uploader has handed to the system.
        public var sentBytes = 0
    }

    /// Of everything that this sending has to do, 0 … 1: by bytes, and each upload as 4 KB beside its file.
    public var fraction: Double {
        let small = 4096.0
        let sent = underWay.values.reduce(0) { $0 + $1.sentBytes }
        let done = Double(deliveredBytes + sent) + small * Double(delivered)
        let all = Double(deliveredBytes + openBytes) + small * Double(delivered + open)
        return all > 0 ? min(done / all, 1) : 1
    }

    mutating func begin(_ number: Int64, _ upload: Upload) { underWay[number] = UnderWay(upload: upload) }

    mutating func sent(_ count: Int, of number: Int64) {
        guard let file = underWay[number]?.upload.file else { return }
        underWay[number]?.sentBytes = min(count, file.byteCount)
    }

    mutating func end(_ number: Int64) { underWay[number] = nil }

    mutating func deliver(bytes: Int) {
        delivered += 1
        deliveredBytes += bytes
    }

    /// Nothing has arrived, and nothing waits.
    public init() {}

    mutating func note(_ delivery: Delivery, at now: Duration) {
        (open, openBytes, parked) = delivery.load
        breaker = delivery.breaker
        nextTry = delivery.sending == 0 ? delivery.nextMoment(after: now) : nil
    }
}

/// An upload as people look at it.
public struct UploadEntry: Equatable, Sendable {
    /// Where an upload stands, for people.
    public enum State: String, Codable, Sendable {
        /// For its turn, or for its next try.
        case waiting
        /// Under way now.
        case sending
        /// Its destination has it.
        case delivered
        /// Given up until somebody takes it up again; the journal says why.
        case parked
        /// Somebody said that it is not to be sent.
        case dropped
    }

    /// nil: its line in the journal is damaged.
    public var upload: Upload?
    /// The upload's, also where its line is damaged.
    public var id: UUID
    /// Where it stands.
    public var state: State
    /// Counted ones.
    public var attempts: Int
    /// ISO 8601 in UTC.
    public var addedAt: String
    /// When it arrived.
    public var endedAt: String?
    /// Until when it waits, on `SteadyClock`; nil: it may go at once.
    public var due: Duration?
    /// What went wrong last; nil: nothing so far.
    public var failure: DeliveryFailure?
}

/// How many uploads are in which state.
public struct UploadCounts: Equatable, Sendable {
    /// Waiting or being sent.
    public var open = 0
    /// Bytes of the recordings among them.
    public var openBytes = 0
    /// Waiting for a person.
    public var parked = 0
    /// Confirmed by the backend.
    public var delivered = 0
    /// Given up by a person.
    public var dropped = 0

    /// None at all.
    public init() {}
}
