/// Reads something long piece by piece, as its reader asks for them; the rest is not in memory.
actor PieceReader {
    typealias Fetch = @Sendable (Range<Int>) async throws(AudioStoreError) -> [UInt8]

    /// What is handed on at a time.
    private static let longest = 65_536

    private let fetch: Fetch
    private let fetched: Int
    private var rest: Range<Int>
    private var piece: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - range: what is to be read; it may end beyond the end.
    ///   - fetched: how many bytes are fetched at a time.
    ///   - fetch: the bytes of a range, fewer where it ends.
    init(_ range: Range<Int>, by fetched: Int, fetch: @escaping Fetch) {
        rest = range
        self.fetched = fetched
        self.fetch = fetch
    }

    /// Fetches the first piece: what is not there is found out before anything is handed on.
    func begin() async throws(AudioStoreError) { try await refill() }

    func next() async throws(AudioStoreError) -> [UInt8]? {
        if piece.isEmpty { try await refill() }
        guard !piece.isEmpty else { return nil }
        let next = Array(piece.prefix(Self.longest))
        piece = piece.dropFirst(next.count)
        return next
    }

    nonisolated var stream: AsyncThrowingStream<[UInt8], any Error> { AsyncThrowingStream { try await self.next() } }

    private func refill() async throws(AudioStoreError) {
        guard !rest.isEmpty else { return }
        let wanted = rest.lowerBound..<min(rest.upperBound, rest.lowerBound + fetched)
        piece = try await fetch(wanted)[...]
        rest = piece.count < wanted.count ? 0..<0 : wanted.upperBound..<rest.upperBound
    }
}
