/// How marks of one scale become bands: data with a version, which results name.
public struct MarkMapping: Codable, Equatable, Sendable {
    /// The scale of half bands, 0 … 9.
    public static let band = "band"

    /// What is a mark between two points worth?
    public enum Course: String, Codable, Sendable {
        /// As much as it lies between them.
        case linear
        /// What the lower point is worth.
        case steps
    }

    public struct Point: Codable, Equatable, Sendable {
        /// On the source's scale.
        public var mark: Double
        /// 0 … 9
        public var band: Double

        public init(_ mark: Double, _ band: Double) {
            self.mark = mark
            self.band = band
        }
    }

    /// `bands/1`: another table has another id.
    public var id: String
    /// The scale that it reads: `band`, `hundred` …
    public var scale: String
    public var course: Course
    /// By rising mark, two at least; outside of the first and the last there are no marks.
    public var points: [Point]

    public init(id: String, scale: String, course: Course = .linear, points: [Point]) {
        self.id = id
        self.scale = scale
        self.course = course
        self.points = points
    }

    /// Bands are bands.
    public static let bands = MarkMapping(id: "bands/1", scale: band, points: [Point(0, 0), Point(9, 9)])

    /// - Returns: nil where the mark is none of the scale: it is not moved to the scale's end.
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

    /// What is wrong with the table; nil where nothing is.
    var mistake: String? {
        let isRising = zip(points, points.dropFirst()).allSatisfy { $0.mark < $1.mark && $0.band <= $1.band }
        if points.count < 2 || !isRising { return "mapping \(id): points must rise, and be two or more" }
        if !points.allSatisfy({ (0...9).contains($0.band) }) { return "mapping \(id): bands go from 0 to 9" }
        return nil
    }
}
