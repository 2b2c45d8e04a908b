import Foundation
import SessionFolders
import TestSupport
import Testing

@testable import oracy

/// The candidate's sheet of notes.
@Suite struct NotesTests {
    @Test func typedNotesAreErasedByCharacterWordAndLine() {
        var notes = Notes("stone bridge\nold mill")
        notes.erase()
        #expect(notes.text == "stone bridge\nold mil")
        notes.eraseWord()
        #expect(notes.text == "stone bridge\nold ")
        notes.eraseWord()
        #expect(notes.text == "stone bridge\n")
        notes.erase()
        #expect(notes.text == "stone bridge", "an empty line is taken back whole")
        notes.eraseLine()
        #expect(notes.isEmpty)
        notes.erase()
        #expect(notes.isEmpty)
    }

    @Test func aFullLineBreaksBeforeItsLastWord() {
        var notes = Notes(String(repeating: "word ", count: 14))
        #expect(notes.lines[0].count == 70)
        for letter in "bridges" { notes.write(letter) }
        #expect(notes.lines == [String(repeating: "word ", count: 13) + "word", "bridges"])
        let long = Notes(String(repeating: "x", count: 100))
        #expect(long.lines.map(\.count) == [72, 28])
    }

    @Test func fastTypingIsAllOnDisk() throws {
        let temporary = try TemporaryFolder()
        let folder = try SessionFolder.create(at: temporary.path + "/session")
        let keeper = NotesKeeper(folder)
        for length in 1...500 { keeper.keep(String(repeating: "x", count: length)) }
        keeper.finish()
        #expect(folder.readNotes().count == 500)
        keeper.keep("")
        keeper.finish()
        #expect(folder.readNotes().isEmpty)
    }

    @Test func aFullSheetTakesNothingMore() {
        var notes = Notes(String(repeating: "line\n", count: 50))
        #expect(notes.lines.count == 20)
        for _ in 0..<200 { notes.write("x") }
        notes.newLine()
        #expect(notes.lines.count == 20)
        #expect(notes.lines.allSatisfy { $0.columns <= 72 })
    }

    @Test func keptNotesAreReadAsTheyWereWritten() {
        var notes = Notes("stone, old\n\nmy village ")
        #expect(Notes(notes.text) == notes)
        notes.write("\u{301}")
        #expect(Notes(notes.text) == notes)
    }

    @Test func controlCharactersAreNotWritten() {
        #expect(Notes("a\u{1B}[2Jb\u{7}\u{9B}c\u{202E}d").text == "a[2Jbcd")
        var notes = Notes()
        notes.write("\u{1B}")
        notes.write("\u{7}")
        #expect(notes.isEmpty)
    }
}
