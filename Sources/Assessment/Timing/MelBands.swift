import Glibc

/// The energies of 32 ms of 16 kHz sound in 24 bands, which are triangles on the mel scale from 100 to 7000 Hz.
struct MelBands: Sendable {
    static let count = 24
    /// The number of samples in a window.
    static let window = 512

    /// The energies of one frame, at the scale of 16-bit samples.
    typealias Energies = InlineArray<24, Float>

    /// A triangle: its first bin of the spectrum and the weights from there on.
    private struct Band {
        var first: Int
        var weights: [Float]
    }

    private let bands: [Band]
    private let hann: [Float]
    private var transform = FourierTransform(size: window)
    private var windowed = [Float](repeating: 0, count: window)
    private var powers: [Float]

    init() {
        func mel(_ hertz: Float) -> Float { 2595 * log10f(1 + hertz / 700) }
        func hertz(_ mel: Float) -> Float { 700 * (powf(10, mel / 2595) - 1) }
        let width = (mel(7000) - mel(100)) / Float(Self.count + 1)
        let corners = (0...Self.count + 1).map { hertz(mel(100) + Float($0) * width) }
        let binWidth = Float(16_000) / Float(Self.window)
        bands = (0..<Self.count).map { band in
            let (low, middle, high) = (corners[band], corners[band + 1], corners[band + 2])
            let bins = Int((low / binWidth).rounded(.up))...Int(high / binWidth)
            let weights = bins.map { bin in
                let at = Float(bin) * binWidth
                return max(0, min((at - low) / (middle - low), (high - at) / (high - middle)))
            }
            return Band(first: bins.lowerBound, weights: weights)
        }
        hann = (0..<Self.window).map { 0.5 - 0.5 * cosf(2 * .pi * Float($0) / Float(Self.window)) }
        powers = [Float](repeating: 0, count: bands.map { $0.first + $0.weights.count }.max()!)
    }

    /// Returns the energies of a frame.
    ///
    /// - Precondition: there are `window` samples with full scale 1.
    mutating func energies(of samples: UnsafeBufferPointer<Float>) -> Energies {
        for index in 0..<Self.window { windowed[index] = samples[index] * hann[index] * 32_768 }
        windowed.withUnsafeBufferPointer { windowed in
            powers.withUnsafeMutableBufferPointer { transform.transform(windowed, powers: $0) }
        }
        var energies = Energies(repeating: 0)
        for (number, band) in bands.enumerated() {
            var sum: Float = 0
            for (offset, weight) in band.weights.enumerated() { sum += weight * powers[band.first + offset] }
            energies[number] = sum
        }
        return energies
    }
}
