import Synchronization

/// A server's metrics in the format of Prometheus (text format 0.0.4). Any thread may use it.
///
/// The metrics count events and things. They contain no ids or names.
public final class ServerMetrics: Sendable {
    /// The metrics. There are no other names.
    public enum Name: String, CaseIterable, Sendable {
        /// Gauge, by `activity`: exams that this node holds.
        case sessions = "oracy_sessions"
        /// Gauge: connections to exams.
        case connections = "oracy_live_connections"
        /// Counter: blocks of 20 ms lost on the way.
        case lostBlocks = "oracy_lost_blocks_total"
        /// Counter: blocks received and heard.
        case heardBlocks = "oracy_heard_blocks_total"
        /// Counter: answers stored.
        case answers = "oracy_answers_total"
        /// Histogram, seconds: from the arrival of a block to the events it caused.
        case blockToEvent = "oracy_block_to_event_seconds"
        /// Histogram, seconds: from the last word to the end of an answer, by the times in the log.
        case endOfAnswer = "oracy_end_of_answer_seconds"
        /// Gauge, by `status`: the processing queue.
        case jobs = "oracy_jobs"
        /// Gauge, by `kind`: jobs that were given up, until an operator replays or drops them (`oracy-server jobs`).
        case deadJobs = "oracy_dead_jobs"
        /// Gauge: sealed exams that this node found changed (`SealWatch`). A repaired exam no longer counts.
        case brokenSeals = "oracy_broken_seals"
        /// Counter: sealed exams that this node has read again.
        case checkedSeals = "oracy_checked_seals_total"
        /// Gauge: 1 if the database answers.
        case storeUp = "oracy_store_up"
        /// Gauge, seconds: the waiting time of the oldest job.
        case oldestJob = "oracy_oldest_job_seconds"
        /// Gauge, by `assessor`: minutes of sound that an assessor has not judged yet, in finished sessions.
        case waitingAudio = "oracy_waiting_audio_minutes"
        /// Gauge, seconds, by `assessor`: the waiting time of the oldest such sound.
        case oldestWaiting = "oracy_oldest_waiting_seconds"
        /// Gauge: events that wait for delivery by webhook.
        case waitingWebhooks = "oracy_waiting_webhooks"
        /// Counter, by `outcome`: attempts to deliver an event to an endpoint.
        case webhooks = "oracy_webhooks_total"
        /// Gauge: answers on this node that wait for storage.
        case waitingUploads = "oracy_waiting_uploads"
        /// Gauge, bytes: data that was written to clients but not yet read by them.
        case outboundBytes = "oracy_outbound_bytes"
        /// Gauge: recordings that wait on this node to be decoded.
        case soundWaiting = "oracy_sound_waiting"
        /// Gauge: recordings that this node decodes now.
        case soundRunning = "oracy_sound_running"
        /// Counter, by `why`: recordings that were not decoded. `limit`: they cost more than their size allows. `died`:
        /// the worker ended during its work.
        case soundFailures = "oracy_sound_failures_total"
        /// Gauge: parts of answers that wait on this node for the recogniser of words.
        case wordsWaiting = "oracy_words_waiting"
        /// Counter, seconds: the processor time of that recogniser.
        case wordsSeconds = "oracy_words_seconds_total"
        /// Counter, by `why`: ends of the recogniser's worker. `died`: it crashed or was killed. `limit`: it took too long.
        case wordsFailures = "oracy_words_failures_total"
        /// Gauge, bytes: the free space on the disk of this node's folder.
        case freeBytes = "oracy_free_bytes"
        /// Gauge: 1 while the server is stopping and continues its exams.
        case draining = "oracy_draining"
        /// Counter: HTTP answers, by `status` class.
        case requests = "oracy_requests_total"
        /// Counter, by `reason`: rejected tokens (`TokenRefusal`).
        case signInFailures = "oracy_sign_in_failures_total"

        /// Whether the value comes from the store, which may be unavailable.
        fileprivate var isTheStores: Bool {
            [.jobs, .deadJobs, .oldestJob, .waitingAudio, .oldestWaiting, .waitingWebhooks].contains(self)
        }
        var isHistogram: Bool { self == .blockToEvent || self == .endOfAnswer }
        package var kind: String { isHistogram ? "histogram" : rawValue.hasSuffix("_total") ? "counter" : "gauge" }
    }

    /// The upper bounds of histograms in seconds: from the processing of a block to the silence after an answer.
    private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private struct Histogram {
        var counts = [Int](repeating: 0, count: ServerMetrics.bounds.count + 1)
        var sum = 0.0
    }

    private struct State {
        var values: [Name: [String: Double]] = [:]
        var histograms: [Name: Histogram] = [:]
    }

    private let state = Mutex(State())

    /// Creates metrics with all counters at 0. Use one for a process.
    public init() {}

    /// Adds to a counter, or changes a gauge.
    ///
    /// - Parameter label: `activity="speaking"`, or empty for metrics without labels. Only the program's own words.
    public func add(_ name: Name, _ amount: Double = 1, label: String = "") {
        state.withLock { $0.values[name, default: [:]][label, default: 0] += amount }
    }

    /// Sets a gauge.
    public func set(_ name: Name, _ value: Double, label: String = "") {
        state.withLock { $0.values[name, default: [:]][label] = value }
    }

    /// Removes all labels of a gauge before it is set again.
    public func clear(_ name: Name) {
        state.withLock { $0.values[name] = nil }
    }

    /// Adds one measurement in seconds to a histogram.
    public func observe(_ name: Name, _ seconds: Double) {
        let place = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.histograms[name, default: Histogram()].counts[place] += 1
            state.histograms[name]!.sum += seconds
        }
    }

    /// Returns a value, for tests.
    package func value(_ name: Name, label: String = "") -> Double {
        state.withLock { $0.values[name]?[label] ?? 0 }
    }

    /// The text for `/metrics`.
    public var text: String {
        let state = state.withLock { $0 }
        var lines: [String] = []
        for name in Name.allCases {
            lines.append("# TYPE \(name.rawValue) \(name.kind)")
            if name.isHistogram {
                let histogram = state.histograms[name] ?? Histogram()
                var total = 0
                for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
                    total += count
                    lines.append("\(name.rawValue)_bucket{le=\"\(bound)\"} \(total)")
                }
                lines += ["\(name.rawValue)_sum \(histogram.sum)", "\(name.rawValue)_count \(total)"]
            } else {
                // Metrics of an unavailable store are left out.
                let isUnknown = name.isTheStores && state.values[name] == nil
                let values = isUnknown ? [:] : state.values[name] ?? ["": 0]
                for (label, value) in values.sorted(by: { $0.key < $1.key }) {
                    lines.append("\(name.rawValue)\(label.isEmpty ? "" : "{\(label)}") \(value)")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
