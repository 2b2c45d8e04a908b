import AudioFiles
import ExamCore
import Foundation

@testable import PulseRoom

let sampleRate = 16_000

extension SplitMix64 {
    /// Returns a number from 0 to 1.
    mutating func part() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
    /// Returns a number with mean 0 and mean square 1. The sum of three is close enough to a bell shape.
    mutating func noise() -> Float { Float(2 * (part() + part() + part()) - 3) }
}

func level(_ sound: some Collection<Float>) -> Double {
    10 * log10(sound.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(sound.count) + 1e-30)
}

func scaled(_ sound: [Float], by decibels: Double) -> [Float] {
    let gain = Float(pow(10, decibels / 20))
    return sound.map { $0 * gain }
}

/// Returns the sound at an RMS in dBFS.
func atLevel(_ sound: [Float], _ dBFS: Double) -> [Float] { scaled(sound, by: dBFS - level(sound)) }

func sum(_ one: [Float], _ other: [Float]) -> [Float] { zip(one, other).map { $0 + $1 } }

func white(_ count: Int, seed: UInt64, dBFS: Double) -> [Float] {
    var dice = SplitMix64(seed: seed)
    return atLevel((0..<count).map { _ in dice.noise() }, dBFS)
}

/// Returns pink noise from P. Kellet's filter of three poles.
func pink(_ count: Int, seed: UInt64, dBFS: Double) -> [Float] {
    var (a, b, c): (Float, Float, Float) = (0, 0, 0)
    let noise = white(count, seed: seed, dBFS: 0).map { x in
        a = 0.99765 * a + x * 0.0990460
        b = 0.96300 * b + x * 0.2965164
        c = 0.57000 * c + x * 1.0526913
        return a + b + c + x * 0.1848
    }
    return atLevel(noise, dBFS)
}

func sine(_ hertz: Double, _ count: Int, amplitude: Double = 1) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / Double(sampleRate))) }
}

/// Returns the hum of mains in a cable: 20 harmonics of falling strength.
func hum(_ hertz: Double, _ count: Int, dBFS: Double) -> [Float] {
    let sound = (0..<count).map { index in
        (1...20).reduce(Float(0)) { sum, harmonic in
            let k = Double(harmonic)
            return sum + Float(sin(2 * .pi * hertz * k * Double(index) / Double(sampleRate) + k * k) / k)
        }
    }
    return atLevel(sound, dBFS)
}

/// Returns chords and runs of decaying notes, some of them gliding.
func music(_ count: Int, seed: UInt64, dBFS: Double) -> [Float] {
    var dice = SplitMix64(seed: seed)
    var sound = [Float](repeating: 0, count: count)
    var at = 0
    while at < count {
        for _ in 0..<(1 + Int(dice.part() * 3)) {
            let pitch = 110 * pow(2, Double(Int(dice.part() * 36)) / 12)
            let glide = dice.part() < 0.2 ? dice.part() - 0.5 : 0  // octaves a second
            let length = min(Int(16_000 * (0.2 + 0.6 * dice.part())), count - at)
            for index in 0..<length {
                let t = Double(index) / 16_000
                let phase = 2 * .pi * pitch * t * pow(2, glide * t / 2)
                sound[at + index] += Float((sin(phase) + sin(2 * phase) / 2 + sin(3 * phase) / 3) * exp(-4 * t))
            }
        }
        at += 1 + Int(8_000 * dice.part())
    }
    return atLevel(sound, dBFS)
}

/// Returns the convolution of two sounds, computed with their spectra.
func convolved(_ sound: [Float], _ response: [Float]) -> [Float] {
    let count = sound.count + response.count
    var size = 2
    while size < count { size *= 2 }
    let (a, b) = (Spectrum(of: sound, count: size), Spectrum(of: response, count: size))
    var product = Spectrum(zeros: size)
    for bin in 0..<size {
        product.real[bin] = a.real[bin] * b.real[bin] - a.imaginary[bin] * b.imaginary[bin]
        product.imaginary[bin] = -(a.real[bin] * b.imaginary[bin] + a.imaginary[bin] * b.real[bin])
    }
    product.transform()
    return product.real[..<count].map { Float($0 / Double(size)) }
}

/// Returns the response of a small room: the direct sound, followed 3 ms later by decaying noise that is `echo` dB
/// stronger. The total energy is 1.
func room(reverberation seconds: Double, echo: Double = 3, seed: UInt64) -> [Float] {
    var dice = SplitMix64(seed: seed)
    var response = (0..<Int(1.2 * seconds * 16_000)).map { index in
        index < 48 ? 0 : dice.noise() * Float(pow(10, -3 * Double(index) / (seconds * 16_000)))
    }
    let energy = response.reduce(0) { $0 + $1 * $1 }
    response = response.map { $0 / energy.squareRoot() * Float(pow(10, echo / 20)) }
    response[0] = 1
    let whole = response.reduce(0) { $0 + $1 * $1 }
    return response.map { $0 / whole.squareRoot() }
}

/// Returns a microphone's sound in the 2 s after playing began.
func recording(of sound: [Float], delay milliseconds: Int, gain: Double, noise: [Float] = []) -> [Float] {
    var heard = [Float](repeating: 0, count: LeakProbe.recordingSamples)
    for (index, sample) in noise.prefix(heard.count).enumerated() { heard[index] = sample }
    let late = scaled(sound, by: gain)
    let start = milliseconds * 16
    for index in start..<min(start + late.count, heard.count) { heard[index] += late[index - start] }
    return heard
}

/// The paths of the repository's own recordings and of the labelled data.
enum Recordings {
    static let fixtures = top + "AudioFixtures/"
    static let labelled = top + "../shared/data/vad/"
    private static let top =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/"
    static let haveFixtures = FileManager.default.fileExists(atPath: fixtures)
    static let haveLabelled = FileManager.default.fileExists(atPath: labelled)

    static func load(_ path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var sound: [Float] = []
        while let block = try reader.next() { sound += block.samples }
        return sound
    }

    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            ($0.hasSuffix(".flac") && !$0.hasPrefix("stereo")) || $0.hasSuffix(".opus")
        }.sorted().map { folder + $0 }
    }
}
