/// The numbers in the header of a file made of chunks.
struct ChunkHeader {
    /// The offset of the first byte of sound.
    private(set) var soundStart = 0
    /// The number of bytes of sound stated by the header. Nil if it leaves them open, as for a stream.
    private(set) var promised: Int?
    /// The bytes of a second of sound. At least 1, so that a rate of 0 is never used.
    private(set) var bytesPerSecond = 1.0
    private(set) var isMPEG = false

    private let isBig: Bool
    /// The file's syntax for chunks: the order of name and length, and what a length counts besides the contents.
    private let form: Form
    /// The positions of the lengths that must be correct.
    private var lengths: [Length] = []

    private struct Length {
        var place: Int
        var width: Int
        /// Returns the length to write into the header if the file has this many bytes of sound.
        var value: (Int) -> Int
    }

    private enum Form { case riff, wave64, caf, au }

    /// The length that programs write for a stream: 2 GiB minus a page (espeak-ng, ffmpeg), or more.
    private static let streamed = 0x7fff_f000

    init?(_ file: SoundBytes, _ container: RecordingContainer) {
        let head = file.bytes(at: 0, count: 40)
        switch container {
        case .wav: (form, isBig) = (.riff, head.starts(with: "RIFX".utf8))
        case .rf64: (form, isBig) = (.riff, false)
        case .aiff: (form, isBig) = (.riff, true)
        case .wave64: (form, isBig) = (.wave64, false)
        case .caf: (form, isBig) = (.caf, true)
        case .au: (form, isBig) = (.au, head.starts(with: ".snd".utf8))
        default: return nil
        }
        guard form == .au ? readAU(head) : readChunks(of: file, container) else { return nil }
        if container != .rf64, container != .wave64, container != .caf, let length = promised, length >= Self.streamed {
            promised = nil
        }
        if !(bytesPerSecond >= 1 && bytesPerSecond < 1e12) { bytesPerSecond = 1 }
    }

    // MARK: - AU

    private mutating func readAU(_ head: [UInt8]) -> Bool {
        guard head.count >= 24 else { return false }
        soundStart = number(head, 4, 4)
        promised = number(head, 8, 4)
        let bits = [1: 8, 2: 8, 3: 16, 4: 24, 5: 32, 6: 32, 7: 64, 27: 8][number(head, 12, 4)] ?? 4
        bytesPerSecond = Double(number(head, 16, 4)) * Double(number(head, 20, 4)) * Double(bits) / 8
        lengths = [Length(place: 8, width: 4) { $0 }]
        return soundStart >= 24
    }

    // MARK: - Chunks

    private struct Chunk {
        var name: [UInt8]
        /// The start and the length of the contents.
        var start, length: Int
        var lengthPlace: Int
        /// The offset of the next chunk.
        var next: Int
    }

    private func chunk(at place: Int, in file: SoundBytes) -> Chunk? {
        let head = file.bytes(at: place, count: form == .wave64 ? 24 : form == .caf ? 12 : 8)
        let nameLength = form == .wave64 ? 16 : 4
        guard head.count == (form == .wave64 ? 24 : form == .caf ? 12 : 8) else { return nil }
        let width = head.count - nameLength
        let said = number(head, nameLength, width)
        let length = form == .wave64 ? max(0, said - 24) : said
        let start = place + head.count
        let end = start + max(length, 0)
        let step = form == .wave64 ? 8 : form == .caf ? 1 : 2
        return Chunk(
            name: Array(head[..<4]), start: start, length: length, lengthPlace: place + nameLength,
            next: (end + step - 1) / step * step)
    }

    /// A limit on the chunks before the sound. No program writes so many.
    private static let mostChunks = 10_000

    private mutating func readChunks(of file: SoundBytes, _ container: RecordingContainer) -> Bool {
        var place = form == .wave64 ? 40 : form == .caf ? 8 : 12
        var (longLength, longPlace): (Int?, Int) = (nil, 0)
        var (framesPlace, rate, frameBytes): (Int?, Double, Int) = (nil, 0, 0)
        var sound: Chunk?
        for _ in 0..<Self.mostChunks {
            guard place < file.part.count, let chunk = chunk(at: place, in: file) else { break }
            let contents = file.bytes(at: chunk.start, count: min(max(chunk.length, 0), 40))
            switch String(decoding: chunk.name, as: UTF8.self) {
            case "fmt " where contents.count >= 16: readWAVForm(contents)
            case "ds64" where contents.count >= 16:
                (longLength, longPlace) = (number(contents, 8, 8), chunk.start + 8)
            case "desc" where contents.count >= 32: readCAFForm(contents)
            case "COMM" where contents.count >= 18:
                framesPlace = chunk.start + 2
                rate = extended(contents, 8)
                frameBytes = number(contents, 0, 2) * ((number(contents, 6, 2) + 7) / 8)
                bytesPerSecond = rate * Double(frameBytes)
            case "data", "SSND": sound = chunk
            default: break
            }
            // In AIFF, the description may follow the sound.
            if sound != nil && (container != .aiff || framesPlace != nil) { break }
            guard chunk.next > place else { break }
            place = chunk.next
        }
        guard let sound else { return false }
        // The sound chunk of AIFF begins with an offset and a block size, that of CAF with an edit count.
        let extra = container == .aiff ? 8 : form == .caf ? 4 : 0
        soundStart = sound.start + extra
        promised = sound.length < 0 ? nil : max(0, sound.length - extra)
        let (width, more) = form == .riff ? (4, extra) : (8, form == .wave64 ? 24 : extra)
        lengths = [Length(place: sound.lengthPlace, width: width) { $0 + more }]
        if let longLength, container == .rf64 {
            if promised == 0xffff_ffff { promised = longLength }
            lengths.append(Length(place: longPlace, width: 8) { $0 })
            let (frames, bytesPerFrame) = (longPlace + 8, max(1, blockSize))
            if blockSize > 0 { lengths.append(Length(place: frames, width: 8) { $0 / bytesPerFrame }) }
        }
        if let framesPlace, frameBytes > 0, framesPlace < soundStart {
            lengths.append(Length(place: framesPlace, width: 4) { $0 / frameBytes })
        }
        return true
    }

    /// The bytes of one frame, in WAV.
    private var blockSize = 0

    private mutating func readWAVForm(_ contents: [UInt8]) {
        let (tag, channels, rate) = (number(contents, 0, 2), number(contents, 2, 2), number(contents, 4, 4))
        blockSize = number(contents, 12, 2)
        isMPEG = tag == 0x50 || tag == 0x55
        // For uncompressed samples the byte rate follows from other fields, and programs often write it wrong.
        let isPlain = [1, 3, 6, 7, 0xfffe].contains(tag)
        let bytesAFrame = blockSize > 0 ? blockSize : channels * number(contents, 14, 2) / 8
        bytesPerSecond = Double(isPlain ? rate * bytesAFrame : number(contents, 8, 4))
    }

    private mutating func readCAFForm(_ contents: [UInt8]) {
        let rate = Double(bitPattern: bits(contents, 0, 8))
        let (bytes, frames) = (number(contents, 16, 4), number(contents, 20, 4))
        if rate.isFinite, frames > 0 { bytesPerSecond = rate * Double(bytes) / Double(frames) }
    }

    // MARK: - What follows the sound

    /// Returns whether other chunks fill the file from this offset to its end.
    func chunksFollow(at start: Int, in file: SoundBytes) -> Bool {
        guard form != .au else { return false }
        var place = start
        for _ in 0..<Self.mostChunks {
            if place == file.part.count || place == file.part.count + 1 { return true }
            guard chunkMayBegin(at: place, in: file), let chunk = chunk(at: place, in: file), chunk.next > place,
                chunk.next <= file.part.count + 1
            else { return false }
            place = chunk.next
        }
        return false
    }

    /// Returns whether a chunk or tag may begin at this offset or, because of padding, at the next byte. A chunk begins
    /// with four letters, which samples hardly ever look like.
    func chunkMayBegin(at start: Int, in file: SoundBytes) -> Bool {
        [start, start + 1].contains { place in
            let name = file.bytes(at: place, count: 4)
            return name.allSatisfy { 0x20...0x7a ~= $0 }
        }
    }

    // MARK: - Numbers

    /// Returns the header up to the sound, with lengths for this many bytes of it. Nil if a length does not fit.
    func corrected(to byteCount: Int, in file: SoundBytes) -> [UInt8]? {
        var header = file.bytes(at: 0, count: soundStart)
        for length in lengths {
            var value = length.value(byteCount)
            guard length.width == 8 || value <= 0xffff_ffff, length.place + length.width <= header.count else {
                return nil
            }
            for index in 0..<length.width {
                header[length.place + (isBig ? length.width - 1 - index : index)] = UInt8(value & 0xff)
                value >>= 8
            }
        }
        return header
    }

    /// Returns a number from an untrusted file: at most 2⁶⁰, so that sums don't overflow, and -1 for every negative
    /// value.
    private func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> Int {
        let value = Int64(bitPattern: bits(bytes, place, width))
        return value < 0 ? -1 : Int(min(value, 1 << 60))
    }

    private func bits(_ bytes: [UInt8], _ place: Int, _ width: Int) -> UInt64 {
        let digits = bytes[place..<(place + width)]
        return (isBig ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns an 80-bit number: a sign, 15 bits of exponent, 64 bits of mantissa.
    private func extended(_ bytes: [UInt8], _ place: Int) -> Double {
        let exponent = number(bytes, place, 2) & 0x7fff
        let mantissa = bits(bytes, place + 2, 8)
        var value = Double(mantissa)
        for _ in 0..<min(abs(exponent - 16_446), 200) { value *= exponent > 16_446 ? 2 : 0.5 }
        return value
    }
}
