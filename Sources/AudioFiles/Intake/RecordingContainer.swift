/// The kind of a recording's file, determined by its first bytes. Names and media types are often wrong.
public enum RecordingContainer: String, CaseIterable, Sendable {
    /// RIFF/WAVE, and its big-endian form RIFX.
    case wav = "WAV"
    /// WAV with 64-bit lengths (EBU 3306), or BW64.
    case rf64 = "RF64"
    /// Sony's form of WAV with 64-bit lengths.
    case wave64 = "Wave64"
    /// AIFF and AIFF-C.
    case aiff = "AIFF"
    /// Sun's and NeXT's format.
    case au = "AU"
    /// Apple's Core Audio Format.
    case caf = "CAF"
    /// Bare FLAC. FLAC in Ogg is `ogg`.
    case flac = "FLAC"
    /// Ogg with any contents: Opus, Vorbis, FLAC, Speex.
    case ogg = "Ogg"
    /// Bare MPEG audio: MP3, and layers I and II.
    case mpegAudio = "MP3"
    /// The ISO base media format, written by iPhones and most telephone recorders.
    case mpeg4 = "MPEG-4 (m4a, mp4, 3gp)"
    /// WebM and Matroska, written by browsers.
    case matroska = "WebM or Matroska"
    /// AMR, narrowband or wideband, written by old telephones.
    case amr = "AMR"
    /// Bare AAC in frames with their own headers.
    case adts = "AAC"
    /// ASF: WMA.
    case windowsMedia = "Windows Media"
    /// One of the many other kinds that libsndfile knows, or a file that isn't sound.
    case other = "another kind"

    /// Determines the kind by the file's beginning.
    ///
    /// - Parameter head: the first bytes. 64 are enough.
    init(head: [UInt8]) {
        func has(_ text: String, at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: text.utf8) }
        self =
            switch true {
            case (has("RIFF") || has("RIFX")) && has("WAVE", at: 8): .wav
            case (has("RF64") || has("BW64")) && has("WAVE", at: 8): .rf64
            case head.starts(with: Self.wave64Mark): .wave64
            case has("FORM") && (has("AIFF", at: 8) || has("AIFC", at: 8)): .aiff
            case has(".snd") || has("dns."): .au
            case has("caff"): .caf
            case has("fLaC"): .flac
            case has("OggS"): .ogg
            // A box of a known type: usually `ftyp`, others in older QuickTime files.
            case ["ftyp", "moov", "mdat", "wide", "styp"].contains { has($0, at: 4) }: .mpeg4
            case head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]): .matroska
            case has("#!AMR"): .amr
            // Twelve synchronization bits and layer zero, which MPEG audio does not have.
            case head.count > 1 && head[0] == 0xff && head[1] & 0xf6 == 0xf0: .adts
            case head.starts(with: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]): .windowsMedia
            default: .other
            }
    }

    /// The first 16 bytes of Wave64: `riff` and the rest of its GUID.
    private static let wave64Mark: [UInt8] =
        Array("riff".utf8) + [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00]

    /// FFmpeg's demuxers that may open the file. Nil if libsndfile and libmpg123 read it.
    var demuxer: String? {
        switch self {
        case .mpeg4: "mov"
        case .matroska: "matroska"
        case .amr: "amr"
        case .adts: "aac"
        case .windowsMedia: "asf"
        default: nil
        }
    }

    /// FFmpeg's demuxer for a codec that libsndfile lacks in a container that it knows: MP3 in WAV, Speex in Ogg.
    var otherDemuxer: String? {
        switch self {
        case .wav, .rf64: "wav"
        case .wave64: "w64"
        case .aiff: "aiff"
        case .au: "au"
        case .caf: "caf"
        case .flac: "flac"
        case .ogg: "ogg"
        default: demuxer
        }
    }
}
