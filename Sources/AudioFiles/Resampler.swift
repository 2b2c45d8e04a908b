/// Brings mono sound of another rate to 16 kHz, as a stream. One thread at a time.
protocol Resampler: AnyObject {
    /// Converts all of `input` and appends what comes of it to `output`.
    ///
    /// - Parameter last: nothing follows: what the filter holds back comes out too.
    func convert(_ input: UnsafeBufferPointer<Float>, last: Bool, appendingTo output: inout [Float])
}

/// The one for a rate, 1 to 768 kHz; nil for 16 kHz itself.
///
/// The rates that recordings have are in a simple ratio to 16 kHz: a filter of a few thousand numbers does those twenty times as
/// fast as libsamplerate, which does the others: 44,099 Hz would take ten megabytes of numbers.
func resampler(from rate: Int) -> (any Resampler)? {
    if rate == AudioFormat.sampleRate { return nil }
    return PolyphaseResampler(from: rate) ?? LibraryResampler(from: rate)
}
