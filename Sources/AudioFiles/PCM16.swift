/// Converts samples of full scale ±1 to 16-bit values in the byte order of WAV files, clipped and rounded to the
/// nearest value.
///
/// libsndfile truncates instead of rounding. Adding 1.5 · 2²³ to a number leaves its nearest integer in the low bits of
/// the sum, and a loop of additions processes many samples at a time.
package func roundToPCM16(_ samples: UnsafeBufferPointer<Float>, _ pcm: UnsafeMutableBufferPointer<Int16>) {
    for index in samples.indices {
        let value = min(max(samples[index] * 32_768, -32_768), 32_767)
        pcm[index] = Int16(truncatingIfNeeded: (value + 12_582_912).bitPattern)
    }
}
