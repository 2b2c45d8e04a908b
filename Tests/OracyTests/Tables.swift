import ExamCore
import Foundation
import PulseRoom
import Testing
import UploadQueue

@testable import ExamKit
@testable import oracy

/// Every table fits the 80 columns of a terminal, with the widest that the built-in exams have: questions of two digits, second
/// attempts, second sessions of a minute.
@Suite struct Tables {
    @Test func aSummaryFits() {
        let takes = ["finished", "noAnswer", "timeUp.answer", "timeUp.part", "timeUp.exam", "declared", "withdrawn", "deviceLost"]
            .map { Self.take("building-and-bridges-12", end: $0) }
        let table = Summary.table(takes)
        #expect(table[0].hasPrefix("question"))
        #expect(table[1].hasSuffix("part3_q10_a2.opus"))
        #expect(Self.isFitting(table))
        #expect(Summary.table([Self.take("connecting-5")])[1].hasPrefix("connecting-5  "), "no built-in id is cut")
    }

    @Test(arguments: ["2026-11-21-0912-ielts-style-12", "2026-11-21-0912-toefl-2026-2"])
    func aListOfSessionsFits(_ id: String) throws {
        let home = try Home()
        let folder = SessionFolder(path: "\(home.path)/\(id)")
        try FileManager.default.createDirectory(atPath: folder.takes, withIntermediateDirectories: true)
        let options = ExamOptions(mode: .practice, part: 3)
        let frozen = try FrozenExam(format: .builtIn("ielts-style"), paper: .builtIn("bridges"), options: options)
        try Data(frozen.bytes).write(to: URL(filePath: folder.exam))
        let states: [SessionSummary.State] = [
            .inUse, .resumable(at: .beginning), .resumable(at: .storing),
            .resumable(at: .turn(part: 3, order: 0, id: "x")), .resumable(at: .turn(part: 3, order: 12, id: "x")),
            .over(.completed), .over(.withdrawn), .over(.outOfTime), .broken("why"),
        ]
        let table = SessionsCommand.table(
            states.map { state in
                var session = SessionSummary(folder)
                session.state = state
                session.takes = (1...30).map { _ in Self.take("home-1") }
                return session
            })
        #expect(table.count == states.count + 1)
        #expect(table.dropFirst().allSatisfy { $0.hasPrefix(id + "  part 3, pr") }, "an id is to be copied whole")
        #expect(table.contains { $0.contains("  left at part3_q12  ") })
        #expect(Self.isFitting(table))
    }

    @Test func aListOfUploadsFits() {
        let facts = SessionFacts.sample("2026-11-21-0912-ielts-style-12")
        let entries = DeliveryFailure.Kind.allCases.flatMap { kind in
            [UploadEntry.State.waiting, .sending, .delivered, .parked, .dropped].map { state in
                UploadEntry(
                    upload: Self.upload(facts), id: UUID(), state: state, attempts: 19, addedAt: "", endedAt: nil,
                    due: .seconds(7_140), failure: DeliveryFailure(kind, code: "curl 56"))
            }
        }
        let table = UploadEntry.table(entries, at: .zero)
        #expect(table.contains { $0.hasSuffix("waiting: backend failed (curl 56), retry in 119 min") })
        #expect(!table.contains { $0.contains("...") }, "nothing of what is said is cut")
        #expect(Self.isFitting(table))
    }

    @Test func aListOfDevicesFits() {
        let device = AudioDevice(
            kind: .microphone, name: "alsa_input.pci-0000_00_1f.3.analog-stereo",
            description: "Built-in Audio Analog Stereo with a long name", isDefault: true, isMuted: true,
            isMonitor: false, sampleRate: 48_000, channelCount: 2)
        let text = DevicesCommand.text([device])
        #expect(text.contains("  *  alsa_input.pci-0000_00_1f.3.analog-stereo  Built-in Audio"))
        #expect(text.contains("...  muted"))
        #expect(Self.isFitting(text.split(separator: "\n").map(String.init)))
    }

    @Test func whatFitsIsNotCutAndTheLastColumnsStay() {
        #expect([["a", "b"], ["long", "1"]].columns(right: 1...1, shrinking: 0) == ["a     b", "long  1"])
        let wide = [["id", "end"], [String(repeating: "x", count: 100), "end"]].columns(shrinking: 0)
        #expect(wide[1] == String(repeating: "x", count: 72) + "...  end")
    }

    private static func isFitting(_ table: [String]) -> Bool {
        let widest = table.map(\.count).max() ?? 0
        if widest > 80 { print(table.joined(separator: "\n")) }
        return widest <= 80
    }
}
