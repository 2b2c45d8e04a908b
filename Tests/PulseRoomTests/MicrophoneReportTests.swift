import Foundation
import Testing

@testable import PulseRoom

private let probe = LeakProbe()

/// Returns a second of silence and five of an answer. The whole recording, with its pauses, has the level.
private func answer(_ name: String, speech dBFS: Double) throws -> [Float] {
    let sound = try Recordings.load(Recordings.fixtures + "answers/\(name).flac")
    return [Float](repeating: 0, count: 16_000) + atLevel(sound, dBFS).prefix(80_000)
}

/// Makes a report for a room of pink noise.
private func check(
    _ name: String = "home-1", speech: Double = -25, noise: Double = -65, leak: Double? = nil, seed: UInt64 = 1
) throws -> MicrophoneReport {
    let sound = pink(176_000, seed: seed, dBFS: noise)
    let probed = Array(sound[48_000..<80_000])
    return MicrophoneReport(
        silence: Array(sound[..<48_000]),
        probe: leak.map { recording(of: probe.sound, delay: 140, gain: $0, noise: probed) } ?? probed,
        speech: sum(try answer(name, speech: speech), Array(sound[80_000...])))
}

@Suite(.enabled(if: Recordings.haveFixtures, "no recordings in \(Recordings.fixtures)"))
struct Reports {
    @Test func aGoodMicrophone() throws {
        let report = try check(leak: nil)
        #expect(abs(report.noiseDBFS + 65) < 0.3)
        #expect(report.voiceBandNoiseDBFS < report.noiseDBFS)
        // The file's level includes its pauses, the active level doesn't.
        #expect((-25.0 ... -22).contains(try #require(report.speechDBFS)))
        #expect((3.0...5.2).contains(report.speechSeconds))
        #expect(report.clippedPart == 0)
        #expect(report.leak == nil)
        #expect(report.suggestedGateDBFS == nil)
        #expect(report.verdicts == [.ready])
    }

    /// The ratio in the voice band, compared with the true ratio of the parts in the same band.
    @Test(arguments: [30.0, 20, 12, 8])
    func speechOverNoiseIsMeasured(under: Double) throws {
        let report = try check(noise: -25 - under)
        let (clean, clear) = (try answer("home-1", speech: -25), try check(noise: -75))
        var band = VoiceBand()
        let voice = level(band.pass(clean)) + 10 * log10(6 / clear.speechSeconds)
        let truth = voice - report.voiceBandNoiseDBFS
        #expect(abs(try #require(report.speechOverNoiseDB) - truth) < (under < 10 ? 3 : 1.5), "truth \(truth)")
    }

    @Test func anUnpluggedMicrophone() {
        let nothing = [Float](repeating: 0, count: 48_000)
        let report = MicrophoneReport(silence: nothing, probe: nothing, speech: nothing)
        #expect(report.noiseDBFS == -120)
        #expect(report.speechDBFS == nil)
        #expect(report.verdicts == [.noSignal])
        #expect(MicrophoneReport(silence: [], probe: [], speech: []).verdicts == [.noSignal])
    }

    @Test func aMissingVoiceIsReported() throws {
        let noise = pink(176_000, seed: 9, dBFS: -55)
        let report = MicrophoneReport(
            silence: Array(noise[..<48_000]), probe: [], speech: Array(noise[80_000...]))
        #expect(report.speechSeconds < 0.5)
        #expect(report.verdicts == [.nobodySpoke])
    }

    @Test(arguments: [(-36.0, [MicrophoneVerdict.Severity.fine]), (-46, [.warning]), (-52, [.problem])])
    func quietVoices(dBFS: Double, severity: [MicrophoneVerdict.Severity]) throws {
        let report = try check(speech: dBFS, noise: -80)
        #expect(report.verdicts.map(\.severity) == severity, "\(report.verdicts)")
        if severity != [.fine] { #expect(report.verdicts == [.tooQuiet(speechDBFS: report.speechDBFS!)]) }
    }

    @Test func aVoiceThatClips() throws {
        let loud = scaled(try answer("home-1", speech: -25), by: 18).map { min(max($0, -1), 1) }
        let report = MicrophoneReport(silence: white(48_000, seed: 1, dBFS: -60), probe: [], speech: loud)
        #expect(report.clippedPart > 1e-4)
        #expect(report.verdicts == [.tooLoud(clippedPart: report.clippedPart)])
        #expect(report.peakDBFS == 0)
    }

    @Test func aNoisyRoom() throws {
        let warned = try check(noise: -29).verdicts
        #expect(warned.map(\.severity) == [.warning], "\(warned)")
        let bad = try check(noise: -23).verdicts
        #expect(bad.map(\.severity) == [.problem], "\(bad)")
    }

    @Test func aRoomThatHums() throws {
        let noise = sum(hum(50, 144_000, dBFS: -50), white(144_000, seed: 4, dBFS: -65))
        let report = MicrophoneReport(
            silence: Array(noise[..<48_000]), probe: [],
            speech: sum(try answer("home-1", speech: -22), Array(noise[48_000...])))
        #expect(report.verdicts == [.hums(mainsHz: 50)])
    }

    @Test func leaksAreWeighed() throws {
        let harmless = try check(leak: -48)
        #expect(harmless.leak != nil)
        #expect(harmless.verdicts == [.ready], "the examiner arrives under the usual gate")

        let weak = try check(leak: -32)
        #expect(abs(try #require(weak.leak).gainDB + 32) < 0.5)
        #expect(abs(try #require(weak.suggestedGateDBFS) + 52) < 0.5)
        #expect(weak.verdicts == [.leaks(gateDBFS: weak.suggestedGateDBFS!)])

        let strong = try check(leak: -12)
        #expect(strong.suggestedGateDBFS == nil)
        #expect(strong.verdicts == [.leaksMuch])
    }

    @Test func jsonNamesItsUnits() throws {
        let report = try check(leak: -30)
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(MicrophoneReport.self, from: data) == report)
        let keys = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]).keys
        #expect(
            keys.sorted() == [
                "clippedPart", "hum", "leak", "noiseDBFS", "peakDBFS", "speechDBFS", "speechOverNoiseDB",
                "speechSeconds",
                "suggestedGateDBFS", "voiceBandNoiseDBFS",
            ])
        let silent = [Float](repeating: 0, count: 48_000)
        _ = try JSONEncoder().encode(MicrophoneReport(silence: silent, probe: silent, speech: silent))
    }
}

@Suite struct Verdicts {
    @Test func eachSaysWhatIsWrongAndWhatToDo() {
        let all: [MicrophoneVerdict] = [
            .noSignal, .nobodySpoke, .tooQuiet(speechDBFS: -45), .tooLoud(clippedPart: 0.01),
            .noisy(speechOverNoiseDB: 9), .hums(mainsHz: 60), .leaks(gateDBFS: -48.3), .leaksMuch, .ready,
        ]
        for verdict in all {
            #expect(verdict.sentence.hasSuffix("."))
            // What was found, and what to do about it.
            #expect(verdict.sentence.count(where: { $0 == "." }) <= 2)
            #expect(verdict.sentence.count < 120)
        }
        #expect(Set(all.map(\.sentence)).count == all.count)
        #expect(MicrophoneVerdict.leaks(gateDBFS: -48.3).sentence.contains("-48 dBFS"))
    }
}
