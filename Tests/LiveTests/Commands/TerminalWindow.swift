import Foundation
import Testing
import Waiting

@testable import VirtualDevices

/// A shell in a terminal window of 80 × 24, in a tmux of its own that ends with the booth.
final class TerminalWindow: Sendable {
    private let booth: Booth
    private let tmux: Command
    private let socket: String

    /// The reason why there can't be a window here. Nil if there can.
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

    /// Types a line, and presses Enter.
    func type(_ line: String) throws {
        try write(line)
        try press("Enter")
    }

    func write(_ text: String) throws { try ask("send-keys", "-l", text) }

    /// Presses a key with tmux's name for it: `Enter`, `Tab`, `C-c`.
    func press(_ key: String) throws { try ask("send-keys", key) }

    /// The 24 visible lines, without blanks at their ends.
    var lines: [String] {
        let text = (try? ask("capture-pane", "-p")) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    var picture: String { lines.joined(separator: "\n") }

    /// Whether a program uses the alternate screen. `hasCursor` is whether there is a cursor.
    var hasOwnScreen: Bool { (try? ask("display-message", "-p", "#{alternate_on}")) == "1\n" }
    var hasCursor: Bool { (try? ask("display-message", "-p", "#{cursor_flag}")) == "1\n" }
    /// The column and row of the cursor, from 0.
    var cursor: String { ((try? ask("display-message", "-p", "#{cursor_x},#{cursor_y}")) ?? "").filter { $0 != "\n" } }

    /// Waits until all of these words are visible at the same time.
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
