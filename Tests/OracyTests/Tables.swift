import ExamCore
import Foundation
import Testing

@testable import PulseRoom
@testable import SessionFolders
@testable import UploadQueue
@testable import oracy

/// Every table fits the 80 columns of a terminal, with the widest content of the built-in exams: questions with two
/// digits, second attempts, second sessions in a minute.
@Suite struct Tables {
    @Test func aSummaryFits() {
        let ends = [
            "finished", "noAnswer", "timeUp.answer", "timeUp.part", "timeUp.exam", "declared", "withdrawn",
            "deviceLost",
        ]
        let table = Summary.table(ends.map { Self.take("building-and-bridges-12", end: $0) })
        #expect(table[0].hasPrefix("question"))
        #expect(table[1].hasSuffix("part3_q10_a2.opus"))
        #expect(Self.isFitting(table))
        #expect(Summary.table([Self.take("connecting-5")])[1].hasPrefix("connecting-5  "), "no built-in id is cut")
    }

    @Test(arguments: ["2026-11-21-0912-ielts-style-12", "2026-11-21-0912-toefl-2026-2"])
    func aListOfSessionsFits(_ id: String) {
        let folder = SessionFolder(path: "/nowhere/\(id)")
        let states: [SessionSummary.State] = [
            .inUse, .resumable(at: .beginning), .resumable(at: .storing),
            .resumable(at: .turn(part: 3, order: 0, id: "x")), .resumable(at: .turn(part: 3, order: 12, id: "x")),
            .over(.completed), .over(.withdrawn), .over(.outOfTime), .broken("why"),
        ]
        let table = SessionsCommand.table(
            states.map { state in
                var session = SessionSummary(folder)
                session.options = ExamOptions(mode: .practice, part: 3)
                session.state = state
                session.takes = (1...30).map { _ in Self.take("home-1") }
                return session
            })
        #expect(table.count == states.count + 1)
        #expect(table.dropFirst().allSatisfy { $0.hasPrefix(id + "  part 3") }, "an id is to be copied whole")
        #expect(table.contains { $0.contains("  left at part3_q12  ") })
        #expect(Self.isFitting(table))
    }

    @Test func aListOfUploadsFits() {
        let upload = Self.upload(of: "2026-11-21-0912-ielts-style-12")
        let entries = DeliveryFailure.Kind.allCases.flatMap { kind in
            [UploadEntry.State.waiting, .sending, .delivered, .parked, .dropped].map { state in
                UploadEntry(
                    upload: upload, id: UUID(), state: state, attempts: 19, addedAt: "", endedAt: nil,
                    due: .seconds(7_140), failure: DeliveryFailure(kind, code: "curl 56"))
            }
        }
        let table = UploadEntry.table(entries, at: .zero)
        #expect(table.contains { $0.hasSuffix("backend failed (curl 56), retry in 119 min") })
        #expect(!table.contains { $0.contains("...") }, "no spoken words are cut")
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

    /// Any program that uses the sound server may create a device with any name.
    @Test func aDevicesNameCannotCommandTheTerminal() {
        let device = AudioDevice(
            kind: .microphone, name: "evil\u{1B}[2J", description: "One\nline\u{9B}2J", isDefault: false,
            isMuted: false, isMonitor: false, sampleRate: 48_000, channelCount: 1)
        let text = DevicesCommand.text([device])
        #expect(text.contains("evil [2J  One line 2J"))
        #expect(!text.contains { "\u{1B}\u{9B}".contains($0) })
    }

    @Test func textThatFitsIsNotCutAndLastColumnsStay() {
        #expect([["a", "b"], ["long", "1"]].columns(right: 1...1, shrinking: 0) == ["a     b", "long  1"])
        let wide = [["id", "end"], [String(repeating: "x", count: 100), "end"]].columns(shrinking: 0)
        #expect(wide[1] == String(repeating: "x", count: 72) + "...  end")
    }

    private static func take(_ question: String, end: String = "timeUp.answer") -> StoredTake {
        var record = AnswerRecord(
            question: question, part: 3, order: 10, attempt: 2, end: end, duration: Seconds(.seconds(480)),
            speech: Seconds(.seconds(470)))
        record.openedAt = Seconds(.seconds(3_600))
        return StoredTake(record: record, file: "takes/part3_q10_a2.opus", byteCount: 1_900_000, sha256: "")
    }

    private static func upload(of session: String) -> Upload {
        let facts = SessionFacts(id: UUID(), name: session, format: "ielts-style", paper: "bridges", startedAt: "")
        let answer = AnswerRecord(question: "connecting-5", part: 3, order: 10, attempt: 2, end: "finished")
        let file = UploadFile(path: "", byteCount: 812_345, sha256: "", mediaType: "audio/ogg")
        return Upload(id: UUID(), session: facts, content: .answer(answer, file))
    }

    private static func isFitting(_ table: [String]) -> Bool {
        let widest = table.map(\.count).max() ?? 0
        if widest > 80 { print(table.joined(separator: "\n")) }
        return widest <= 80
    }
}
