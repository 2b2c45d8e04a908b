import Papers

/// The treatment of HTML in texts of Moodle's formats. Names are tags, `tag@attribute`, `style:property` and marks of
/// Moodle's filters. `*` is any tag.
///
/// Attributes that begin with `data-` or `aria-` are harmless: programs and screen readers use them, and they add
/// nothing to what is shown.
public enum HTMLContract {
    public static let contract = ImportContract(
        understood: ["p", "div", "br", "span", "h1", "h2", "h3", "h4", "h5", "h6", "&name;"],
        harmless: [
            "em": "the words stay, without emphasis", "strong": "the words stay, without emphasis",
            "b": "the words stay, without emphasis", "i": "the words stay, without emphasis",
            "u": "the words stay, without emphasis", "font": "the words stay, in the usual font",
            "small": "the words stay, in the usual font", "big": "the words stay, in the usual font",
            "code": "the words stay, in the usual font", "tt": "the words stay, in the usual font",
            "center": "only changes the look", "nobr": "only changes the look",
            "*@class": "only changes the look", "*@align": "only changes the look", "*@id": "is not shown",
            "*@lang": "is not shown", "*@xml:lang": "is not shown", "*@role": "is not shown",
            "*@dir": "the letters decide the direction", "font@color": "only changes the look",
            "font@face": "only changes the look", "font@size": "only changes the look",
            "<!-- comment -->": "is not shown",
            "style:color": "only changes the look", "style:background-color": "only changes the look",
            "style:font-family": "only changes the look", "style:font-size": "only changes the look",
            "style:font-weight": "only changes the look", "style:font-style": "only changes the look",
            "style:line-height": "only changes the look", "style:text-align": "only changes the look",
            "style:text-indent": "only changes the look", "style:margin": "only changes the look",
            "style:margin-top": "only changes the look", "style:margin-bottom": "only changes the look",
            "style:margin-left": "only changes the look", "style:margin-right": "only changes the look",
            "style:padding": "only changes the look", "style:padding-left": "only changes the look",
            "style:letter-spacing": "only changes the look", "style:word-spacing": "only changes the look",
        ],
        refused: [
            "img": "is a picture, which is not supported: describe it in words",
            "svg": "is a picture, which is not supported: describe it in words",
            "audio": "is a sound, which is not supported: write what is said",
            "video": "is a film, which is not supported: describe it in words",
            "a": "is a link, which is not supported: write plain words",
            "sub": "is a subscript, which is not supported: write plain words",
            "sup": "is a superscript, which is not supported: write plain words",
            "s": "crosses words out, which is not supported: leave them out",
            "del": "crosses words out, which is not supported: leave them out",
            "strike": "crosses words out, which is not supported: leave them out",
            "ul": "is a list, which is not supported: write plain words",
            "ol": "is a list, which is not supported: write plain words",
            "li": "is a list, which is not supported: write plain words",
            "table": "is a table, which is not supported: write plain words",
            "pre": "is preformatted text, which is not supported: write plain words",
            "math": "is a formula, which is not supported: write it in words",
            "\\( \\)": "is a formula, which is not supported: write it in words",
            "\\[ \\]": "is a formula, which is not supported: write it in words",
            "$$": "is a formula, which is not supported: write it in words",
            "{mlang}": "offers several languages, which is not supported: leave one",
            "class=\"multilang\"": "offers several languages, which is not supported: leave one",
            "class=\"d-none\"": "hides words: remove them", "class=\"hidden\"": "hides words: remove them",
            "class=\"invisible\"": "hides words: remove them", "style:display": "may hide words: remove it",
            "style:visibility": "may hide words: remove it",
            "@@PLUGINFILE@@": "is a file, which is not supported: write plain words",
            "<!--": "is an unclosed comment: close it",
        ])

    /// The tags that begin a line of their own.
    static let blocks: Set<String> = ["p", "div", "br", "h1", "h2", "h3", "h4", "h5", "h6", "center"]

    /// The marks of Moodle's filters. A text with both marks of a pair is more than words.
    static let marks: [(name: String, pair: [String])] = [
        ("\\( \\)", ["\\(", "\\)"]), ("\\[ \\]", ["\\[", "\\]"]), ("$$", ["$$"]), ("{mlang}", ["{mlang"]),
        ("@@PLUGINFILE@@", ["@@PLUGINFILE@@"]),
    ]

    /// Returns the name of the first part of a tag that is neither understood nor harmless. Nil if all parts are.
    static func refused(_ tag: HTMLTag) -> String? {
        if contract.remedy(tag.name) != nil { return tag.name }
        for (name, value) in tag.attributes where !name.hasPrefix("data-") && !name.hasPrefix("aria-") {
            switch name {
            case "class":
                let names = value.split(whereSeparator: \.isWhitespace).map { "class=\"\($0)\"" }
                if let hiding = names.first(where: { own in contract.refused.contains { $0.name == own } }) {
                    return hiding
                }
            case "style":
                for part in value.split(separator: ";") {
                    let property = part.prefix { $0 != ":" }[...].trimmed.lowercased()
                    let own = "style:\(property)"
                    if !property.isEmpty, contract.remedy(own) != nil { return own }
                }
            default:
                let own = "\(tag.name)@\(name)"
                if !contract.ignores("*@\(name)"), contract.remedy(own) != nil { return own }
            }
        }
        return nil
    }
}
