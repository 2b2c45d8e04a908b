import Foundation
import Glibc

/// All counters at one moment. The difference of two readings is the measurement.
struct Reading {
    let at = clockNow()
    /// The CPU time of the server and of this program in seconds.
    let server, own: Double
    let machine = MachineTime()
    let blockToEvent: Histogram

    init(_ server: ServerProcess) {
        blockToEvent = Histogram("oracy_block_to_event_seconds", of: server.metrics())
        self.server = server.cpu
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        own = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}

/// The time that the machine's cores have spent so far (proc(5), `/proc/stat`), in ticks.
struct MachineTime {
    private let ticks: [Double]

    init() {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        // The fields user, nice, system, idle, iowait, irq, softirq, steal.
        ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    }

    /// Returns percentages of all cores' time. Stolen time is what the hypervisor gave to other machines.
    func shares(since before: MachineTime) -> (busy: Double, idle: Double, stolen: Double) {
        let spent = zip(ticks, before.ticks).map { $0 - $1 }
        guard spent.count == 8 else { return (.nan, .nan, .nan) }
        let all = spent.reduce(0, +)
        let (idle, stolen) = (spent[3] + spent[4], spent[7])
        return ((all - idle - stolen) / all * 100, idle / all * 100, stolen / all * 100)
    }
}

/// A histogram of `/metrics`: the number of values up to each bound.
struct Histogram {
    /// The cumulative totals by upper bound in seconds.
    private var buckets: [(bound: Double, total: Double)] = []

    init(_ name: String, of metrics: [String: Double]) {
        for (key, value) in metrics where key.hasPrefix(name + "_bucket{le=\"") {
            let bound = key.dropFirst(name.count + 12).prefix { $0 != "\"" }
            buckets.append((bound == "+Inf" ? .infinity : Double(bound) ?? .infinity, value))
        }
        buckets.sort { $0.bound < $1.bound }
    }

    func since(_ before: Histogram) -> Histogram {
        var difference = self
        for (index, old) in before.buckets.enumerated() { difference.buckets[index].total -= old.total }
        return difference
    }

    /// Returns the bound in seconds below which a given share lies.
    private func bound(of share: Double) -> Double {
        let all = buckets.last?.total ?? 0
        return buckets.first { $0.total >= all * share }?.bound ?? .infinity
    }

    var text: String {
        let all = buckets.last?.total ?? 0
        guard all > 0 else { return "none" }
        let within = (buckets.first { $0.bound >= 0.02 }?.total ?? 0) / all * 100
        func upTo(_ share: Double) -> String {
            let bound = bound(of: share)
            return bound.isFinite ? "≤ \(decimal(bound * 1000, 1))" : "more than the last bound"
        }
        return
            "p50 \(upTo(0.5)), p99 \(upTo(0.99)), max \(upTo(1)) ms; \(decimal(within, 2)) % within 20 ms, \(Int(all)) events"
    }
}
