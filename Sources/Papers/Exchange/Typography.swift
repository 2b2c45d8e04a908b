/// Brings the typography of texts from outside into one form, and counts what it changes.
///
/// ```
/// var typography = Typography()
/// typography.normalised("He said “yes”…")    // He said "yes"...
/// typography.counts                          // [.quotes: 2, .ellipses: 1]
/// ```
///
/// Letters, digits and signs of all scripts stay. So do control characters, private characters and characters that
/// change the direction of text: `plain-text` refuses them, because removing them silently could change a question.
public struct Typography: Equatable, Sendable {
    /// A kind of change.
    public enum Change: String, CaseIterable, Sendable {
        /// “ ” „ « » become ", and ‘ ’ ´ ` become '.
        case quotes
        /// — and ― become –, hyphens and minus signs of other widths become -.
        case dashes
        /// … becomes three full stops.
        case ellipses
        /// Spaces of other widths become a space, and repeated spaces one.
        case spaces
        /// Characters without a width, such as soft hyphens, are removed.
        case invisible
        /// A letter and an accent become one character.
        case accents
        /// `&eacute;` becomes é.
        case entities
        /// Full-width digits and Latin letters become ordinary ones.
        case fullWidth

        /// The noun of one change.
        var noun: String {
            switch self {
            case .quotes: "quotation mark"
            case .dashes: "dash"
            case .ellipses: "ellipsis"
            case .spaces: "space"
            case .invisible: "invisible character"
            case .accents: "accent"
            case .entities: "HTML entity"
            case .fullWidth: "full-width character"
            }
        }

        fileprivate var nouns: String {
            switch self {
            case .dashes: "dashes"
            case .ellipses: "ellipses"
            case .entities: "HTML entities"
            default: noun + "s"
            }
        }
    }

    /// The number of changes of each kind. Kinds without a change are absent.
    public private(set) var counts: [Change: Int] = [:]

    public init() {}

    /// The number of all changes.
    public var total: Int { counts.values.reduce(0, +) }

    /// The changes in words: `14 quotation marks and 1 dash`. Empty if there are none.
    public var sentence: String {
        Change.allCases.compactMap { change in
            counts[change].map { "\($0) \($0 == 1 ? change.noun : change.nouns)" }
        }.joined(separator: ", ")
    }

    /// Adds the counts of another text.
    public mutating func add(_ other: Typography) { counts.merge(other.counts, uniquingKeysWith: +) }

    /// Returns a text in the common form.
    ///
    /// - Parameter decodes: whether `&eacute;` stands for é. False for formats whose readers decode entities.
    package mutating func normalised(_ text: String, decodes: Bool) -> String {
        guard Self.mayChange(text) else { return text }
        var text = text
        if decodes, text.utf8.contains(UInt8(ascii: "&")) {
            let (decoded, count) = HTMLEntities.decoded(text)
            if count > 0 { (text, counts[.entities, default: 0]) = (decoded, counts[.entities, default: 0] + count) }
        }
        var plain = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            let next = place + 1 < scalars.count ? scalars[place + 1] : nil
            let (own, change) = Self.plain(scalar, after: plain.last, before: next)
            if let change { counts[change, default: 0] += 1 }
            plain.append(contentsOf: own.unicodeScalars)
        }
        while let edge = plain.first, edge == " " {
            plain.removeFirst()
            counts[.spaces, default: 0] += 1
        }
        while let edge = plain.last, edge == " " {
            plain.removeLast()
            counts[.spaces, default: 0] += 1
        }
        let spaced = String(plain)
        let composed = spaced.composed
        // Composing splits some letters of Indian scripts, so the difference may be negative.
        let accents = spaced.unicodeScalars.count - composed.unicodeScalars.count
        if !spaced.unicodeScalars.elementsEqual(composed.unicodeScalars) {
            counts[.accents, default: 0] += max(1, abs(accents))
        }
        return composed
    }

    /// Returns whether a text has anything that `normalised` could change. Most texts have not, and this is quick.
    private static func mayChange(_ text: String) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in text.utf8 {
            if byte >= 0x80 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "`") { return true }
            if byte == UInt8(ascii: " "), last == byte { return true }
            last = byte
        }
        return last == UInt8(ascii: " ") && !text.isEmpty
    }

    private static func plain(
        _ scalar: Unicode.Scalar, after last: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> (text: String, change: Change?) {
        switch scalar.value {
        case 0x20: return last == " " ? ("", .spaces) : (" ", nil)
        case 0x201C...0x201F, 0xAB, 0xBB, 0x2033: return ("\"", .quotes)
        case 0x2018...0x201B, 0x2032, 0xB4, 0x60, 0x2BC: return ("'", .quotes)
        case 0x2010, 0x2011, 0x2012, 0x2212, 0xFE63, 0xFF0D: return ("-", .dashes)
        case 0x2014, 0x2015:
            // Readers would take two words with a short dash between them for one.
            let (before, after) = (last.map { $0 != " " } ?? false, next.map { $0 != " " && $0 != "\n" } ?? false)
            return ((before ? " " : "") + "–" + (after ? " " : ""), .dashes)
        case 0x2026: return ("...", .ellipses)
        case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return (last == " " ? "" : " ", .spaces)
        case 0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF: return ("", .invisible)
        case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
            return (Unicode.Scalar(scalar.value - 0xFEE0).map { String($0) } ?? "", .fullWidth)
        default: return (String(scalar), nil)
        }
    }
}
