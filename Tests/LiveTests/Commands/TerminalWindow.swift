import Foundation
import TestSupport
import Testing

@testable import VirtualDevices

/// A shell in a terminal window of 80 × 24, kept by a tmux of its own; it goes with the booth.
final class TerminalWindow: Sendable {
    private let booth: Booth
    private let tmux: Command
    private let socket: String

    /// Why there is no window here; nil where there can be one.
    static var obstacle: String? {
        Programs.path(of: "tmux") == nil ? "tmux is not installed: apt-get install tmux" : nil
    }

    init(_ booth: Booth, locale: String = "C.UTF-8") async throws {
        self.booth = booth
        socket = "\(booth.server.den.folder)/\(UUID().uuidString.prefix(8)).tmux"
        var environment = booth.environment
        environment["LC_ALL"] = locale
        // In the foreground, so that it ends with everything else that was started here.
        tmux = try booth.server.den.begin("tmux", ["-D", "-S", socket, "-f", "/dev/null"], environment: environment)
        let isOpen = await Patience.wait {
            (try? ask("new-session", "-d", "-x", "80", "-y", "24", "-c", booth.home, "sh")) != nil
        }
        try #require(isOpen)
        #expect(await Patience.wait { picture.contains("#") || picture.contains("$") }, "a shell asks what to do")
    }

    deinit {
        _ = try? ask("kill-server")
        tmux.process.stop()
    }

    /// What a person types, and Enter.
    func type(_ line: String) throws {
        try write(line)
        try press("Enter")
    }

    func write(_ text: String) throws { try ask("send-keys", "-l", text) }

    /// A key by tmux's name for it: `Enter`, `Tab`, `C-c`.
    func press(_ key: String) throws { try ask("send-keys", key) }

    /// The 24 lines that are to be seen, without what is blank at their ends.
    var lines: [String] {
        let text = (try? ask("capture-pane", "-p")) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    var picture: String { lines.joined(separator: "\n") }

    /// Whether a program has a screen of its own, and whether there is a cursor.
    var hasOwnScreen: Bool { (try? ask("display-message", "-p", "#{alternate_on}")) == "1\n" }
    var hasCursor: Bool { (try? ask("display-message", "-p", "#{cursor_flag}")) == "1\n" }
    /// The column and row of the cursor, from 0.
    var cursor: String { ((try? ask("display-message", "-p", "#{cursor_x},#{cursor_y}")) ?? "").filter { $0 != "\n" } }

    /// Waits until all of this is to be seen at once.
    func shows(_ words: String...) async -> Bool {
        await Patience.wait {
            let picture = picture
            return words.allSatisfy { picture.contains($0) }
        }
    }

    @discardableResult
    private func ask(_ words: String...) throws -> String {
        let command = try booth.server.den.begin("tmux", ["-u", "-S", socket] + words, environment: booth.environment)
        return String(decoding: try command.answer(within: Patience.limit), as: UTF8.self)
    }
}
