/// A table that converts marks of one scale into bands. Results name its version.
public struct MarkMapping: Codable, Equatable, Sendable {
    /// The scale of half bands, 0 to 9.
    public static let band = "band"

    /// The rule for marks between two points.
    public enum Course: String, Codable, Sendable {
        /// Interpolated between the points.
        case linear
        /// The band of the lower point.
        case steps
    }

    public struct Point: Codable, Equatable, Sendable {
        /// On the source's scale.
        public var mark: Double
        /// 0 to 9.
        public var band: Double

        public init(_ mark: Double, _ band: Double) {
            self.mark = mark
            self.band = band
        }
    }

    /// An id such as `bands/1`. Every table has its own.
    public var id: String
    /// The scale that it converts: `band`, `hundred` …
    public var scale: String
    public var course: Course
    /// At least two, by rising mark. Marks below the first or above the last are invalid.
    public var points: [Point]

    public init(id: String, scale: String, course: Course = .linear, points: [Point]) {
        self.id = id
        self.scale = scale
        self.course = course
        self.points = points
    }

    /// Maps bands to themselves.
    public static let bands = MarkMapping(id: "bands/1", scale: band, points: [Point(0, 0), Point(9, 9)])

    /// Maps services' scores from 0 to 100, such as Azure's for pronunciation, to bands. It is this project's guess and
    /// was never compared with people's marks, so estimates from it are at least two bands wide.
    public static let hundred = MarkMapping(
        id: "hundred/1", scale: "hundred",
        points: [Point(0, 0), Point(40, 4), Point(60, 5), Point(80, 6.5), Point(90, 7.5), Point(100, 9)])

    /// Converts a mark. Returns nil for a mark outside the scale: the mark is not clamped.
    public func band(of mark: Double) -> Double? {
        guard let above = points.firstIndex(where: { mark <= $0.mark }) else { return nil }
        let upper = points[above]
        if mark == upper.mark { return upper.band }
        guard above > 0 else { return nil }
        let lower = points[above - 1]
        switch course {
        case .steps: return lower.band
        case .linear: return lower.band + (upper.band - lower.band) * (mark - lower.mark) / (upper.mark - lower.mark)
        }
    }

    /// The fault in the table. Nil if it is valid.
    var mistake: String? {
        let isRising = zip(points, points.dropFirst()).allSatisfy { $0.mark < $1.mark && $0.band <= $1.band }
        if points.count < 2 || !isRising { return "mapping \(id): points must rise, and be two or more" }
        if !points.allSatisfy({ (0...9).contains($0.band) }) { return "mapping \(id): bands go from 0 to 9" }
        return nil
    }
}
