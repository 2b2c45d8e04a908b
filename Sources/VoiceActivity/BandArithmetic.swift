extension FilterBank.Bands {
    /// 10·log10 of powers that are positive normal numbers, within 0.002 dB.
    ///
    /// It adds the exponent to a polynomial that approximates the significand's binary logarithm (least squares over 1
    /// to 2). The C library's logarithm differs between machines.
    var decibels: Self {
        let bits = unsafeBitCast(self, to: SIMD8<UInt32>.self)
        let exponent = Self(SIMD8<Int32>(truncatingIfNeeded: bits &>> 23) &- 127)
        let significand = unsafeBitCast((bits & 0x007f_ffff) | 0x3f80_0000, to: Self.self)
        var log2 = -0.0791538344 * significand + 0.628841485
        log2 = log2 * significand - 2.0811287
        log2 = log2 * significand + 4.0284507
        log2 = log2 * significand - 2.49680593
        return (exponent + log2) * 3.0102999566
    }

    /// The smaller value of the two in each band. The library's own function takes one band at a time.
    func atMost(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

    /// The larger value of the two in each band.
    func atLeast(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

    func atMost(_ other: Float) -> Self { atMost(Self(repeating: other)) }

    func atLeast(_ other: Float) -> Self { atLeast(Self(repeating: other)) }
}

extension SIMD4<Float> {
    /// The sum of all, added in a fixed order: the library's order may differ between machines.
    var total: Float { (self[0] + self[2]) + (self[1] + self[3]) }
}

extension SIMD8<Float> {
    var total: Float { (lowHalf + highHalf).total }

    /// The greatest of all.
    var greatest: Float {
        let halves = lowHalf.replacing(with: highHalf, where: highHalf .> lowHalf)
        return Swift.max(Swift.max(halves[0], halves[1]), Swift.max(halves[2], halves[3]))
    }
}
