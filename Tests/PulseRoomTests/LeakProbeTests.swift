import Foundation
import TestSupport
import Testing

@testable import PulseRoom

private let probe = LeakProbe()

@Suite struct TheProbe {
    @Test func isTheSameEachTimeAndNotLoud() {
        #expect(LeakProbe().sound == probe.sound)
        #expect(probe.sound.count == 16_000)
        let peak = probe.sound.reduce(0) { max($0, abs($1)) }
        #expect(abs(20 * log10(Double(peak)) + 12) < 0.05)
        #expect(abs(level(probe.sound) + 15.2) < 0.1)
        #expect(probe.sound[0] == 0)
        #expect(abs(probe.sound[15_999]) < 1e-4, "the sound fades out")
    }

    /// The faded ends leave nothing outside the telephone band: 40 dB down at 250 and 3600 Hz.
    @Test func staysInItsBand() {
        let spectrum = Spectrum(of: probe.sound, count: 32_768)
        func energy(_ band: Range<Double>) -> Double {
            (Int(band.lowerBound * 2.048)..<Int(band.upperBound * 2.048)).reduce(0) { $0 + spectrum.power($1) }
        }
        let whole = energy(0..<8_000)
        #expect(energy(0..<250) + energy(3_600..<8_000) < 1e-4 * whole)
    }
}

@Suite struct LeaksThatAreThere {
    @Test(arguments: [0, 1, 37, 150, 420, 700], [0.0, -20, -40, -60])
    func aPlainDelayIsMeasuredToATenthOfADecibel(delay: Int, gain: Double) throws {
        let leak = try #require(probe.leak(in: recording(of: probe.sound, delay: delay, gain: gain)))
        #expect(abs(leak.gainDB - gain) < 0.1)
        #expect(abs(leak.delayMS - Double(delay)) <= 1)
    }

    /// The energy of the echoes counts, because the detector hears it too.
    @Test(arguments: [0.3, 0.45, 0.6], [UInt64(1), 2, 3])
    func aRoomIsMeasuredToADecibel(reverberation: Double, seed: UInt64) throws {
        let heard = convolved(probe.sound, room(reverberation: reverberation, seed: seed))
        let truth = level(heard) + 10 * log10(Double(heard.count)) - level(probe.sound) - 10 * log10(16_000) - 30
        for (noise, allowed) in [(-90.0, 0.5), (-55.0, 1.0)] {
            let noise = pink(32_000, seed: seed, dBFS: noise)
            let leak = try #require(probe.leak(in: recording(of: heard, delay: 180, gain: -30, noise: noise)))
            #expect(abs(leak.gainDB - truth) < allowed, "noise \(level(noise))")
            #expect((179...186).contains(leak.delayMS), "\(leak.delayMS) ms")
        }
    }

    /// 10 dB below pink noise, in a room; −55 dB in a room of −60 dBFS.
    @Test(arguments: [0.0, 0.3, 0.6])
    func aLeakUnderTheNoiseIsFound(reverberation: Double) throws {
        for seed in UInt64(1)...8 {
            let sound =
                reverberation > 0
                ? convolved(probe.sound, room(reverberation: reverberation, seed: seed)) : probe.sound
            let noise = pink(32_000, seed: seed + 40, dBFS: -60)
            let heard = recording(of: sound, delay: Int(seed) * 80, gain: -60 - 10 + 15.2, noise: noise)
            let leak = try #require(probe.leak(in: heard), "evidence \(probe.evidence(in: heard)), seed \(seed)")
            #expect(abs(leak.gainDB + 54.8) < 4)
            #expect(abs(leak.delayMS - Double(seed) * 80) < 12)
        }
    }

    /// A cheap loudspeaker that distorts by tanh to two thirds at its crests.
    @Test func softClippingHidesNothing() throws {
        let bent = scaled(probe.sound.map { tanh($0 * 8) / 8 }, by: -20)
        let leak = try #require(probe.leak(in: recording(of: bent, delay: 90, gain: 0)))
        #expect(abs(leak.delayMS - 90) <= 1)
        #expect(abs(leak.gainDB - (level(bent) - level(probe.sound))) < 0.5)
    }

    /// A laptop without bass, and a telephone.
    @Test(arguments: [(600.0, 8_000.0), (300, 3_400), (400, 2_800)])
    func bandLimitsHideNothing(low: Double, high: Double) throws {
        var spectrum = Spectrum(of: probe.sound, count: 32_768)
        for bin in 0..<32_768 {
            let hertz = Double(min(bin, 32_768 - bin)) / 2.048
            if hertz < low || hertz > high { (spectrum.real[bin], spectrum.imaginary[bin]) = (0, 0) }
            spectrum.imaginary[bin] *= -1
        }
        spectrum.transform()
        let limited = spectrum.real[..<20_000].map { Float($0 / 32_768) }
        let noise = pink(32_000, seed: 5, dBFS: -60)
        let leak = try #require(probe.leak(in: recording(of: limited, delay: 120, gain: -35, noise: noise)))
        let truth = level(limited) + 10 * log10(20_000 / 16_000) - level(probe.sound) - 35
        #expect(abs(leak.gainDB - truth) < 0.5)
        #expect(abs(leak.delayMS - 120) <= 2)
    }

    /// Two sound cards whose clocks differ by 300 ppm. Cheap ones differ by 100.
    @Test func driftingClocksHideNothing() throws {
        let drifted = (0..<15_900).map { index -> Float in
            let at = Double(index) * 1.0003
            let part = Float(at - at.rounded(.down))
            return probe.sound[Int(at)] * (1 - part) + probe.sound[Int(at) + 1] * part
        }
        let leak = try #require(probe.leak(in: recording(of: drifted, delay: 200, gain: -30)))
        #expect(abs(leak.gainDB + 30) < 0.5)
        #expect(abs(leak.delayMS - 200) <= 2)
    }

    /// Someone continues to speak. The leak is found beside a voice of its own level.
    @Test(.enabled(if: Recordings.haveFixtures, "no recordings in \(Recordings.fixtures)"))
    func aVoiceBesideItHidesNothing() throws {
        let voice = atLevel(try Recordings.load(Recordings.fixtures + "answers/talk.flac"), -45)
        for start in stride(from: 0, to: 320_000, by: 64_000) {
            let noise = Array(voice[start..<start + 32_000])
            let heard = recording(of: probe.sound, delay: 250, gain: -30, noise: noise)
            let leak = try #require(probe.leak(in: heard), "evidence \(probe.evidence(in: heard))")
            #expect(abs(leak.gainDB + 30) < 2)
        }
    }

    /// 0.03 s of processor time unoptimised, on the machine on which this was written. A user at a prompt would wait a
    /// second.
    @Test func aSearchIsQuick() {
        let heard = recording(of: probe.sound, delay: 250, gain: -30)
        let before = clock()
        _ = LeakProbe().leak(in: heard)
        let seconds = secondsOfThisThread(since: before)
        print("LeakProbe took \(seconds) s of processor time")
        #expect(seconds < 1)
    }

    private func clock() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time
    }

    private func secondsOfThisThread(since before: timespec) -> Double {
        let now = clock()
        return Double(now.tv_sec - before.tv_sec) + Double(now.tv_nsec - before.tv_nsec) / 1e9
    }
}

@Suite struct LeaksThatAreNotThere {
    @Test func digitalSilenceAndNothingAtAll() {
        #expect(probe.leak(in: [Float](repeating: 0, count: 32_000)) == nil)
        #expect(probe.leak(in: [Float]()) == nil)
        #expect(probe.leak(in: [Float](repeating: 0.3, count: 32_000)) == nil, "direct current")
    }

    @Test func noiseHumAndMusicAreNotALeak() {
        var most: [String: Double] = [:]
        for seed in 1...UInt64(Thoroughness.count(5, check: 25)) {
            let sounds = [
                "white": white(32_000, seed: seed, dBFS: -30), "pink": pink(32_000, seed: seed, dBFS: -30),
                "hum": sum(hum(50, 32_000, dBFS: -30), white(32_000, seed: seed, dBFS: -60)),
                "tone": sum(sine(700 + 40 * Double(seed), 32_000), white(32_000, seed: seed, dBFS: -60)),
                "music": music(32_000, seed: seed, dBFS: -20),
            ]
            for (name, sound) in sounds { most[name] = max(most[name] ?? -10, probe.evidence(in: sound)) }
        }
        print("most evidence without a leak, dB:", most.mapValues { ($0 * 10).rounded() / 10 })
        for (name, evidence) in most { #expect(evidence < LeakProbe.leastEvidence, "\(name)") }
    }

    /// The same sound reversed has the same spectrum, but was not played.
    @Test func theProbeBackwardsIsNotALeak() {
        #expect(probe.leak(in: recording(of: probe.sound.reversed(), delay: 200, gain: -20)) == nil)
    }

    @Test(.enabled(if: Recordings.haveFixtures, "no recordings in \(Recordings.fixtures)"))
    func theCandidateAndTheExaminerAreNotALeak() throws {
        let answers = try Recordings.files(in: Recordings.fixtures + "answers/")
        let prompts = try Recordings.files(in: Recordings.fixtures + "prompts/")
        try expectNoLeak(in: answers + prompts, atLeast: 150)
    }

    @Test(.enabled(if: Recordings.haveLabelled, "no labelled data in \(Recordings.labelled)"))
    func speechBabbleAndEventsAreNotALeak() throws {
        let folders = ["answers/", "short/", "noise/"]
        let files = try folders.flatMap { try Recordings.files(in: Recordings.labelled + $0) }
        try expectNoLeak(in: files, atLeast: 300)
    }

    private func expectNoLeak(in files: [String], atLeast least: Int) throws {
        let step = Thoroughness.isCheck ? 96_000 : 480_000
        var (stretches, alarms, most) = (0, 0, -10.0)
        for file in files {
            let sound = try Recordings.load(file)
            for start in stride(from: 0, to: max(sound.count - 32_000, 1), by: step) {
                let evidence = probe.evidence(in: sound.dropFirst(start).prefix(32_000))
                most = max(most, evidence)
                stretches += 1
                if evidence >= LeakProbe.leastEvidence { alarms += 1 }
            }
        }
        print("\(alarms) false alarms in \(stretches) stretches of 2 s; most evidence \(most) dB")
        #expect(stretches >= (Thoroughness.isCheck ? least : least / 5))
        #expect(alarms == 0)
    }
}
