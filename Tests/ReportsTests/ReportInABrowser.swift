import AudioFiles
import Foundation
import TestSupport
import Testing

@testable import Reports

/// Tests of the report page in Debian's Chromium, with sound that identifies each second.
@Suite(.needs(Trials.browserObstacle)) struct ReportInABrowser {
    /// Writes a file with a tone of 300 + 100 n Hz in its second n, as `reader.py` expects it.
    private static func tones(seconds: Int, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/tones.wav"
        var phase = 0.0
        let samples = (0..<seconds * 16_000).map { index in
            phase += 2 * .pi * (300 + 100 * Double(index / 16_000)) / 16_000
            return Float(0.3 * sin(phase))
        }
        try GrowingWAV(path: path).append(samples)
        return path
    }

    /// Playing starts at the right second wherever the axis is pressed. The page works by keyboard, at 320 px, in dark
    /// mode and printed. It loads nothing from outside, and axe reports no problem.
    @Test func aReportIsReadAndHeard() async throws {
        let folder = try TemporaryFolder()
        let take = try Self.tones(seconds: 14, in: folder)
        let sound = ReportedSound(mediaType: "audio/mpeg", bytes: try SoundAsMP3.convert(take))
        var content = MadeExam.content(recording: sound)
        content.answers[0].promptPeaks = (0..<40).map { Double($0 % 8) / 8 }
        let report = folder.path + "/report.html"
        try Data(ReportPage(content).html.utf8).write(to: URL(filePath: report))
        let (status, said) = await Trials.python("reader.py", [report, folder.path + "/report.pdf"])
        #expect(status == 0, "\(said.suffix(2000))")
        let pdf = try Data(contentsOf: URL(filePath: folder.path + "/report.pdf"))
        #expect(pdf.starts(with: Data("%PDF".utf8)))
    }
}
