/// Converts a stream of mono sound at another rate to 16 kHz. Use it on one thread at a time.
protocol Resampler: AnyObject {
    /// Converts all of `input` and appends the result to `output`.
    ///
    /// - Parameter last: whether this is the end, so that the samples held back by the filter are output too.
    func convert(_ input: UnsafeBufferPointer<Float>, last: Bool, appendingTo output: inout [Float])
}

/// Returns a resampler for a rate of 1 to 768 kHz. Nil for 16 kHz itself.
///
/// The usual rates of recordings are in a simple ratio to 16 kHz. For these a filter of a few thousand coefficients is
/// twenty times as fast as libsamplerate. libsamplerate converts the others: the filter for 44,099 Hz would take ten
/// megabytes.
func resampler(from rate: Int) -> (any Resampler)? {
    if rate == AudioFormat.sampleRate { return nil }
    return PolyphaseResampler(from: rate) ?? LibraryResampler(from: rate)
}
