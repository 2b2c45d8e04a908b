import Papers
import Testing

@testable import Learning

/// Tests that HTML becomes the words that a browser would show, and that everything else is refused by name.
@Suite struct HTMLWordsTests {
    private func words(_ text: String) throws -> String { try HTMLWords.plain(text, 1, decodes: true) }

    private func told(_ text: String) -> String {
        do throws(ImportMistake) {
            return "read: \(try HTMLWords.plain(text, 7, decodes: true))"
        } catch { return error.sentence(in: "x") }
    }

    @Test(arguments: [
        ("<p>One</p><p>Two</p>", "One Two"), ("One<br>Two<br/>three", "One Two three"), ("a<b>b</b>c", "abc"),
        ("3 < 5 &lt; 7 & 9", "3 < 5 < 7 & 9"), ("x<!-- <img> -->y", "xy"), ("<P CLASS='a > b'>One</P>", "One"),
        ("<p dir=ltr>One</p >", "One"), ("AT&T; &eacute;&#8211;", "AT&T; é–"), ("<h3>One</h3>two", "One two"),
        ("<p style=\"margin: 0; COLOR : red;\">One</p>", "One"), ("It costs $5.", "It costs $5."), ("", ""),
    ]) func wordsStay(_ html: String, _ plain: String) throws {
        if html.hasPrefix("AT&T;") {
            #expect(told(html).contains("&T;"))
            #expect(try words(html.replacing("&T;", with: "&amp;T;")) == plain)
        } else {
            #expect(try words(html) == plain)
        }
    }

    @Test(arguments: [
        ("<img src='a'>", "HTML, \"<img>\", not-read: is a picture"), ("<odd>x</odd>", "\"<odd>\", not-read"),
        ("<p onclick=\"x\">y</p>", "\"<p onclick>\""), ("<font style=\"display:none\">x</font>", "\"style:display\""),
        ("<span lang=\"de\" class=\"x multilang\">Ja</span>", "class=\"multilang\""),
        ("x<sup>2</sup>", "\"<sup>\""), ("\\(x^2\\)", "is a formula"), ("$$x$$", "is a formula"),
        ("\\[x\\]", "is a formula"), ("{mlang de}Ja{mlang}", "several languages"), ("x<!-- y", "unclosed comment"),
        ("<a href=\"@@PLUGINFILE@@/a.pdf\">x</a>", "@@PLUGINFILE@@"), ("&zork;", "\"&zork;\", not-read"),
        ("<o:p>x</o:p>", "\"<o:p>\""),
    ]) func otherPartsAreRefusedByName(_ html: String, _ name: String) {
        #expect(told(html).contains(name) && told(html).hasPrefix("x:7, "), "\(told(html))")
    }

    /// Tries each name that is declared.
    @Test func declaredNamesAreTreatedAsDeclared() throws {
        let contract = HTMLContract.contract
        for name in contract.understood + contract.harmless.map(\.name) where !name.contains("&") {
            let parts = name.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
            if name.hasPrefix("<!--") {
                #expect(try words("One\(name)") == "One")
            } else if let property = name.split(separator: "style:").first, name.hasPrefix("style:") {
                #expect(try words("<p style=\"\(property): 1\">One</p>") == "One", "\(name)")
            } else if parts.count == 2 {
                let tag = parts[0] == "*" ? "p" : parts[0]
                #expect(try words("<\(tag) \(parts[1])=\"a\">One</\(tag)>") == "One", "\(name)")
            } else {
                #expect(try words("<\(name)>One</\(name)>") == "One", "\(name)")
            }
        }
        for feature in contract.refused {
            let text =
                feature.name.hasPrefix("class=")
                ? "<p \(feature.name)>x</p>"
                : feature.name.hasPrefix("style:")
                    ? "<p style=\"\(feature.name.dropFirst(6)): none\">x</p>"
                    : feature.name.allSatisfy(\.isLetter)
                        ? "<\(feature.name)>x</\(feature.name)>"
                        : feature.name == "{mlang}" ? "{mlang de}" : feature.name
            #expect(told(text).contains("not-read: \(feature.reason)"), "\(feature.name): \(told(text))")
        }
    }
}
