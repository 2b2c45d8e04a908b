import Glibc
import PulseRoom
import Synchronization

/// The microphone's level as a bar on one line, redrawn ten times a second during a step of a check.
final class LevelBar: Sendable {
    private let isShown: Bool
    private let isDrawing = Mutex(false)

    /// The level at the bar's left end, dB of full scale. Its right end is full scale.
    private static let floor = -60.0
    private static var width: Int { min(40, terminalColumns - 24) }

    init(isShown: Bool) {
        self.isShown = isShown
    }

    func begin() {
        isDrawing.withLock { $0 = isShown }
    }

    /// Removes the bar.
    func end() {
        isDrawing.withLock { isDrawing in
            if isDrawing { put("\r\u{1b}[K") }
            isDrawing = false
        }
    }

    func show(_ reading: LevelMeter.Reading) {
        isDrawing.withLock { isDrawing in
            if isDrawing { put("\r" + Self.picture(reading) + "\u{1b}[K") }
        }
    }

    /// The bar as text, with the current level and the peak of the last second: `[########----|-------] -31 dB`.
    static func picture(_ reading: LevelMeter.Reading) -> String {
        func place(_ level: Double) -> Int {
            min(max(Int(Double(width) * (level - floor) / -floor), 0), width)
        }
        var cells = Array(repeating: "-", count: width)
        for cell in 0..<place(reading.rmsDBFS) { cells[cell] = "#" }
        let peak = place(reading.heldPeakDBFS)
        if peak > 0 { cells[peak - 1] = "|" }
        let words = reading.clippedSamples > 0 ? "  too loud" : ""
        return "  [\(cells.joined())] \(Int(reading.rmsDBFS.rounded())) dB\(words)"
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
