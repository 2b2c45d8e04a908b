import Glibc
import VirtualDevices

/// How true the dates are: clicks are handed to a player that runs already, and dated by the recording.
///
/// A click can sound no earlier than it was handed over, and its way into the sink's next block takes up to a block and some
/// milliseconds: so the recording dates nothing too early, and too late by less than the least of these figures.
extension Live {
    func measureDating() throws {
        let recording = DatedRecording("mouth.monitor", of: server, latency: 20)
        let player = Child(
            [
                "pacat", "--playback", "--device=mouth", "--latency-msec=10", "--process-time-msec=2", "--raw",
                "--format=s16le", "--rate=48000", "--channels=1",
            ], environment: server.environment)
        defer {
            player.stop()
            recording.stop()
        }
        usleep(500_000)
        var delays: [Double] = []
        for number in 0..<16 {
            let click = [Int16](repeating: 8_000, count: 4_800)
            let handed = clockNow()
            click.withUnsafeBytes { player.type($0) }
            usleep(UInt32(280_000 + 2_300 * number))
            guard let sample = recording.firstAudible(from: handed - 0.1) else { fail("a click was not heard") }
            delays.append(recording.date(of: sample) - handed)
        }
        row("a click, handed over to dated", delays, places: 1)
    }
}
