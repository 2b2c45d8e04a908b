import Foundation
import Glibc
import SessionFolders
import TestSupport
import Testing
import Waiting

extension Commands {
    /// A terminal of 80 × 24.
    @Suite(.serialized, .needs(TerminalWindow.obstacle))
    struct Screen {
        private static let exam = "oracy run --format pocket/format.json --paper pocket/paper.json"

        @Test func anExamIsLeftAndResumedAndTheTerminalGivenBack() async throws {
            async let whole: Void = leaveAndResume()
            async let ended: Void = end()
            async let refused: Void = refuse()
            _ = try await (whole, ended, refused)
        }

        private func leaveAndResume() async throws {
            let booth = try Booth()
            try booth.fill(noise: -65)
            let window = try await TerminalWindow(booth)
            try window.type("stty -a > before; clear")
            try window.type("\(Self.exam) --practice --consent --time-multiplier 2; echo code $?")
            let (folder, candidate) = try await booth.seatCandidate()

            #expect(await window.shows("THE EXAMINER IS SPEAKING.", "Your name?", "p: pause   q: leave or withdraw"))
            #expect(window.hasOwnScreen && !window.hasCursor)
            #expect(await window.shows("YOUR TURN: please speak.", "Microphone  ", " dB", "r: repeat the question"))
            #expect(window.lines[1] == "  Question 1 · Part 1 of 3: Familiar topics")
            #expect(await window.shows("LISTENING…"))
            try window.write("p")
            #expect(await window.shows("PAUSED. The clock stands still.", "p: continue   q: leave or withdraw"))
            try window.write("p")

            #expect(await window.shows("PREPARE: you may write notes.", "Describe a place you like."))
            try window.write("by the seaside")
            for key in ["C-w", "s", "e", "a", "Enter"] { try window.press(key) }
            try window.write("calm")
            #expect(await window.shows("  │ by the sea\n  │ calm\n", "Time left   █", "Ctrl-C: leave or withdraw"))
            #expect(window.hasCursor && window.cursor == "8,16")
            if let captures = ProcessInfo.processInfo.environment["ORACY_CAPTURES"] {
                try window.picture.write(toFile: captures + "/preparation.txt", atomically: true, encoding: .utf8)
            }
            // Notes are written after they are shown, so that a slow disk delays no key.
            #expect(await Patience.wait { folder.readNotes() == "by the sea\ncalm" })
            #expect(permissions(folder.notes) == "600")
            #expect(await window.shows("Tab: skip ahead"))
            try window.press("Tab")

            #expect(await window.shows("LISTENING…", "Your notes\n", "  │ calm\n", "Time left"))
            #expect(!window.hasCursor, "locked notes have no cursor")
            // For two seconds after notes, letters are ignored, so that the word in progress doesn't leave the exam.
            try await Task.sleep(for: .seconds(2))
            try window.write("q")
            #expect(await window.shows("Leave the exam?", "l: leave, go on later with `oracy resume`"))
            try window.write("l")
            #expect(await window.shows("code 75"))
            #expect(window.lines.contains("oracy: the exam was left; continue: oracy resume \(folder.name)"))
            try await expectGivenBack(window)

            try window.type("clear; oracy resume; echo code $?")
            #expect(await window.shows("LISTENING…", "Your notes\n", "  │ calm\n"), "\(window.picture)")
            #expect(await window.shows("THE EXAMINER IS SPEAKING.", "Goodbye."))
            #expect(await window.shows("code 0"))
            let end = window.lines
            #expect(end.contains("question    began  length  speech  ended by      file"))
            #expect(
                end.contains {
                    $0.hasPrefix("place-card   ") && $0.hasSuffix("  interruption  part2_q1.opus")
                })
            #expect(
                end.contains { $0.hasPrefix("towns  ") && $0.hasSuffix("  silence       part3_q1.opus") })
            #expect(end.contains { $0.hasPrefix("completed, 0:") && $0.contains("; 6 answers with 0:") })
            try await expectGivenBack(window)
            _ = candidate
        }

        private func expectGivenBack(_ window: TerminalWindow) async throws {
            #expect(!window.hasOwnScreen && window.hasCursor)
            try window.type("stty -a > after; cmp before after && echo the same")
            #expect(await window.shows("\nthe same\n"))
        }

        private func end() async throws {
            let booth = try Booth()
            let window = try await TerminalWindow(booth)
            try window.type("stty -a > before; clear")
            try window.type("sh -c 'echo $$ > pid; exec \(Self.exam) --consent'; echo code $?")
            #expect(await window.shows("YOUR TURN:"))
            let pid = try String(contentsOfFile: booth.home + "/pid", encoding: .utf8)
            kill(try #require(Int32(pid.dropLast())), SIGTERM)
            #expect(await window.shows("code 75"), "\(window.picture)")
            try await expectGivenBack(window)
        }

        private func refuse() async throws {
            let booth = try Booth()
            let window = try await TerminalWindow(booth)
            try window.type("clear; \(Self.exam); echo code $?")
            #expect(await window.shows("Oracy records what you say in an exam.", "Do you agree? (y/n)"))
            #expect(window.lines.allSatisfy { $0.count < 80 }, "no word is cut in two")
            try window.type("n")
            #expect(await window.shows("Nothing was recorded. An exam needs your consent.", "code 77"))
            #expect(!FileManager.default.fileExists(atPath: booth.shelf))
            #expect(!FileManager.default.fileExists(atPath: booth.data + "/consent.json"))
            try window.type("clear; \(Self.exam) --plain; echo code $?")
            #expect(await window.shows("Do you agree? (y/n)"))
            try window.type("y")
            #expect(await window.shows("Your turn."))
            try window.type("leave")
            #expect(await window.shows("code 75"))
            try window.type("clear; \(Self.exam) --new-person; echo code $?")
            #expect(await window.shows("Do you agree? (y/n)"))
            try window.type("n")
            #expect(await window.shows("code 77"))
            #expect(booth.sessions.count == 1)
        }

        @Test func aCheckIsAsked() async throws {
            let booth = try Booth()
            try booth.fill(noise: -65)
            let window = try await TerminalWindow(booth)
            try window.type("clear; oracy check; echo code $?")
            #expect(await window.shows("1 of 3  Please be silent", "  [", "] -6"))
            #expect(await window.shows("3 of 3"))
            try booth.speak("where-from")
            #expect(await window.shows("#######################"), "the bar follows the voice")
            #expect(await window.shows("Did you hear yourself well? y: use this microphone  a: again  n: leave it"))
            let lines = window.lines
            #expect(lines.contains("This is how you sound:"))
            #expect(lines.contains("good     The microphone is ready: it hears you well, and nothing else."))
            #expect(!lines.contains { $0.contains("[") }, "the bars are gone")
            try window.type("y")
            #expect(await window.shows("Saved: `oracy run` will use it.", "code 0"))
            if let captures = ProcessInfo.processInfo.environment["ORACY_CAPTURES"] {
                try window.picture.write(toFile: captures + "/check.txt", atomically: true, encoding: .utf8)
            }
            #expect(permissions(booth.data + "/microphone.json") == "600")
        }
    }
}
