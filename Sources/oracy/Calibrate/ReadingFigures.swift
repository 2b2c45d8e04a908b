import Assessment
import Hearing
import SystemSupport

/// The agreement between the mark for reading a known text and people's marks of accuracy.
struct ReadingFigures: Encodable {
    var recordings: Int
    var speakers: Int
    /// The agreement of calibrations that were fitted without the speaker.
    var heldOut: CalibrationFigures.Agreement?
    var ofSpeakers: CalibrationFigures.Agreement?
    /// The agreement among the recordings with the higher half of marks.
    var betterHalf: CalibrationFigures.Agreement?
    var ranges: RangeCoverage?
    var error: IndexError?
    /// The agreement of the calibration in use, which was fitted to the speakers of its own corpus.
    var inUse: CalibrationFigures.Agreement?

    /// The samples for a fit.
    let fit: CalibrationFit

    private enum CodingKeys: CodingKey {
        case recordings, speakers, heldOut, ofSpeakers, betterHalf, ranges, error, inUse
    }

    /// Hears the adults' recordings.
    ///
    /// - Throws: `Problem` if a recording cannot be read, or if texts or marks of accuracy are missing.
    init(
        _ marked: MarkedFolder, _ calibration: DeliveryCalibration, _ ear: PhoneEar, _ pronunciations: Pronunciations
    ) throws(Problem) {
        let grown = marked.recordings.filter { $0.age ?? CalibrationFigures.adultAge >= CalibrationFigures.adultAge }
        guard grown.contains(where: { $0.text != nil && $0.accuracy != nil }) else {
            throw Problem(.malformed, "marks.csv has no marks for reading; add the columns text and accuracy")
        }
        let texts = Dictionary(grown.map { ($0.path, $0.text ?? "") }) { first, _ in first }
        let sounds = try MarkedFolder.each(grown) { samples, path in
            let sound = samples.measured(nil)
            guard let heard = ear.hear(texts[path] ?? "", in: samples, sound.timeline, by: pronunciations) else {
                return sound
            }
            var read = sound.with(heard.phones)
            read.features.merge(heard.reading.features) { $1 }
            return read
        }
        let samples = grown.indices.compactMap { index in
            grown[index].accuracy.map {
                CalibrationFit.Sample(speaker: grown[index].speaker, mark: $0, sound: sounds[index])
            }
        }
        fit = CalibrationFit(samples, features: CalibrationFit.namesOfReading)
        recordings = fit.samples.count
        let (marks, names) = (fit.samples.map(\.mark), fit.samples.map(\.speaker))
        speakers = Set(names).count
        let indices = fit.samples.map { calibration.index(of: $0.sound.features) ?? 0 }
        if !indices.isEmpty { inUse = .init(indices, marks, names) }
        guard fit.isEnough else { return }
        let left = fit.heldOut()
        heldOut = .init(left, marks, names)
        ofSpeakers = .init(ofSpeakers: names, left, marks)
        let median = marks.sorted()[marks.count / 2]
        let better = marks.indices.filter { marks[$0] >= median }
        betterHalf = .init(better.map { left[$0] }, better.map { marks[$0] }, better.map { names[$0] })
        ranges = fit.coverage(of: left)
        error = fit.error(of: left)
    }

    var lines: [String] {
        var rows = [["", "rank correlation", "correlation", "mean error"]]
        func row(_ name: String, _ agreement: CalibrationFigures.Agreement?) {
            guard let agreement else { return }
            rows.append([
                name, agreement.spearman?.text ?? "none", agreement.pearson?.text ?? "none",
                "\(agreement.meanError.decimals(2)) of 10",
            ])
        }
        row("accuracy, speakers left out", heldOut)
        row("the same, means of speakers", ofSpeakers)
        row("the same, better half of marks", betterHalf)
        row("accuracy, calibration in use", inUse)
        var lines = ["\(recordings.of("recording")) of \(speakers.of("adult")), read from a text", ""]
        lines += rows.columns(right: 1...3)
        if let ranges, let error {
            lines += ["", ranges.sentence]
            lines.append(
                "variance of the error: \(error.speakerVariance.decimals(3)) of the speaker, \(error.secondVariance.decimals(3)) of a second"
            )
        }
        return lines
    }
}
