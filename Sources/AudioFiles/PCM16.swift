/// Samples of full scale ±1 as 16-bit values in the file's order of bytes, clipped, each to the nearest value.
///
/// libsndfile cuts off what lies between two values; this rounds. 1.5 · 2²³ added to a number leaves its nearest integer in the
/// low bits of the sum, and a loop of additions goes through many samples at a time.
package func roundToPCM16(_ samples: UnsafeBufferPointer<Float>, _ pcm: UnsafeMutableBufferPointer<Int16>) {
    for index in samples.indices {
        let value = min(max(samples[index] * 32_768, -32_768), 32_767)
        pcm[index] = Int16(truncatingIfNeeded: (value + 12_582_912).bitPattern)
    }
}
