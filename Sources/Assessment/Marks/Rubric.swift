/// A description of each band of each criterion in one sentence, for people who mark.
public struct Rubric: Codable, Equatable, Sendable {
    /// An id such as `ielts-style/1`. A rubric with other sentences has another id.
    public var id: String
    /// The sentences of the whole bands, 0 to 9. A half band lies between two of them.
    public var descriptors: [Criterion: [Int: String]]

    public init(id: String, descriptors: [Criterion: [Int: String]]) {
        self.id = id
        self.descriptors = descriptors
    }

    /// Returns the sentence of a whole band. For a half band, returns the sentences of the bands below and above it.
    ///
    /// - Returns: empty if the band is invalid.
    public func sentences(for criterion: Criterion, band: Double) -> [String] {
        guard HalfBand.isOne(band) else { return [] }
        let bands = Set([Int(band.rounded(.down)), Int(band.rounded(.up))])
        return bands.sorted().compactMap { descriptors[criterion]?[$0] }
    }
}

extension Criterion {
    /// The name for people: `fluency and coherence`.
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
