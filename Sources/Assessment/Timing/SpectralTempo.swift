import Glibc

/// The pace at which the sound of speech changes, compared with the size of its changes.
///
/// The spectrum of quick speech has changed almost as much after 40 ms as after 160 ms. A slow or searching voice
/// changes little in 40 ms. Syllables are not needed for this. Loudness, a room or a telephone change both sizes alike,
/// so their effects cancel.
enum SpectralTempo {
    /// The frames before and after a moment that are compared: 20 ms for the quick change, 80 ms for the slow one.
    private static let (quick, slow) = (2, 8)
    /// The energy that counts as the room's, as a share of the mean band of the loud frames: 20 dB under it. If it were
    /// 30 dB, as for syllables, pink noise at 15 dB would move the result by 0.4 of its deviation.
    private static let roomShare: Float = 0.01

    /// Returns ln of the quick change divided by the slow one, both as means over the span. Nil if the span is too
    /// short for either.
    static func of(_ frames: SoundFrames, within span: Range<Int>) -> Float? {
        let floor = frames.roomFloor(share: roomShare)
        var shapes = [Float](repeating: 0, count: frames.count * MelBands.count)
        for band in 0..<MelBands.count {
            let logs = (0..<frames.count).map { logf(frames.energies[$0 * MelBands.count + band] + floor) }
            for (frame, value) in Contour.smoothed(logs, [0.25, 0.5, 0.25]).enumerated() {
                shapes[frame * MelBands.count + band] = value
            }
        }
        func change(_ reach: Int) -> Float? {
            let moments = span.clamped(to: min(reach, frames.count)..<max(reach, frames.count - reach))
            guard !moments.isEmpty else { return nil }
            let sum = moments.reduce(Float(0)) { sum, frame in
                let (before, after) = ((frame - reach) * MelBands.count, (frame + reach) * MelBands.count)
                let squares = (0..<MelBands.count).reduce(Float(0)) { squares, band in
                    let step = shapes[after + band] - shapes[before + band]
                    return squares + step * step
                }
                return sum + sqrtf(squares / Float(MelBands.count))
            }
            return sum / Float(moments.count)
        }
        guard let quick = change(quick), let slow = change(slow), quick > 0, slow > 0 else { return nil }
        return logf(quick / slow)
    }
}
