/// What each band of each criterion sounds like, in one sentence; what lies before a person who marks.
public struct Rubric: Codable, Equatable, Sendable {
    /// `ielts-style/1`: other words have another id.
    public var id: String
    /// Whole bands, 0 … 9; a half band lies between two.
    public var descriptors: [Criterion: [Int: String]]

    public init(id: String, descriptors: [Criterion: [Int: String]]) {
        self.id = id
        self.descriptors = descriptors
    }

    /// The sentence of a whole band, or the two between which a half band lies, the lower one first.
    ///
    /// - Returns: empty where the band is none.
    public func sentences(for criterion: Criterion, band: Double) -> [String] {
        guard HalfBand.isOne(band) else { return [] }
        let bands = Set([Int(band.rounded(.down)), Int(band.rounded(.up))])
        return bands.sorted().compactMap { descriptors[criterion]?[$0] }
    }
}

extension Criterion {
    /// As people read it: `fluency and coherence`.
    public var title: String {
        switch self {
        case .fluency: "fluency and coherence"
        case .vocabulary: "lexical resource"
        case .grammar: "grammatical range and accuracy"
        case .pronunciation: "pronunciation"
        }
    }
}

/// The marks that a person may give: 0, 0.5 … 9.
public enum HalfBand {
    public static func isOne(_ mark: Double) -> Bool { (0...9).contains(mark) && (mark * 2).rounded() == mark * 2 }
}
