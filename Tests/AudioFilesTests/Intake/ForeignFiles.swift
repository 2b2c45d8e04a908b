import AudioFiles
import Foundation
import TestSupport
import Testing

/// Recordings of telephones and browsers are decoded by ffmpeg if it is installed. Otherwise they are refused with the
/// command that converts them.
@Suite struct ForeignFiles {
    private static let ffmpeg = "/usr/bin/ffmpeg"
    private static let obstacle =
        FileManager.default.isExecutableFile(atPath: ffmpeg) ? nil : "no \(ffmpeg): apt-get install ffmpeg"

    /// Encodes a file with ffmpeg, in the kind of its name's suffix.
    private func encode(_ samples: [Float], rate: Int, to path: String, _ options: String) async throws {
        let source = path + ".source.wav"
        try write(samples, to: source, rate: rate, format: floatWAV)
        let arguments =
            ["-nostdin", "-v", "error", "-y", "-i", source] + options.split(separator: " ").map(String.init) + [path]
        let (status, said) = await Trials.run(Self.ffmpeg, arguments)
        try #require(status == 0, "\(said)")
        try FileManager.default.removeItem(atPath: source)
    }

    private static let kinds: [(name: String, options: String, container: RecordingContainer)] = [
        ("a.m4a", "-c:a aac", .mpeg4), ("a.mp4", "-c:a aac -movflags +faststart", .mpeg4),
        ("a.3gp", "-c:a aac -ac 1", .mpeg4),
        ("a.webm", "-c:a libopus", .matroska), ("live.webm", "-c:a libopus -f webm -live 1", .matroska),
        ("a.mka", "-c:a libvorbis", .matroska), ("a.aac", "-c:a aac", .adts), ("a.wma", "-c:a wmav2", .windowsMedia),
    ]

    @Test(.needs(obstacle), arguments: kinds.indices)
    func telephonesAndBrowsersRecordingsAreRead(_ index: Int) async throws {
        let (name, options, container) = Self.kinds[index]
        try await inTemporaryFolder { folder in
            try await encode(sine(400, seconds: 2.5, rate: 48_000), rate: 48_000, to: folder.file(name), options)
            let reader = try SoundFileReader(path: folder.file(name))
            #expect(reader.container == container)
            let heard = try reading(ofFile: folder.file(name))
            // Encoders fill up their last frame, or leave out a part of it.
            #expect(2.45...2.65 ~= Double(heard.samples.count) / 16_000, "\(name)")
            #expect(heard.warnings.isEmpty, "\(heard.warnings)")
            let measured = ToneMeasurement(of: 400, in: Array(heard.samples[8_000..<32_000]))
            #expect(abs(decibels(measured.amplitude * measured.amplitude / 0.25)) < 1, "\(name)")
        }
    }

    /// Recordings of old telephones: frames of 20 ms at the lowest rate, 13 bytes each.
    @Test(.needs(obstacle)) func anAMRFileIsRead() throws {
        try inFolder { folder in
            let frame = [4] + (0..<12).map { UInt8($0 * 21 & 0xff) }
            let file = Array("#!AMR\n".utf8) + (0..<100).flatMap { _ in frame }
            try Data(file).write(to: folder.appending(path: "a.amr"))
            #expect(try reading(ofFile: folder.file("a.amr")).samples.count == 32_000)
        }
    }

    @Test(.needs(obstacle)) func aTelephonesFileThatIsCutOffTellsItsLoss() async throws {
        try await inTemporaryFolder { folder in
            let path = folder.file("a.mp4")
            // Noise takes the same number of bytes each second.
            var dice = UInt64(3)
            let noise = (0..<(8 * 48_000)).map { _ in
                dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Float(Int32(truncatingIfNeeded: dice >> 32)) / 8_589_934_592
            }
            try await encode(noise, rate: 48_000, to: path, "-c:a aac -movflags +faststart")
            try cutOff(path, after: 0.6)
            let heard = try reading(ofFile: path)
            let missing = heard.warnings.reduce(0) { $0 + $1.missingSeconds }
            #expect(heard.warnings == [.endsEarly(seconds: missing)])
            #expect(abs(Double(heard.samples.count) / 16_000 + missing - 8) < 0.1)
            #expect(2...5 ~= missing)
        }
    }

    /// A telephone writes the index when it stops. Without it no program can read the file.
    @Test(.needs(obstacle)) func aTelephonesFileWithoutItsIndexIsRefused() async throws {
        try await inTemporaryFolder { folder in
            try await encode(sine(400, seconds: 2, rate: 48_000), rate: 48_000, to: folder.file("a.m4a"), "-c:a aac")
            try cutOff(folder.file("a.m4a"), after: 0.6)
            #expect(
                whatIsWrong(with: folder.file("a.m4a"))?.reason == """
                    is cut off: its index, which comes last, is missing, and no sound can be read without it; copy the file again
                    """)
        }
    }

    /// A film without sound is refused in every container.
    @Test(.needs(obstacle)) func aFilmWithoutSoundIsRefused() async throws {
        try await inTemporaryFolder { folder in
            let arguments = [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=size=16x16:duration=1", folder.file("a.mp4"),
            ]
            try #require(await Trials.run(Self.ffmpeg, arguments).status == 0)
            #expect(
                whatIsWrong(with: folder.file("a.mp4"))?.reason.hasPrefix("holds no sound that ffmpeg can decode")
                    == true)
        }
    }

    /// MP3 and other codecs in WAV, as some recorders write them.
    @Test(.needs(obstacle)) func soundOfAnotherCodecInAWAVFileIsRead() async throws {
        try await inTemporaryFolder { folder in
            for codec in ["libmp3lame", "adpcm_ms", "pcm_alaw", "wmav2"] {
                try await encode(
                    sine(400, seconds: 2, rate: 16_000), rate: 16_000, to: folder.file("a.wav"), "-c:a \(codec)")
                let heard = try reading(ofFile: folder.file("a.wav"))
                #expect(1.95...2.2 ~= Double(heard.samples.count) / 16_000, "\(codec)")
            }
        }
    }

    @Test(arguments: [
        (
            "answer one.m4a", [0, 0, 0, 24] + Array("ftypM4A ".utf8), "MPEG-4 (m4a, mp4, 3gp)", "'answer one.m4a'",
            "'answer one.wav'"
        ),
        ("a.webm", [0x1a, 0x45, 0xdf, 0xa3], "WebM or Matroska", "a.webm", "a.wav"),
        ("a.amr", Array("#!AMR\n".utf8), "AMR", "a.amr", "a.wav"),
        ("it's", Array("#!AMR\n".utf8), "AMR", "'it'\\''s'", "'it'\\''s.wav'"),
    ])
    func withoutFFmpegTheRefusalHasTheCommand(
        _ name: String, _ beginning: [UInt8], _ kind: String, _ from: String, _ to: String
    ) throws {
        let reason = try inFolder { folder in
            try Data(beginning + [UInt8](repeating: 0, count: 100)).write(to: folder.appending(path: name))
            return SoundFileReader.obstacle(toReading: folder.file(name), programs: folder.path)
        }
        #expect(
            reason == """
                is \(kind), which needs the program ffmpeg, and that is not installed here; install it (apt install ffmpeg), \
                or convert the recording: ffmpeg -i \(from) -vn -ac 1 -ar 16000 \(to)
                """)
    }
}

/// Like `inFolder`, for asynchronous bodies.
private func inTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oracy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}
