import Glibc
import Synchronization
import VirtualDevices

/// Records a source and dates each sample with the moment at which it is due, that is, at which a loudspeaker without
/// delay would play it.
///
/// A null sink renders a block when the previous one has run out, passes it to its monitor at once, and waits for the
/// length of the block. So the first sample of an arrival is due at that moment, and the rest follows by counting.
/// Arrivals may be late at random, so the earliest arrival of each second dates all of them. `Live.measureDating`
/// verifies this with clicks.
final class DatedRecording: Sendable {
    let rate: Int
    private let child: Child
    private let tape: Tape

    /// −50 dBFS: far below the last sound of a cut answer, far above a codec's residue in silence.
    static let audible: Int16 = 104

    /// The samples received so far.
    private final class Tape: Sendable {
        struct State {
            var samples: [Int16] = []
            /// The number of samples before an arrival, and its time.
            var arrivals: [(first: Int, at: Double)] = []
            var lastAt = 0.0
            var oddByte: UInt8?
        }

        let state = Mutex(State())
        /// Data that arrives this soon after the previous data belongs to the same block.
        private static let together = 0.003

        func take(_ bytes: UnsafeRawBufferPointer, at: Double) {
            state.withLock { state in
                if at - state.lastAt > Self.together { state.arrivals.append((state.samples.count, at)) }
                state.lastAt = at
                for byte in bytes {
                    if let low = state.oddByte {
                        state.samples.append(Int16(bitPattern: UInt16(low) | UInt16(byte) << 8))
                        state.oddByte = nil
                    } else {
                        state.oddByte = byte
                    }
                }
            }
        }
    }

    /// - Parameter latency: The latency requested of the server, in ms. A sink's blocks are as short as its most
    ///   demanding listener needs, so this equals the exam's own request. Otherwise the measurement would change what
    ///   it measures.
    init(_ source: String, of server: SoundServer, rate: Int = 48_000, latency: Int) {
        self.rate = rate
        let tape = Tape()
        self.tape = tape
        child = Child(
            [
                "parec", "--device=\(source)", "--latency-msec=\(latency)", "--raw", "--format=s16le", "--rate=\(rate)",
                "--channels=1",
            ], environment: server.environment
        ) { bytes, at in tape.take(bytes, at: at) }
        let deadline = clockNow() + 10
        while count == 0 {
            guard clockNow() < deadline else { fail("\(source) delivers nothing") }
            usleep(2_000)
        }
    }

    func stop() { child.stop() }

    var count: Int { tape.state.withLock { $0.samples.count } }

    /// Returns the moment at which a sample is due.
    func date(of sample: Int) -> Double {
        tape.state.withLock { state in
            let near = state.arrivals.filter { abs($0.first - sample) < rate }
            let lag = near.map { $0.at - Double($0.first) / Double(rate) }.min() ?? .infinity
            return lag + Double(sample) / Double(rate)
        }
    }

    /// Returns the sample that is due at a moment, or the nearest one.
    func sample(at moment: Double) -> Int {
        let begin = tape.state.withLock { state in
            let near = state.arrivals.filter { abs($0.at - moment) < 1 }
            return near.min { $0.at - Double($0.first) / Double(rate) < $1.at - Double($1.first) / Double(rate) }
        }
        guard let begin else { return 0 }
        return max(0, begin.first + Int((moment - begin.at) * Double(rate)))
    }

    func firstAudible(from: Double, to: Double = .infinity) -> Int? {
        let range = range(from, to)
        return tape.state.withLock { $0.samples[range].firstIndex { abs(Int32($0)) > Int32(Self.audible) } }
    }

    func lastAudible(from: Double, to: Double) -> Int? {
        let range = range(from, to)
        return tape.state.withLock { $0.samples[range].lastIndex { abs(Int32($0)) > Int32(Self.audible) } }
    }

    /// Returns the time at which the block with a sample arrived, and the number of samples received by then.
    func arrival(of sample: Int) -> (at: Double, count: Int)? {
        tape.state.withLock { state in
            guard let next = state.arrivals.firstIndex(where: { $0.first > sample }), next > 0 else { return nil }
            return (state.arrivals[next - 1].at, state.arrivals[next].first)
        }
    }

    private func range(_ from: Double, _ to: Double) -> Range<Int> {
        let first = min(sample(at: from), count)
        let last = to.isFinite ? min(sample(at: to), count) : count
        return first..<max(first, last)
    }
}
