import Foundation
import SessionFolders
import TestSupport
import Testing
import VirtualDevices
import Waiting

extension Commands {
    /// `oracy run` without a terminal: it prints lines and reads words.
    @Suite(.serialized) struct Run {
        /// The lines that the pocket exam prints, without `Time` lines.
        private static let transcript =
            [
                "The IELTS-style test with its times cut short.",
                "Type help to hear what you can do.",
                "Part 1 of 3: Familiar topics.",
                "Question 1.", "Examiner: Your name?", "Your turn.",
                "Question 2.", "Examiner: Where from?", "Your turn.",
                "Question 3.", "Examiner: A library there?", "Your turn.",
                "Part 2 of 3: Long turn.",
                "Question 1.", "Examiner: Your card.", "Examiner: A good place.",
            ] + card + [
                "Preparation: 3 seconds. Type notes, a line at a time.",
                "2 seconds left.", "1 second left.",
                "Examiner: Begin.", "Your turn: up to 6 seconds.",
                "2 seconds left.",
                "Part 3 of 3: Discussion.",
                "Question 1.", "Examiner: Are towns good?", "Your turn.",
                "Examiner: Goodbye.",
                "The exam is over. Thank you.", "All answers are stored.",
            ]

        private static let card = [
            "The card: Describe a place you like.",
            "You should say:", "where it is", "when you go there", "what you do there",
            "and explain why you like it.",
        ]

        /// Returns the lines before the summary, which follows an empty line.
        private func told(_ tool: RunningTool) -> [String] {
            tool.lines.prefix { !$0.isEmpty }.filter { !$0.hasSuffix("being stored.") }
        }

        @Test func wholeExams() async throws {
            async let plain: Void = expectTranscript()
            async let hidden: Void = expectNoText()
            async let warned: Void = expectWarnings()
            async let typed: Void = expectCommands()
            _ = try await (plain, hidden, warned, typed)
        }

        private func hold(_ options: [String]) async throws -> (RunningTool, SessionFolder, Booth) {
            let booth = try Booth()
            let tool = try booth.start(Booth.pocketExam + options)
            let (folder, candidate) = try await booth.seatCandidate()
            #expect(await tool.end() == 0)
            _ = candidate
            #expect(tool.errors == "oracy: the microphone has not been checked: `oracy check` takes twenty seconds\n")
            return (tool, folder, booth)
        }

        private func expectTranscript() async throws {
            let (tool, folder, booth) = try await hold(["--consent", "--plain"])
            #expect(told(tool) == Self.transcript)
            let ends = tool.lines.filter { $0.hasSuffix(".opus") }
            #expect(ends.count == 5 && ends.allSatisfy { $0.contains("  silence   part") })
            #expect(tool.lines.contains("session  \(folder.path)"))
            #expect(tool.lines.contains("more     oracy results \(folder.name)"))
            #expect(tool.lines.allSatisfy { $0.count < 80 || $0.hasPrefix("session") })
            // Consent is stored, and is part of every session.
            #expect(permissions(booth.data + "/consent.json") == "600")
            #expect(permissions(folder.record) == "600" && permissions(folder.path) == "700")
            let record = try #require(try folder.readRecord())
            let consent = try JSONDecoder().decode(
                SessionRecord.Consent.self, from: Data(contentsOf: URL(filePath: booth.data + "/consent.json")))
            #expect(record.consent == consent && consent.words.contains(booth.shelf))
            try await expectSessions(booth, folder)
        }

        /// Checks the commands about a completed session.
        private func expectSessions(_ booth: Booth, _ folder: SessionFolder) async throws {
            let list = try await booth.run("sessions")
            #expect(list.code == 0 && list.lines.count == 3)
            #expect(list.lines[1].hasPrefix(folder.name + "  ") && list.lines[1].contains("  completed  "))
            let show = try await booth.run("sessions", "show", "last")
            #expect(show.code == 0 && show.lines.first == folder.name)
            let listen = try #require(show.lines.first { $0.hasPrefix("listen   paplay ") }).dropFirst(16)
            #expect(FileManager.default.fileExists(atPath: String(listen)))
            let copy = try await booth.run("sessions", "export", "last", "copy", "--wav")
            #expect(copy.code == 0 && permissions(booth.home + "/copy") == "700")
            #expect(try Sounds.samples(booth.home + "/copy/takes/part2_q1.wav").count > 3 * 16_000)
            let refused = try await booth.run("sessions", "erase", "last")
            #expect(refused.code == 64 && booth.sessions.count == 1)
            let erased = try await booth.run("sessions", "erase", "last", "--yes")
            #expect(erased.code == 0 && booth.sessions.isEmpty)
            let none = try await booth.run("sessions")
            #expect(none.output == "There are no sessions in \(booth.shelf).\n")
            let over = try await booth.run("resume")
            #expect(over.code == 66)
            #expect(over.errors == "oracy: there is no session to resume in \(booth.shelf)\n")
        }

        private func expectNoText() async throws {
            let (tool, _, _) = try await hold(["--consent", "--no-text", "--time", "off"])
            for words in ["name?", "Where from", "library there", "good place", "Begin.", "towns good", "Goodbye"] {
                #expect(!tool.output.contains(words), "\(words) is told")
            }
            #expect(!tool.output.contains("second"), "no time is told")
            let lines = told(tool)
            #expect(lines.filter { $0 == "The examiner speaks." }.count == 6)
            let place = try #require(lines.firstIndex(of: Self.card[0]))
            #expect(Array(lines[place..<(place + Self.card.count)]) == Self.card, "the card is shown all the same")
        }

        private func expectWarnings() async throws {
            let (tool, _, _) = try await hold(["--consent", "--time", "warnings"])
            #expect(told(tool) == Self.transcript.map { $0 == "Your turn: up to 6 seconds." ? "Your turn." : $0 })
        }

        private func expectCommands() async throws {
            let booth = try Booth()
            let options = ["--consent", "--practice", "--time-multiplier", "2"]
            let tool = try booth.start(Booth.pocketExam + options, typing: true)
            let folder = try await booth.newSession()
            #expect(await tool.says("Your turn."))
            tool.type("help")
            tool.type("skip")
            tool.type("repeat")
            #expect(await tool.says("Your turn.", count: 2))
            tool.type("pause")
            #expect(await tool.says("Paused. Type continue to go on."))
            let paused = PocketExam.log(folder).count
            // Nothing must happen meanwhile. A wait that a busy machine makes longer finds the same failures.
            try await Task.sleep(for: .seconds(1))
            #expect(PocketExam.log(folder).count == paused, "nothing goes on in a pause")
            tool.type("continue")
            #expect(await tool.says("The exam goes on."))
            #expect(await PocketExam.awaitLine("asked continue", in: folder))
            try booth.speak("short-name")
            #expect(await PocketExam.awaitLine("voiceBegan", in: folder))
            let (_, candidate) = try await booth.seatCandidate()
            #expect(await tool.says("Preparation: 6 seconds. Type notes, a line at a time."))
            tool.type("where I live")
            tool.type("the sea")
            #expect(await tool.says("Noted, line 2."))
            // Notes are written in the background.
            #expect(await Patience.wait { folder.readNotes() == "where I live\nthe sea" })
            #expect(permissions(folder.notes) == "600")
            tool.type("notes")
            // Skipping is refused until a part of the preparation is over.
            try await eventually("preparation is skipped") {
                tool.type("skip")
                return PocketExam.log(folder).contains { $0.contains("asked skip") }
            }
            #expect(await tool.end() == 0)
            _ = candidate

            #expect(
                tool.output.contains(
                    "You can type: repeat, pause, level, leave, withdraw, help.\nNot possible now: skip.\n"))
            #expect(tool.output.contains("Noted, line 1.\nNoted, line 2.\nwhere I live\nthe sea\n"))
            let log = try LogLine.all(of: folder.log)
            #expect(log.filter { $0.event == "asked repeat" }.map(\.do) == [["holdTake part1_q1", "play name"]])
            #expect(log.count { $0.event == "asked pause" } == 1 && log.count { $0.event == "asked continue" } == 1)
            let prepared = try #require(log.first { $0.phase.hasPrefix("preparing") }).at
            let skipped = try #require(log.first { $0.event == "asked skip" })
            // The format allows skipping after a second.
            #expect(skipped.do == ["play begin"] && skipped.at - prepared >= 1)
            #expect(log.last?.phase == "over completed")
            // The rules of the talk, with twice the time.
            #expect(tool.output.contains("Your turn: up to 12 seconds."))
        }

        // MARK: - Ends and beginnings

        @Test(.onlyInCheck) func leftWithdrawnAndPractised() async throws {
            async let practised: Void = expectPractice()
            async let refused: Void = expectNoDevices()
            let booth = try Booth()
            let unasked = try await booth.run("run")
            #expect(unasked.code == 64 && unasked.output.isEmpty && booth.sessions.isEmpty)
            #expect(
                unasked.errors
                    == "oracy: cannot ask for your consent without a terminal; add --consent to agree\n")

            let withdrawn = try booth.start(Booth.pocketExam + ["--consent"], typing: true)
            #expect(await withdrawn.says("Your turn."))
            withdrawn.type("withdraw")
            withdrawn.type("no")
            withdrawn.type("withdraw")
            withdrawn.type("yes")
            #expect(await withdrawn.end() == 0)
            #expect(withdrawn.output.contains("You did not withdraw. The exam goes on."))
            #expect(withdrawn.output.contains("\nwithdrawn, 0:0"))

            let first = booth.sessions
            let left = try booth.start(Booth.pocketExam, typing: true)
            #expect(await left.says("Your turn."))
            left.type("leave")
            #expect(await left.end() == 75)
            #expect(left.output.contains("\nnot finished, 0:0"))
            let id = try #require(booth.sessions.first { !first.contains($0) })
            #expect(left.errors.hasSuffix("oracy: the exam was left; continue: oracy resume \(id)\n"))

            let list = try await booth.run("sessions")
            #expect(list.lines[1].hasPrefix(id) && list.lines[1].contains("  left at part1_q1  "))
            #expect(list.lines[2].contains("  withdrawn  "))
            let show = try await booth.run("sessions", "show", id)
            #expect(show.lines.contains("go on    oracy resume \(id)"))
            let resumed = try booth.start(["resume"], typing: true)
            #expect(await resumed.says("Your turn."), "the question is asked again")
            resumed.type("withdraw")
            resumed.type("yes")
            #expect(await resumed.end() == 0)

            let asked = try await booth.run("run", "--new-person")
            #expect(asked.code == 64, "another person has to give consent again")
            _ = try await (practised, refused)
        }

        private func expectPractice() async throws {
            let booth = try Booth()
            // The first run gives consent, and is the session from which the second one retries a question.
            let log = try await firstTurns(booth, ["--consent", "--part", "2", "--card", "place-card"])
            #expect(log.first == "speaking card" && !log.contains { $0.hasSuffix(" name") })
            let retried = try await firstTurns(booth, ["--retry", "place-card", "--from", "last"])
            #expect(retried.first == "speaking card")
            let bad: [([String], Int32, String)] = [
                (["--part", "9"], 65, "oracy: format \"pocket\": parts: has no part 9\n"),
                (
                    ["--card", "lake"], 65,
                    "oracy: card: paper \"pocket\" has place-card, and this part of it no card \"lake\"\n"
                ),
                (["--retry", "lake"], 65, "oracy: question: the exam has no question \"lake\"\n"),
                (["--retry", "where"], 65, "oracy: question: the exam has no question \"where\"\n"),
            ]
            let known = booth.sessions
            for (options, code, sentence) in bad {
                let tool = try booth.start(Booth.pocketExam + options)
                #expect(await tool.end() == code && tool.errors == sentence && tool.output.isEmpty)
            }
            let nowhere = try booth.start(Booth.pocketExam + ["--retry", "where", "--from", "1999"])
            #expect(await nowhere.end() == 66 && nowhere.errors.hasPrefix("oracy: session \"1999\": does not exist ("))
            #expect(booth.sessions == known)
        }

        /// Returns the phases until preparation, and leaves the exam there.
        private func firstTurns(_ booth: Booth, _ options: [String]) async throws -> [String] {
            let known = booth.sessions
            let tool = try booth.start(Booth.pocketExam + options, typing: true)
            let folder = try await booth.newSession(besides: known)
            #expect(await PocketExam.awaitLine("\"phase\":\"preparing place-card\"", in: folder))
            tool.type("leave")
            #expect(await tool.end() == 75)
            #expect(!tool.output.contains("ended by"), "an exam without answers has no table")
            return try LogLine.all(of: folder.log).map(\.phase)
        }

        private func expectNoDevices() async throws {
            let serverless = try Booth()
            serverless.server.kill()
            let monitor = try Booth()
            try monitor.server.unplugMicrophone()
            try monitor.server.pactl("set-default-source", "loudspeaker.monitor")
            let muted = try Booth()
            try muted.server.muteMicrophone()
            let named = try Booth()
            let cases: [(Booth, [String], String)] = [
                (serverless, [], "The sound server cannot be reached. Start PulseAudio or PipeWire"),
                (monitor, [], "There is no microphone. Plug one in"),
                (muted, [], "The microphone is muted. Turn it on"),
                (named, ["--microphone", "loudspeaker.monitor"], "There is no microphone. Plug one in"),
            ]
            for (booth, options, sentence) in cases {
                let tool = try booth.start(Booth.pocketExam + ["--consent"] + options)
                #expect(await tool.end() == 69)
                #expect(tool.output.isEmpty && tool.errors.hasSuffix("\noracy: \(sentence)\n"), "\(tool.errors)")
                #expect(booth.sessions.isEmpty, "nothing is left of an exam that did not begin")
            }
        }
    }
}
