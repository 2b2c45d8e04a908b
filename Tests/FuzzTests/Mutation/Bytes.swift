extension [UInt8] {
    /// Numbers that often break decoders. They are written in every width and byte order.
    private static let numbers: [UInt64] = [
        0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000,
        0x20_0000_0000_0001, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0xffff_ffff_ffff_ffff,
        // Not a number, infinite, −0 and the largest, as 64 and as 32 bits.
        0x7ff8_0000_0000_0000, 0x7ff0_0000_0000_0000, 0x7fef_ffff_ffff_ffff, 0x7fc0_0000, 0x7f80_0000,
    ]

    /// Spoils one to three places of any bytes.
    mutating func spoil(_ chance: inout Chance, longest: Int = 1 << 17) {
        for _ in 0...chance.below(3) { spoilOnce(&chance, longest) }
    }

    private mutating func spoilOnce(_ chance: inout Chance, _ longest: Int) {
        guard !isEmpty else { return append(UInt8(truncatingIfNeeded: chance.next())) }
        let place = chance.below(count)
        // Decoders read headers first, and headers contain the lengths of the rest.
        let early = chance.below(Swift.min(count, 128))
        let length = Swift.min(count - place, 1 + chance.below(chance.once(in: 4) ? 4_096 : 16))
        switch chance.below(9) {
        case 0: self[early] ^= 1 << UInt8(chance.below(8))
        case 1: self[place] = UInt8(truncatingIfNeeded: chance.next())
        case 2: write(chance.one(of: Self.numbers), at: early, &chance)
        case 3: write(chance.one(of: Self.numbers), at: place, &chance)
        case 4: removeSubrange(place..<(place + length))
        case 5 where count + length <= longest: insert(contentsOf: Array(self[place..<(place + length)]), at: early)
        case 6: insert(contentsOf: chance.bytes(1 + chance.below(8)), at: place)
        case 7: removeSubrange(place...)
        default: self[early] = chance.one(of: [0, 0x7f, 0x80, 0xff] as [UInt8])
        }
    }

    private mutating func write(_ number: UInt64, at place: Int, _ chance: inout Chance) {
        let width = chance.one(of: [1, 2, 4, 8])
        let isBig = chance.once(in: 2)
        for index in 0..<width where place + index < count {
            let shift = 8 * (isBig ? width - 1 - index : index)
            self[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(shift))
        }
    }
}
