import CSndFile

/// Sound that is decoded piece by piece from beginning to end.
protocol SampleSource: AnyObject {
    /// Samples a second.
    var sampleRate: Int { get }
    var channelCount: Int { get }
    /// The number of frames that the file itself states. 0 if it must be decoded to know.
    var frameCount: Int { get }
    /// The faults found while decoding, in order.
    var warnings: [RecordingWarning] { get }

    /// Reads up to `frames` interleaved frames, full scale ±1.
    ///
    /// - Returns: the number of frames read. It is smaller than requested only at the end.
    /// - Throws: `SourceFailure` if the bytes cannot be read.
    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int
}

/// The reason in plain words why sound cannot be used, to follow the file's name.
struct SourceFailure: Error {
    let reason: String
    /// Whether the reason ends with advice.
    var saysWhatToDo = false
}

/// Sound decoded by libsndfile.
final class LibrarySource: SampleSource {
    let sampleRate: Int
    let channelCount: Int
    let frameCount: Int
    private(set) var warnings: [RecordingWarning] = []
    private let handle: OpaquePointer
    private let has16Bits: Bool
    private let bytes: SoundBytes
    private var framesRead = 0

    /// The reason why libsndfile does not open a file.
    enum Refusal: Error {
        /// libsndfile does not know the container or its codec.
        case unknown(words: String)
        /// The file contains sound, but cannot be used.
        case unusable(SourceFailure)

        /// The library's message about the unknown format.
        ///
        /// - Throws: the failure if the format is known but the sound is unusable.
        var words: String {
            get throws(SourceFailure) {
                switch self {
                case .unknown(let words): return words
                case .unusable(let failure): throw failure
                }
            }
        }
    }

    /// 16 days at 768 kHz. Times in microseconds then remain far below the limit of Int.
    private static let mostFrames: Int64 = 1 << 40

    /// Opens bytes as a sound file.
    ///
    /// - Parameter knownFrames: the length, if the caller knows it better than the library. Otherwise nil.
    init(_ bytes: SoundBytes, knownFrames: Int? = nil) throws(Refusal) {
        var info = SF_INFO()
        let handle: OpaquePointer
        do throws(LibraryOpening.Refusal) {
            handle = try LibraryOpening.open { bytes.open(&info) }
        } catch {
            throw .unknown(words: error.words)
        }
        let hasNoLength = info.frames == Int64.max
        let reason: String? =
            if info.frames <= 0 {
                SoundFileReader.noSamples
            } else if info.channels < 1 || info.samplerate < 1_000 || info.samplerate > 768_000 {
                "has \(info.channels) channels at \(info.samplerate) Hz; use at least one, at 1 to 768 kHz"
            } else if !hasNoLength && info.frames > Self.mostFrames {
                "promises more sound than there is: \(info.frames) samples"
            } else { nil }
        if let reason {
            sf_close(handle)
            throw .unusable(SourceFailure(reason: reason))
        }
        self.handle = handle
        self.bytes = bytes
        has16Bits = Int(info.format) & SF_FORMAT_SUBMASK == SF_FORMAT_PCM_16
        sampleRate = Int(info.samplerate)
        channelCount = Int(info.channels)
        // INT64_MAX stands for a length missing from the header (FLAC from a pipe).
        frameCount = knownFrames ?? (hasNoLength ? 0 : Int(info.frames))
    }

    deinit {
        sf_close(handle)
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int {
        let count =
            has16Bits ? readPCM16(frames, into: samples) : Int(sf_readf_float(handle, samples, sf_count_t(frames)))
        framesRead += count
        guard count < frames else { return count }
        let second = Double(framesRead) / Double(sampleRate)
        if let failure = bytes.failure {
            throw SourceFailure(reason: "cannot be read after \(second.rounded(to: 3)) s (\(failure))")
        }
        // If the header states a length, the missing frames show the loss better.
        if frameCount == 0, sf_error(handle) != SF_ERR_NO_ERROR, warnings.isEmpty {
            warnings.append(.damaged(at: second, byteCount: nil, seconds: nil))
        }
        return count
    }

    /// Reads the same samples as `sf_readf_float`, to the bit, in a third of the time: libsndfile converts samples one
    /// by one.
    private func readPCM16(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> Int {
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: frames * channelCount) { pcm in
            let count = Int(sf_readf_short(handle, pcm.baseAddress!, sf_count_t(frames)))
            for index in 0..<(count * channelCount) { samples[index] = Float(pcm[index]) * (1 / 32_768) }
            return count
        }
    }
}
