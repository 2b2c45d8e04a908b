/// The packets of an Ogg file with one stream (RFC 3533, 6), headers included.
public struct OggPackets {
    /// All packets. The two headers come first.
    public var all: [[UInt8]] = []
    /// The time at the end of the last page.
    public var end: Int64 = -1

    /// The sound packets of an Opus file.
    public var sound: ArraySlice<[UInt8]> { all.dropFirst(2) }

    /// The samples that a decoder has to discard at the beginning, at 48 kHz.
    public var preSkip: Int { all.first.map { Int($0[10]) | Int($0[11]) << 8 } ?? -1 }

    /// - Parameter file: A complete file that Oracy wrote.
    public init(_ file: [UInt8]) {
        var place = 0
        var packet: [UInt8] = []
        while place + 27 <= file.count {
            end = (0..<8).reduce(0) { $0 | Int64(file[place + 6 + $1]) << Int64(8 * $1) }
            let lengths = file[(place + 27)..<(place + 27 + Int(file[place + 26]))]
            place += 27 + lengths.count
            for length in lengths {
                packet += file[place..<place + Int(length)]
                place += Int(length)
                guard length < 255 else { continue }
                all.append(packet)
                packet = []
            }
        }
    }
}
