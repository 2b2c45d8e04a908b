import Foundation
import SystemSupport
import Testing
import XMLFiles

/// Tests of files from other programs, which are read as a whole, or refused with the line.
@Suite struct XMLReaderTests {
    private func read(_ text: String) throws -> XMLNode { try XMLReader.read(Array(text.utf8)) }

    private func mistake(_ text: String) -> XMLMistake? {
        #expect(throws: XMLMistake.self) { _ = try XMLReader.read(Array(text.utf8)) }
    }

    @Test func aTreeHasItsElementsTextsAndLines() throws {
        let node = try read("<a id='1'>one\n<b>two</b> three<b/>\n<c><b>four</b></c></a>")
        #expect(node.name == "a" && node.attributes == ["id": "1"] && node.line == 1)
        #expect(node.children.map(\.name) == ["b", "b", "c"] && node.children.map(\.line) == [2, 2, 3])
        #expect(node.children("b").count == 2 && node.all("b").map(\.text) == ["two", "", "four"])
        #expect(node.text == "one two three four")
        #expect(node.content.first == .text("one\n"))
    }

    @Test func entitiesAndSectionsAreText() throws {
        let node = try read(
            "<a x='&quot;&#x41;&apos;'>&lt;b&gt; &amp; &#233;&#x1F600; <![CDATA[<c> & d]]><!-- no --></a>")
        #expect(node.attributes["x"] == "\"A'" && node.text == "<b> & é😀 <c> & d")
        #expect(node.children.isEmpty)
        let text = "a < b & \"c\" > é\u{1}"
        #expect(try read("<a x=\"\(XMLNode.escaped(text))\"/>").attributes["x"] == "a < b & \"c\" > é")
    }

    @Test func namesComeWithoutTheirPrefix() throws {
        let node = try read("<q:a xmlns:q='urn:q' q:id='1' xml:lang='en' plain='2'><q:b/></q:a>")
        #expect(node.name == "a" && node.children.map(\.name) == ["b"])
        #expect(node.attributes["id"] == "1" && node.attributes["lang"] == "en" && node.attributes["plain"] == "2")
        #expect(
            try read("<a q:x='1' x='2' xmlns:q='urn:q'/>").attributes["x"] == "2",
            "the attribute without a prefix counts")
        #expect(
            try read("<a x='2' q:x='1' xmlns:q='urn:q'/>").attributes["x"] == "2",
            "the attribute without a prefix counts in any order")
    }

    /// Ten lines that would expand to gigabytes of text.
    @Test func aDocumentTypeIsRefusedBeforeItSaysAnything() {
        var laughs = "<?xml version='1.0'?>\n<!DOCTYPE a [\n<!ENTITY l0 'ha'>\n"
        for level in 1...9 {
            laughs += "<!ENTITY l\(level) '\(String(repeating: "&l\(level - 1);", count: 10))'>\n"
        }
        let found = mistake(laughs + "]>\n<a>&l9;</a>")
        #expect(found?.line == 2 && found?.what.contains("document type") == true)
        let outside = mistake("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>")
        #expect(outside?.what.contains("document type") == true)
        #expect(mistake("<a>&unknown;</a>")?.what.contains("undefined entity") == true)
    }

    @Test func encodingsAreThoseThatAFileSays() throws {
        let text = "<a>naïve é</a>"
        #expect(try XMLReader.read([0xef, 0xbb, 0xbf] + Array(text.utf8)).text == "naïve é")
        let wide = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        #expect(try XMLReader.read([0xff, 0xfe] + wide).text == "naïve é")
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xe9] + Array("</a>".utf8)
        #expect(try XMLReader.read(latin).text == "é")
        // Latin-1 without an encoding declaration.
        #expect(throws: XMLMistake.self) { try XMLReader.read(Array("<a>".utf8) + [0xe9] + Array("</a>".utf8)) }
        let unknown = mistake("<?xml version='1.0' encoding='EBCDIC-9'?><a/>")
        #expect(unknown?.what.contains("unknown encoding") == true, "\(unknown.debugDescription)")
    }

    @Test func elementsLieAHundredDeepAtMost() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try read(nested(100)).all("a").count == 100)
        #expect(mistake(nested(101))?.what.contains("100 deep") == true)
        #expect(mistake(String(repeating: "<a>", count: 1_000_000))?.what.contains("100 deep") == true)
    }

    @Test(arguments: [
        ("", 1), ("words", 1), ("<a>\n<b>\n</a>", 3), ("<a/>\n<b/>", 2), ("<a>\n\n<b x=1/></a>", 3),
        ("<a>\u{0}</a>", 1), ("<a x='1' x='2'/>", 1), ("<a>", 1),
    ]) func invalidXMLIsRefusedWithItsLine(_ text: String, _ line: Int) {
        let found = mistake(text)
        #expect(found?.line == line && found?.what.hasPrefix("is not XML (") == true, "\(found.debugDescription)")
        let problem = #expect(throws: Problem.self) { try XMLReader.read(Array(text.utf8), name: "f.xml") }
        #expect(problem?.kind == .malformed && problem?.sentence.hasPrefix("f.xml:\(line): ") == true)
    }
}
