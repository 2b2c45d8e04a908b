import Glibc

/// Levels in decibels of full scale (dBFS): 0 is a sample of ±1, so that a sine of full scale has an RMS of −3.01 dBFS.
///
/// This is the convention of power itself (a mean square of 1 is 0 dBFS), as in the meters of EBU R 128 and in this
/// project's detector. AES17 counts 3.01 dB more: its full-scale sine is at 0 dBFS.
package enum Decibels {
    /// The level that stands for digital silence. Its real level is −∞, which JSON can't represent. 16 bits end at −90
    /// dBFS.
    package static let silence = -120.0

    /// Returns the level of a mean square, at least `silence`.
    package static func level(ofPower power: Double) -> Double {
        max(10 * log10(max(power, 1e-30)), silence)
    }

    /// Returns the level of a sample's magnitude, at least `silence`.
    static func level(ofPeak peak: Float) -> Double {
        level(ofPower: Double(peak) * Double(peak))
    }

    /// Returns the mean square that has a level.
    static func power(ofLevel level: Double) -> Double { pow(10, level / 10) }
}
