import Foundation
import HTTPClient
import StoreTrials
import TestSupport
import Testing

/// A whole exam on the page in Debian's Chromium. The candidate has a keyboard, and a recording as microphone.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct ExamInABrowser {
    /// The least likeness of a window. Opus keeps 0.98 of the waveform, measured; another piece of speech has less than
    /// half.
    private static let alike = 0.9

    /// With Opus packets, and with samples, as a browser without WebCodecs sends them.
    @Test(arguments: Thoroughness.some(of: ["opus", "pcm"], oneIn: 2)) func aLearnerSitsAnExamFromPermissionToResults(
        _ sound: String
    ) async throws {
        let server = try await Programs.serverForThePage()
        let (user, microphone) = (UUID(), try Programs.answer(in: server.folder))
        let spoken = try Programs.samples(of: "AudioFixtures/answers/building-1.flac")
        let seen = try await PageScript.seen(
            "page-test.py",
            [
                server.url, microphone, "--format", "brief", "--paper", "few", "--token",
                try await RunningServer.token(of: user), "--sound", sound,
            ], on: server, part: sound)
        let session = try #require(seen["session"] as? String)
        let results = try await server.ask("GET", "/v1/sessions/\(session)/results", as: user).object
        let answers = try #require(results["answers"] as? [[String: Any]])
        #expect(answers.count == (seen["answers"] as? [String])?.count && answers.count >= 3)

        var windows: [Double] = []
        // Every take is a recording of the microphone's sound.
        for answer in answers {
            let path = try #require(answer["recording"] as? String)
            let recording = try await server.ask("GET", path, as: user)
            try #require(recording.status == 200)
            let take = server.folder + "/take.opus"
            try Data(recording.body).write(to: URL(filePath: take))
            // A take of the browser's own packets begins with up to 80 ms for a decoder to settle, the first take with
            // less. Samples are encoded by the server, with its encoder's delay.
            let preSkip = OggPackets(Array(recording.body)).preSkip
            #expect(sound == "opus" ? [0, 960, 1_920, 2_880, 3_840].contains(preSkip) : preSkip == 312, "\(preSkip)")
            let likeness = Likeness(of: try Programs.samples(of: take), to: spoken).windows
            // Chromium's device plays the recording, and stumbles on a busy machine. Each stumble spoils its fifth of a
            // second. A take of other sound has no window that is alike.
            #expect(likeness.contains { $0 > Self.alike }, "\(path) has none of the microphone's sound")
            windows += likeness
        }
        let share = Double(windows.count { $0 > Self.alike }) / Double(max(1, windows.count))
        print(
            "in a browser, on \(sound): \(answers.count) takes with \(windows.count / 5) s of speech,",
            String(
                format: "%.1f %% of it the microphone's, correlation %.2f", share * 100,
                windows.sorted()[windows.count / 2]))
        // At least ten seconds of speech; less would prove little.
        #expect(windows.count > 50)
        await server.stop()
    }

    /// An old browser, blocked storage, a missing script, a muted microphone, clips that don't arrive, a reloaded page,
    /// too many windows, more exams than fit on a page. The message fits the cause, and the exam continues.
    @Test func everyTroubleIsReported() async throws {
        let server = try await Programs.serverForThePage()
        let microphone = try Programs.answer(in: server.folder)
        let tokens = [try await RunningServer.token(of: UUID()), try await RunningServer.token(of: UUID())]
        try await PageScript.seen(
            "page-troubles.py",
            [server.url, microphone, "--format", "brief", "--paper", "few"] + tokens.flatMap { ["--token", $0] },
            on: server)
        await server.stop()
    }
}

/// The likeness of a take to a recording that was played in a loop while it was made, for each fifth of a second.
private struct Likeness {
    /// The correlation of each window of the take that has speech with the best place in the recording. 1 is the same
    /// waveform.
    var windows: [Double] = []

    /// The sample rate of the comparison. Half of the recorded rate, since speech is mostly below 4 kHz.
    private static let rate = 8_000
    /// The search compares a second's loudness first, in pieces of 10 ms, and then windows of the waveform, near the
    /// second's best place and the place of the last window.
    private static let (piece, window, near) = (80, 1_600, 480)

    init(of take: [Float], to recording: [Float]) {
        let (take, round) = (Self.halved(take), Self.halved(recording + recording.prefix(2 * Self.rate)))
        let loudness = Self.loudness(of: round[...])
        var shift = 0
        for start in stride(from: 0, to: take.count - Self.rate, by: Self.rate) {
            let own = Self.loudness(of: take[start..<start + Self.rate])
            let places = (0...(loudness.count - own.count)).map { place in
                (place, Self.correlation(own[...], loudness[place..<place + own.count]))
            }
            let likely = (places.max { $0.1 < $1.1 }?.0 ?? 0) * Self.piece
            for first in stride(from: start, to: start + Self.rate, by: Self.window) {
                let wave = take[first..<first + Self.window]
                // Above −40 dB of full scale there is speech in it.
                guard Self.loudness(of: wave).max()! > 0.01 else { continue }
                let best = [likely + first - start, first + shift].map { Self.closest(wave, round, around: $0) }
                    .max { $0.likeness < $1.likeness }!
                windows.append(best.likeness)
                shift = best.place - first
            }
        }
    }

    private static func closest(
        _ wave: ArraySlice<Float>, _ round: [Float], around place: Int
    ) -> (place: Int, likeness: Double) {
        let (first, last) = (max(0, place - near), min(round.count - wave.count, place + near))
        guard first <= last else { return (place, 0) }
        return (first...last).map { ($0, correlation(wave, round[$0..<$0 + wave.count])) }.max { $0.1 < $1.1 }!
    }

    private static func halved(_ samples: [Float]) -> [Float] {
        stride(from: 0, to: samples.count - 1, by: 2).map { (samples[$0] + samples[$0 + 1]) / 2 }
    }

    private static func loudness(of samples: ArraySlice<Float>) -> [Float] {
        stride(from: samples.startIndex, through: samples.endIndex - piece, by: piece).map { start in
            var sum: Float = 0
            for index in start..<start + piece { sum += samples[index] * samples[index] }
            return (sum / Float(piece)).squareRoot()
        }
    }

    private static func correlation(_ one: ArraySlice<Float>, _ other: ArraySlice<Float>) -> Double {
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                var (product, first, second): (Float, Float, Float) = (0, 0, 0)
                for index in 0..<one.count {
                    product += one[index] * other[index]
                    first += one[index] * one[index]
                    second += other[index] * other[index]
                }
                return first > 0 && second > 0 ? Double(product / (first * second).squareRoot()) : 0
            }
        }
    }
}
