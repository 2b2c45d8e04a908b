import Testing

@testable import oracy

/// Conversion of a terminal's bytes to keys. A read may split them anywhere.
@Suite struct KeyboardTests {
    private func keys(_ bytes: String) -> [Key] {
        var keyboard = Keyboard()
        return keyboard.read(bytes.utf8) + keyboard.timePassed()
    }

    @Test func lettersAreThemselves() {
        #expect(keys("a Z~") == [.text("a"), .text(" "), .text("Z"), .text("~")])
        #expect(keys("é”語🌉") == [.text("é"), .text("”"), .text("語"), .text("🌉")])
    }

    @Test func controlsHaveNames() {
        #expect(keys("\r\n\t") == [.enter, .enter, .tab])
        #expect(keys("\u{7F}\u{8}") == [.backspace, .backspace])
        #expect(keys("\u{3}\u{10}\u{15}\u{17}") == [.control("c"), .control("p"), .control("u"), .control("w")])
        #expect(keys("\u{0}\u{1F}") == [.other, .other])
        #expect(keys("\u{9B}") == [.other], "a C1 control, which some terminals take for ESC [")
    }

    @Test func anEscapeStandsForItselfOnceTimeHasPassed() {
        var keyboard = Keyboard()
        #expect(keyboard.read([0x1B]) == [])
        #expect(keyboard.isUndecided)
        #expect(keyboard.timePassed() == [.escape])
        #expect(keyboard.read("q".utf8) == [.text("q")])
        #expect(keyboard.timePassed() == [])
        #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
    }

    @Test(arguments: ["\u{1B}[A", "\u{1B}OP", "\u{1B}[1;5C", "\u{1B}[15~", "\u{1B}[[A", "\u{1B}x", "\u{1B}[<0;3;4M"])
    func splitSequencesAreOneKey(_ sequence: String) {
        let bytes = Array(sequence.utf8)
        for cut in 0...bytes.count {
            var keyboard = Keyboard()
            let keys = keyboard.read(bytes[..<cut]) + keyboard.read(bytes[cut...]) + keyboard.read("r".utf8)
            #expect(keys == [.other, .text("r")], "cut at \(cut)")
        }
    }

    @Test func splitLettersAreOneKey() {
        let bytes = Array("é語🌉".utf8)
        var keyboard = Keyboard()
        #expect(bytes.flatMap { keyboard.read([$0]) } == [.text("é"), .text("語"), .text("🌉")])
    }

    @Test func brokenLettersAreNotKeys() {
        var keyboard = Keyboard()
        #expect(keyboard.read([0xC3, 0x28, 0xA9, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0x61]).last == .text("a"))
        #expect(keyboard.read([0xF0, 0x9F, 0x61, 0x62]) == [.text("a"), .text("b")])
    }

    @Test func aPasteIsNeverARowOfKeys() {
        let paste = "\u{1B}[200~q\u{1B}[31m\rw\u{3}\u{1B}[201~"
        for cut in 0...paste.utf8.count {
            let bytes = Array(paste.utf8)
            var keyboard = Keyboard()
            var keys = keyboard.read(bytes[..<cut])
            if cut > 6 { keys += keyboard.timePassed() }  // A paste may take a while.
            keys += keyboard.read(bytes[cut...]) + keyboard.read("r".utf8)
            #expect(keys == [.pasted("q\u{1B}[31m\rw\u{3}"), .text("r")], "cut at \(cut)")
        }
    }

    @Test func aPasteWithoutEndTakesNoMemory() {
        var keyboard = Keyboard()
        _ = keyboard.read("\u{1B}[200~".utf8)
        for _ in 0..<100 { #expect(keyboard.read(Array(repeating: 0x61, count: 1000)) == []) }
        guard case .pasted(let text) = keyboard.read("\u{1B}[201~".utf8).first else {
            Issue.record("the paste has no end")
            return
        }
        #expect(text.count <= 8192)
        #expect(keyboard.read("r".utf8) == [.text("r")])
    }

    @Test func terminalResponsesAreNotKeys() {
        #expect(keys("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\r") == [.text("r")])
        #expect(keys("\u{1B}P1$r0m\u{7}r") == [.text("r")])
    }
}
