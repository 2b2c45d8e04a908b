/// The named and numbered characters of HTML: `&eacute;`, `&#233;` and `&#xE9;`.
package enum HTMLEntities {
    /// Returns the text with its entities as characters, and their number. An ampersand that begins no known entity
    /// stays. So do numbers of control characters, which are not text.
    package static func decoded(_ text: String) -> (text: String, count: Int) {
        var (decoded, count) = ("", 0)
        var rest = text[...]
        while let begin = rest.firstIndex(of: "&") {
            decoded += rest[..<begin]
            let inside = rest[begin...].dropFirst()
            let name = inside.prefix(longest).prefix { $0 != ";" && $0 != "&" && !$0.isWhitespace }
            if inside[name.endIndex...].first == ";", let scalar = scalar(name) {
                decoded.unicodeScalars.append(scalar)
                count += 1
                rest = inside[name.endIndex...].dropFirst()
            } else {
                decoded += "&"
                rest = inside
            }
        }
        return (decoded + rest, count)
    }

    private static let longest = 10

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[String(name)] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let scalar = number.flatMap(Unicode.Scalar.init), scalar.properties.generalCategory != .control else {
            return nil
        }
        return scalar
    }

    /// The names that HTML 4 gave to characters, by code point.
    private static let named: [String: Unicode.Scalar] = {
        var named: [String: Unicode.Scalar] = [
            "quot": "\"", "amp": "&", "apos": "'", "lt": "<", "gt": ">",
        ]
        // The characters from 160 to 255, in order.
        for (number, name) in latin.split(whereSeparator: \.isWhitespace).enumerated() {
            named[String(name)] = Unicode.Scalar(UInt32(160 + number))
        }
        // The Greek letters from 913 and 945 on, in order. There is no capital final sigma.
        let names = greek.split(whereSeparator: \.isWhitespace).map(String.init)
        for (number, name) in names.enumerated() {
            named[name] = Unicode.Scalar(UInt32(945 + number))
            if name != "sigmaf" {
                named[name.prefix(1).uppercased() + name.dropFirst()] = Unicode.Scalar(UInt32(913 + number))
            }
        }
        let words = others.split(whereSeparator: \.isWhitespace)
        for place in stride(from: 0, to: words.count - 1, by: 2) {
            named[String(words[place])] = UInt32(words[place + 1], radix: 16).flatMap(Unicode.Scalar.init)
        }
        return named
    }()

    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
        deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
        Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
        ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
        eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    private static let greek = """
        alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu
        nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega
        """

    /// Names and their code points in hexadecimal.
    private static let others = """
        OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ 2C6 tilde 2DC
        ensp 2002 emsp 2003 thinsp 2009 zwnj 200C zwj 200D lrm 200E rlm 200F
        ndash 2013 mdash 2014 lsquo 2018 rsquo 2019 sbquo 201A ldquo 201C rdquo 201D bdquo 201E
        dagger 2020 Dagger 2021 bull 2022 hellip 2026 permil 2030 prime 2032 Prime 2033 lsaquo 2039 rsaquo 203A
        euro 20AC trade 2122 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 rArr 21D2 hArr 21D4
        forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 isin 2208 notin 2209 prod 220F sum 2211 minus 2212
        radic 221A infin 221E ang 2220 and 2227 or 2228 cap 2229 cup 222A int 222B asymp 2248 ne 2260
        equiv 2261 le 2264 ge 2265 sub 2282 sup 2283
        """
}
