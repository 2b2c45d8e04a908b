/// Noise whose power falls by 3 dB per octave from 20 Hz on.
enum PinkNoise {
    /// - Parameter white: Makes this many samples of white noise of power 1.
    static func samples(_ count: Int, white: (Int) -> [Double]) -> [Double] {
        let pink = FourierTransform.filtered(white(FourierTransform.length(atLeast: count))) {
            $0 > 0 ? 1 / max($0, 20).squareRoot() : 0
        }
        return Array(pink.prefix(count))
    }
}
