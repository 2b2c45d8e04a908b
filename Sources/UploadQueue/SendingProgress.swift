public import Foundation

/// The progress of sending a queue, for a progress bar.
public struct SendingProgress: Equatable, Sendable {
    /// The uploads that have arrived since sending began.
    public private(set) var delivered = 0
    /// The bytes of their recordings.
    public private(set) var deliveredBytes = 0
    /// The uploads that are being sent or waiting, without parked ones.
    public private(set) var open = 0
    /// The bytes of their recordings.
    public private(set) var openBytes = 0
    /// The uploads that wait for the user.
    public private(set) var parked = 0
    /// Whether the backend is believed to be available.
    public private(set) var breaker = Delivery.Breaker.closed
    /// The time of the next try on `SteadyClock`, if everything is waiting. Nil while an upload is being sent, or if
    /// the next try needs another event.
    public private(set) var nextTry: Duration?
    /// The uploads being sent, by number in the journal.
    public private(set) var underWay: [Int64: UnderWay] = [:]

    /// An upload that is being sent.
    public struct UnderWay: Equatable, Sendable {
        /// The upload.
        public let upload: Upload
        /// The bytes of `upload.file` that the uploader has handed to the system so far. Fewer may have been sent.
        public var sentBytes = 0
    }

    /// The completed fraction of all that this run has to do, 0 … 1, by bytes. Each upload counts as 4 KB besides its
    /// file.
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

    /// The progress before anything has happened.
    public init() {}

    mutating func note(_ delivery: Delivery, at now: Duration) {
        (open, openBytes, parked) = delivery.load
        breaker = delivery.breaker
        nextTry = delivery.sending == 0 ? delivery.nextMoment(after: now) : nil
    }
}

/// An upload in a form for people.
public struct UploadEntry: Equatable, Sendable {
    /// The state of an upload, for people.
    public enum State: String, Codable, Sendable {
        /// Waiting for its turn or for its next try.
        case waiting
        /// Being sent now.
        case sending
        /// Arrived at its destination.
        case delivered
        /// Suspended until the user retries it; the journal has the reason.
        case parked
        /// Given up by the user, never to be sent.
        case dropped
    }

    /// Nil if its line in the journal is damaged.
    public var upload: Upload?
    /// The id of the upload, known even if its line is damaged.
    public var id: UUID
    /// The state of the upload.
    public var state: State
    /// The number of counted attempts.
    public var attempts: Int
    /// ISO 8601 in UTC.
    public var addedAt: String
    /// The time of arrival.
    public var endedAt: String?
    /// The moment until which it waits, on `SteadyClock`; nil if it may be sent at once.
    public var due: Duration?
    /// The last failure, if any.
    public var failure: DeliveryFailure?
}

/// The number of uploads in each state.
public struct UploadCounts: Equatable, Sendable {
    /// The uploads that are waiting or being sent.
    public var open = 0
    /// The bytes of their recordings.
    public var openBytes = 0
    /// The uploads waiting for the user.
    public var parked = 0
    /// The uploads confirmed by the backend.
    public var delivered = 0
    /// The uploads given up by the user.
    public var dropped = 0

    /// Zero for all states.
    public init() {}
}
