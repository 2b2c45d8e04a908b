import ArgumentParser
import Foundation
import Glibc
import Testing
import Waiting

@testable import oracy

/// Commands on real terminals of 80 and 60 columns: no line is wider, and no word is cut. A word is cut if it does not
/// occur in what the same command prints for a program.
@Suite struct WidthOfCommands {
    private let measured: MeasuredHome
    private var home: Home { measured.home }

    init() throws {
        measured = try MeasuredHome()
        try measured.session("2026-11-19T18:05:00Z", speaking: 0.6)
        try measured.session("2026-11-20T18:05:00Z")
    }

    private static let widths = [80, 60]

    private func compare(_ arguments: [String], typing text: String = "") throws {
        let piped = try Tool.run(arguments, home: home.path, input: text.isEmpty ? nil : PseudoTerminal(typing: text))
        try #require(!(piped.output + piped.errors).isEmpty, "\(arguments) says something")
        for width in Self.widths {
            let shown = try Tool.show(arguments, columns: width, home: home.path, typing: text)
            check(shown, against: piped.output + piped.errors, width, "\(arguments.joined(separator: " "))")
        }
    }

    private func check(_ shown: String, against whole: String, _ width: Int, _ what: String) {
        let known = Set(words(whole))
        #expect(!shown.isEmpty, "\(what)")
        for line in shown.split(separator: "\n") {
            // The terminal breaks a longer word itself, so that it can be copied.
            #expect(
                line.columns <= width || words(String(line)).contains { $0.columns > width },
                "\(what) at \(width): \(line)")
        }
        for word in words(shown) where word != "\\" {
            let isShortened = word.hasSuffix("...") && known.contains { $0.hasPrefix(word.dropLast(3)) }
            #expect(known.contains(word) || isShortened, "\(what) at \(width) cuts \"\(word)\"")
        }
    }

    private func words(_ text: String) -> [String] {
        text.split { $0.isWhitespace }.map(String.init)
    }

    @Test(arguments: [
        "sessions", "sessions show last", "results last", "progress", "mark last --show", "agreement last", "tasks",
        "practice packs", "practice lessons", "practice lesson vocabulary-food", "practice statistics", "practice day",
        "practice tests", "practice board", "papers", "papers show bridges", "assess list", "uploads", "account",
        "templates", "validate",
    ]) func listsAndPagesFit(_ command: String) throws {
        try compare(command.split(separator: " ").map(String.init))
    }

    @Test func aPlanItsDayAndItsReportFit() throws {
        let made = try Tool.run(
            [
                "plan", "setup", "--name", "Ana", "--stage", "an engineer who prepares for interviews", "--target",
                "IELTS 7",
                "--hours", "0.75", "--days", "mon,tue,wed,thu,fri,sat,sun",
            ], home: home.path)
        try #require(made.code == 0, "\(made)")
        for command in [["plan"], ["today"], ["plan", "prep"], ["report", "last"]] { try compare(command) }
    }

    @Test func questionsAtATerminalFit() throws {
        try compare(["mark", "last"], typing: "help\nfluency 6\n1\nquit\n")
        try compare(["transcribe", "last", "part2_q1"], typing: "/help\nI live in a town\n\n")
    }

    @Test(arguments: [
        "vad LONG/recording.wav", "transcribe last part2_q1 --file LONG/words.txt", "run --format LONG/format.json",
        "validate LONG/format.json LONG/paper.json", "results LONG", "calibrate LONG", "practice import LONG/q.csv",
        "practice --topic zzzz", "practice show nothing", "sessions show nothing", "mark nothing", "practise",
        "results", "transcribe last", "check --nonsense", "papers show nothing", "plan",
        "report last --csv /dev/null/x",
        "voices use --words-per-minute 3",
    ]) func mistakesAreToldInLinesThatFit(_ command: String) throws {
        let long = home.path + "/" + Array(repeating: "a-folder-with-a-long-name", count: 5).joined(separator: "/")
        try compare(command.replacing("LONG", with: long).split(separator: " ").map(String.init))
    }

    @Test func everyHelpPageFits() throws {
        var pages: [[String]] = []
        func collect(_ command: any ParsableCommand.Type, _ path: [String]) {
            pages.append(path)
            for child in command.configuration.subcommands { collect(child, path + [child._commandName]) }
        }
        collect(Oracy.self, [])
        #expect(pages.count > 80)
        for path in pages {
            let piped = try Tool.run(path + ["--help"], home: home.path)
            #expect(piped.code == 0, "\(path)")
            let shown = try Tool.show(path + ["--help"], columns: 80, home: home.path)
            check(shown, against: piped.output, 80, "help of \(path.joined(separator: " "))")
        }
    }

    /// Programs read whole lines, even if the command runs in a terminal.
    @Test func whatProgramsReadIsNotBroken() throws {
        for command in [["sessions", "--json"], ["results", "last", "--json"], ["progress", "--json"]] {
            let piped = try Tool.run(command, home: home.path).output
            #expect(try Tool.show(command, columns: 40, home: home.path) == piped, "\(command)")
        }
        let topics = ["practice", "--topic", "zzzz"]
        let piped = try Tool.run(topics, home: home.path).errors
        #expect(piped.split(separator: "\n").count == 1)
        let chosen = try Tool.run(topics, home: home.path, environment: ["COLUMNS": "50"]).errors
        #expect(chosen.split(separator: "\n").allSatisfy { $0.count <= 50 } && words(chosen) == words(piped))
    }
}

extension Tool {
    /// Runs the tool in a terminal. Typed text is not echoed.
    ///
    /// - Returns: Everything that the terminal showed.
    static func show(_ arguments: [String], columns: Int, home: String, typing text: String = "") throws -> String {
        let terminal = try PseudoTerminal(typing: "")
        terminal.resize(columns: UInt16(columns))
        terminal.type(text.isEmpty ? "\u{04}" : text)
        let process = Process()
        process.executableURL = URL(filePath: debug)
        process.arguments = arguments
        process.environment = [
            "HOME": home, "PATH": "/usr/bin:/bin", "ORACY_PROMPTS": fixtures + "/prompts", "TERM": "dumb",
        ]
        process.standardInput = terminal.handle
        process.standardOutput = terminal.handle
        process.standardError = terminal.handle
        try process.run()
        var shown: [UInt8] = []
        let end = ContinuousClock.now + Patience.limit
        while true {
            let isOver = !process.isRunning
            let bytes = terminal.read()
            shown += bytes
            if isOver && bytes.isEmpty { break }
            if ContinuousClock.now > end {
                process.terminate()
                Issue.record("\(arguments) did not end in its terminal")
                break
            }
        }
        process.waitUntilExit()
        return String(decoding: shown, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
