import Glibc
import VirtualDevices

/// Measures the accuracy of the dates: passes clicks to a player that is already running, and dates them with the
/// recording.
///
/// A click can't sound before it was passed on, and needs up to one block and some milliseconds to reach the sink's
/// next block. The recording therefore never dates a click too early. The smallest of these figures is the most by
/// which it may date one too late.
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
