/// Decompresses data in the format of RFC 1951, as zip archives contain it.
struct Inflate {
    /// The reason why data cannot be decompressed.
    enum Damage: Error, Equatable {
        /// The data end too early.
        case short
        /// A code, length or distance is invalid, or the result is longer or shorter than announced.
        case invalid
    }

    private let input: UnsafeRawBufferPointer
    private var at = 0
    /// Bits that were read and not used yet, the next one lowest.
    private var held: UInt64 = 0
    private var heldCount = 0
    private var output: [UInt8]
    private var count = 0

    /// Decompresses data.
    ///
    /// - Parameter count: the exact number of bytes of the result.
    static func bytes(of input: UnsafeRawBufferPointer, count: Int) throws(Damage) -> [UInt8] {
        var inflate = Inflate(input, count)
        try inflate.run()
        return inflate.output
    }

    private init(_ input: UnsafeRawBufferPointer, _ count: Int) {
        self.input = input
        output = [UInt8](repeating: 0, count: count)
    }

    private mutating func run() throws(Damage) {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try stored()
            case 1: try compressed(Self.fixed.literals, Self.fixed.distances)
            case 2:
                let (literals, distances) = try tables()
                try compressed(literals, distances)
            default: throw .invalid
            }
        }
        guard count == output.count else { throw .invalid }
    }

    // MARK: Bits

    /// Holds at least 48 bits if there are that many.
    private mutating func fill() {
        while heldCount <= 48 && at < input.count {
            held |= UInt64(input[at]) << UInt64(heldCount)
            heldCount += 8
            at += 1
        }
    }

    private mutating func bits(_ wanted: Int) throws(Damage) -> Int {
        if heldCount < wanted { fill() }
        guard heldCount >= wanted else { throw .short }
        let value = Int(held & ((1 << UInt64(wanted)) - 1))
        drop(wanted)
        return value
    }

    private mutating func drop(_ bits: Int) {
        held >>= UInt64(bits)
        heldCount -= bits
    }

    // MARK: Blocks

    private mutating func stored() throws(Damage) {
        drop(heldCount % 8)
        let length = try bits(16)
        guard try bits(16) == ~length & 0xFFFF else { throw .invalid }
        guard count + length <= output.count else { throw .invalid }
        for _ in 0..<length {
            output[count] = UInt8(try bits(8))
            count += 1
        }
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12_289, 16_385, 24_577,
    ]

    private mutating func compressed(_ literals: HuffmanTable, _ distances: HuffmanTable) throws(Damage) {
        while true {
            let symbol = try next(literals)
            if symbol < 256 {
                guard count < output.count else { throw .invalid }
                output[count] = UInt8(symbol)
                count += 1
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengthBases.count else { throw .invalid }
            let length = Self.lengthBases[symbol - 257] + (try bits(Self.lengthBits[symbol - 257]))
            let place = try next(distances)
            guard place < Self.distanceBases.count else { throw .invalid }
            let distance = Self.distanceBases[place] + (try bits(max(0, place / 2 - 1)))
            guard distance <= count, count + length <= output.count else { throw .invalid }
            // The copy may overlap its source: byte by byte.
            for _ in 0..<length {
                output[count] = output[count - distance]
                count += 1
            }
        }
    }

    private mutating func next(_ table: HuffmanTable) throws(Damage) -> Int {
        if heldCount < HuffmanTable.longest { fill() }
        guard let (symbol, length) = table.symbol(in: UInt(truncatingIfNeeded: held)) else { throw .invalid }
        guard length <= heldCount else { throw .short }
        drop(length)
        return symbol
    }

    // MARK: Tables

    private static let fixed = (
        literals: HuffmanTable(
            Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
                + Array(repeating: 8, count: 8))!,
        distances: HuffmanTable(Array(repeating: 5, count: 30))!
    )

    private mutating func tables() throws(Damage) -> (literals: HuffmanTable, distances: HuffmanTable) {
        let (literals, distances, lengths) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for place in order.prefix(lengths) { codeLengths[place] = UInt8(try bits(3)) }
        guard let codes = HuffmanTable(codeLengths) else { throw .invalid }
        var all: [UInt8] = []
        while all.count < literals + distances {
            let (value, times): (UInt8, Int)
            switch try next(codes) {
            case 16:
                guard let last = all.last else { throw .invalid }
                (value, times) = (last, 3 + (try bits(2)))
            case 17: (value, times) = (0, 3 + (try bits(3)))
            case 18: (value, times) = (0, 11 + (try bits(7)))
            case let length: (value, times) = (UInt8(length), 1)
            }
            all += repeatElement(value, count: times)
        }
        guard all.count == literals + distances, all[256] > 0, let first = HuffmanTable(Array(all[..<literals])),
            let second = HuffmanTable(Array(all[literals...]))
        else { throw .invalid }
        return (first, second)
    }
}

/// A table that decodes a canonical Huffman code.
struct HuffmanTable {
    /// The longest code in bits.
    static let longest = 15

    /// For each value of the next 15 bits: the symbol times 16, plus the length of its code; 0 for no code.
    private let entries: [UInt16]

    /// - Parameter lengths: the length of each symbol's code in bits; 0 for no code.
    /// - Returns: nil if there are more codes than the lengths allow.
    init?(_ lengths: [UInt8]) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var (code, starts) = (0, [Int](repeating: 0, count: Self.longest + 1))
        for length in 1...Self.longest {
            code = (code + counts[length - 1]) << 1
            starts[length] = code
            guard code + counts[length] <= 1 << length else { return nil }
        }
        var entries = [UInt16](repeating: 0, count: 1 << Self.longest)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            // Codes begin with their highest bit, and the data with their lowest.
            var (reversed, code) = (0, starts[length])
            starts[length] += 1
            for _ in 0..<length {
                reversed = reversed << 1 | code & 1
                code >>= 1
            }
            for place in stride(from: reversed, to: entries.count, by: 1 << length) {
                entries[place] = UInt16(symbol << 4 | length)
            }
        }
        self.entries = entries
    }

    @inline(__always) func symbol(in bits: UInt) -> (symbol: Int, length: Int)? {
        let entry = Int(entries[Int(bits & ((1 << UInt(Self.longest)) - 1))])
        return entry == 0 ? nil : (entry >> 4, entry & 15)
    }
}
