import Glibc
import PulseRoom
import Synchronization

/// How loud the microphone is, as a bar on one line that is drawn over ten times a second while a step of a check lasts.
final class LevelBar: Sendable {
    private let isShown: Bool
    private let isDrawing = Mutex(false)

    /// dB of full scale at the bar's left end; its right end is full scale.
    private static let floor = -60.0
    private static let width = 40

    init(isShown: Bool) {
        self.isShown = isShown
    }

    func begin() {
        isDrawing.withLock { $0 = isShown }
    }

    /// Takes the bar away.
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

    /// `[########----|-------] -31 dB`: what is there, and the peak of the last second.
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
