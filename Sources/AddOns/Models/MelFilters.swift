import Glibc

/// The filters from frequencies to mel bands in whisper.cpp's models: those of librosa (Slaney's scale and norm), bit for
/// bit.
enum MelFilters {
    static let bandCount = 80
    /// The number of frequencies from 0 to 8 kHz: half of a transform of 400 samples, and one.
    static let frequencyCount = 201

    /// Each band's factors for all frequencies, band after band.
    static var factors: [Float] {
        let (linear, step) = (200.0 / 3, log(6.4) / 27)
        let first = 1000 / linear
        let last = first + log(8000.0 / 1000) / step
        let corners = (0...(bandCount + 1)).map { index -> Double in
            let mel = index == bandCount + 1 ? last : Double(index) * (last / Double(bandCount + 1))
            return mel >= first ? 1000 * exp(step * (mel - first)) : linear * mel
        }
        return (0..<bandCount).flatMap { band -> [Float] in
            let norm = 2 / (corners[band + 2] - corners[band])
            return (0..<frequencyCount).map { index in
                let frequency = Double(index) * 40
                let rising = (frequency - corners[band]) / (corners[band + 1] - corners[band])
                let falling = (corners[band + 2] - frequency) / (corners[band + 2] - corners[band + 1])
                // Rounded to 32 bits twice, as librosa does, and without negative zeros.
                return Float(Double(Float(max(0, min(rising, falling)) + 0)) * norm)
            }
        }
    }
}
