import AudioFiles
import Foundation
import TestSupport
import Testing

/// Other programs decode as many samples as were written, and have no complaints.
@Suite struct OpusInOtherPrograms {
    /// Lengths around the ends of packets, with and without the encoder's delay of 104 samples, around the end of a
    /// page, and any other ones.
    static let lengths =
        [0, 1, 2, 103, 104, 215, 216, 217, 319, 320, 321, 536, 959, 960, 15_895, 15_896, 15_897, 16_000, 32_000]
        + [7_411, 23_897, 40_001, 51_713, 66_666, 79_999]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: lengths) func libsndfileReadsAsMuchAsWasWritten(_ count: Int) throws {
        let path = try recording(of: count)
        // A file without sound is refused like any other one.
        guard count > 0 else { return #expect(whatIsWrong(with: path)?.kind == .unusable) }
        #expect(try SoundFileReader(path: path).frameCount == count)
        #expect(try samples(ofFile: path).count == count)
    }

    @Test(.needs(opusToolsObstacle), arguments: lengths) func opusdecDecodesAsMuchAsWasWritten(_ count: Int)
        async throws
    {
        let (path, decoded) = (try recording(of: count), folder.path + "/decoded.wav")
        let (status, said) = await Trials.run("/usr/bin/opusdec", ["--quiet", "--rate", "48000", path, decoded])
        #expect(status == 0)
        #expect(said == "")
        // A header of 44 bytes, and 16 bits for each sample.
        #expect(try size(ofFile: decoded) == 44 + 2 * 3 * count)
    }

    @Test(.needs(opusToolsObstacle), arguments: lengths) func opusinfoHasNothingToWarnOf(_ count: Int) async throws {
        let (status, said) = await Trials.run("/usr/bin/opusinfo", [try recording(of: count)])
        #expect(status == 0)
        #expect(said.contains("Pre-skip: 312"))
        let troubles = ["warning", "error", "negative", "hole", "missing"].filter(said.lowercased().contains)
        #expect(troubles.isEmpty, "\(said)")
    }

    @Test(.needs(Trials.obstacle(to: "av", "numpy"))) func ffmpegDecodesAsMuchAsWasWritten() async throws {
        let (status, said) = await Trials.python("ffmpeg.py", try Self.lengths.map { try recording(of: $0) })
        try #require(status == 0, "\(said)")
        let lines = said.split(separator: "\n").map { $0.split(separator: " ") }
        try #require(lines.map { $0[0] } == Self.lengths.map { "\(3 * $0)" })
        for (line, count) in zip(lines, Self.lengths) where count > 1_000 {
            // A tone at half of full scale.
            let level = try #require(Double(line[1]))
            #expect((0.34...0.365).contains(level), "of \(count)")
        }
    }

    private func recording(of count: Int) throws -> String {
        let path = "\(folder.path)/\(count).opus"
        try record(Array(sine(400, seconds: 6).prefix(count)), to: path, as: .opus(bitRate: 32_000))
        return path
    }
}

private let opusToolsObstacle =
    ["/usr/bin/opusdec", "/usr/bin/opusinfo"].allSatisfy(FileManager.default.isExecutableFile)
    ? nil : "no opusdec and opusinfo: apt-get install opus-tools"
