import Assessment
import Hearing
import SystemSupport

/// The agreement between measures and people's marks.
struct CalibrationFigures: Encodable {
    /// A figure with the interval in which it would lie for other speakers.
    struct Figure: Encodable {
        var value: Double
        var low: Double?
        var high: Double?

        init?(_ value: Double?, _ interval: ClosedRange<Double>? = nil) {
            guard let value else { return nil }
            self.value = value
            (low, high) = (interval?.lowerBound, interval?.upperBound)
        }

        var text: String {
            guard let low, let high else { return value.decimals(3) }
            return "\(value.decimals(3)) [\(low.decimals(3)), \(high.decimals(3))]"
        }
    }

    struct Agreement: Encodable {
        var spearman: Figure?
        var pearson: Figure?
        /// The mean absolute difference, in marks or syllables.
        var meanError: Double

        init(_ predicted: [Double], _ marks: [Double], _ speakers: [String]) {
            func interval(_ figure: ([Double], [Double]) -> Double?) -> ClosedRange<Double>? {
                Correlation.interval(groups: speakers) { rows in
                    figure(rows.map { predicted[$0] }, rows.map { marks[$0] })
                }
            }
            spearman = Figure(Correlation.spearman(predicted, marks), interval(Correlation.spearman))
            pearson = Figure(Correlation.pearson(predicted, marks), interval(Correlation.pearson))
            meanError = zip(predicted, marks).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(max(marks.count, 1))
        }

        /// Compares the means of each speaker.
        init(ofSpeakers speakers: [String], _ predicted: [Double], _ marks: [Double]) {
            let rows = Dictionary(grouping: speakers.indices) { speakers[$0] }
            let names = rows.keys.sorted()
            func means(_ values: [Double]) -> [Double] {
                names.map { name in rows[name]!.reduce(0) { $0 + values[$1] } / Double(rows[name]!.count) }
            }
            self.init(means(predicted), means(marks), names)
        }
    }

    /// The average change of the index, in marks, for recordings whose words are the same.
    struct Shift: Encodable {
        var of: String
        var recordings: Int
        var marks: Double
    }

    var recordings: Int
    var speakers: Int
    var adultRecordings: Int
    var adultSpeakers: Int
    var calibration: String
    /// Nil if marks.csv has no column of syllables.
    var syllables: Agreement?
    /// The surplus of counted syllables, as a fraction of the true number.
    var syllableBias: Double?
    /// By calibrations that were fitted without the speaker; nil if there are too few speakers.
    var fluencyHeldOut: Agreement?
    /// The same figures for the mean mark and mean index of each speaker.
    var fluencyOfSpeakers: Agreement?
    /// The share of ranges that contain people's marks, for speakers to whom neither index nor range was fitted; nil if
    /// there are too few speakers.
    var ranges: RangeCoverage?
    /// The error that determines the width of ranges; nil if there are too few speakers.
    var error: IndexError?
    /// By the calibration in use.
    var fluency: Agreement?
    /// By the calibration in use, for children, to whom no calibration is fitted.
    var children: Agreement?
    var shifts: [Shift]

    /// The samples for a fit, and the names of the features to fit.
    let adults: [CalibrationFit.Sample]
    let features: [String]

    private enum CodingKeys: CodingKey {
        case recordings, speakers, adultRecordings, adultSpeakers, calibration, syllables, syllableBias, fluencyHeldOut,
            fluencyOfSpeakers, ranges, error, fluency, children, shifts
    }

    /// The minimum age of an adult in years. The built-in calibration was fitted on adults.
    static let adultAge = 16.0

    /// - Parameter ear: hears phones, if the calibration is one with phones.
    /// - Throws: `Problem` if a recording cannot be read.
    init(_ marked: MarkedFolder, _ calibration: DeliveryCalibration, _ ear: PhoneEar?) throws(Problem) {
        let all = marked.recordings
        let sounds = try MarkedFolder.each(all) { $0.measured(ear) }
        features = ear == nil ? CalibrationFit.featureNames : CalibrationFit.namesWithPhones
        recordings = all.count
        speakers = Set(all.map(\.speaker)).count
        self.calibration = calibration.id

        let counted = all.indices.filter { all[$0].syllables != nil }
        if !counted.isEmpty {
            let found = counted.map { Double(sounds[$0].timeline.syllables.count) }
            let told = counted.map { all[$0].syllables! }
            syllables = Agreement(found, told, counted.map { all[$0].speaker })
            let sum = told.reduce(0, +)
            syllableBias = sum > 0 ? found.reduce(0, +) / sum - 1 : nil
        }

        let grown = all.indices.filter { all[$0].age ?? Self.adultAge >= Self.adultAge }
        adults = grown.map { .init(speaker: all[$0].speaker, mark: all[$0].fluency, sound: sounds[$0]) }
        adultRecordings = grown.count
        adultSpeakers = Set(grown.map { all[$0].speaker }).count
        let fit = CalibrationFit(adults, features: features)
        let (marks, names) = (fit.samples.map(\.mark), fit.samples.map(\.speaker))
        if fit.isEnough {
            let heldOut = fit.heldOut()
            fluencyHeldOut = Agreement(heldOut, marks, names)
            fluencyOfSpeakers = Agreement(ofSpeakers: names, heldOut, marks)
            ranges = fit.coverage(of: heldOut)
            error = fit.error(of: heldOut)
        }
        let indices = fit.samples.map { calibration.index(of: $0.sound.features) ?? 0 }
        if !indices.isEmpty { fluency = Agreement(indices, marks, names) }
        let young = all.indices.filter { !grown.contains($0) }.compactMap { place in
            calibration.index(of: sounds[place].features).map { (index: $0, recording: all[place]) }
        }
        if !young.isEmpty {
            children = Agreement(young.map(\.index), young.map(\.recording.fluency), young.map(\.recording.speaker))
        }

        shifts = []
        let clean = grown.map { calibration.index(of: sounds[$0].features) }
        for disturbance in Disturbance.allCases {
            let disturbed = try MarkedFolder.each(grown.map { all[$0] }) {
                disturbance.applied(to: $0).measured(ear).features
            }
            shifts += [Self.shift(disturbance.words, clean, disturbed.map { calibration.index(of: $0) })]
        }
        shifts += try Self.joined(grown.map { (all[$0], sounds[$0]) }, calibration, ear)
    }

    private static func shift(_ what: String, _ clean: [Double?], _ other: [Double?]) -> Shift {
        let pairs = zip(clean, other).compactMap { clean, other in clean.flatMap { clean in other.map { $0 - clean } } }
        return Shift(of: what, recordings: pairs.count, marks: pairs.reduce(0, +) / Double(max(pairs.count, 1)))
    }

    /// Joins five recordings of each speaker, each cut to its speech, and compares the index of the result with the
    /// mean of the five.
    private static func joined(
        _ recordings: [(MarkedFolder.Recording, MeasuredSound)], _ calibration: DeliveryCalibration, _ ear: PhoneEar?
    ) throws(Problem) -> [Shift] {
        let bySpeaker = Dictionary(grouping: recordings) { $0.0.speaker }
        var (clean, joined): ([Double?], [Double?]) = ([], [])
        for speaker in bySpeaker.keys.sorted() {
            let own = bySpeaker[speaker]!
            for start in stride(from: 0, through: own.count - 5, by: 5) {
                let five = own[start..<(start + 5)]
                let indices = five.compactMap { calibration.index(of: $0.1.features) }
                guard indices.count == 5 else { continue }
                var samples: [Float] = []
                for (recording, sound) in five {
                    guard let span = sound.timeline.span else { continue }
                    let whole = try MarkedFolder.samples(recording.path)
                    samples += whole[Int(span.start * 16_000)..<min(Int(span.end * 16_000), whole.count)]
                }
                clean.append(indices.reduce(0, +) / 5)
                joined.append(calibration.index(of: samples.measured(ear).features))
            }
        }
        return clean.isEmpty ? [] : [shift("five joined", clean, joined)]
    }

    // MARK: - Text

    var lines: [String] {
        var lines = [
            "\(recordings.of("recording")) of \(speakers.of("speaker")); \(adultRecordings) of \(adultSpeakers.of("adult"))",
            "",
        ]
        var rows = [["", "rank correlation", "correlation", "mean error"]]
        func row(_ name: String, _ agreement: Agreement?, _ unit: String) {
            guard let agreement else { return }
            rows.append([
                name, agreement.spearman?.text ?? "none", agreement.pearson?.text ?? "none",
                "\(agreement.meanError.decimals(2)) \(unit)",
            ])
        }
        row("syllables", syllables, "syllables")
        row("fluency, speakers left out", fluencyHeldOut, "of 10")
        row("the same, means of speakers", fluencyOfSpeakers, "of 10")
        row("fluency, \(calibration)", fluency, "of 10")
        row("children, \(calibration)", children, "of 10")
        lines += rows.columns(right: 1...3)
        if let ranges { lines += ["", ranges.sentence] }
        if let syllableBias {
            lines.append("")
            lines.append("syllables counted: \((syllableBias * 100).signed(1)) % compared with the texts")
        }
        if fluencyHeldOut == nil {
            lines.append("")
            lines.append(
                "speakers left out: needs \(CalibrationFit.leastSamples) recordings of \(CalibrationFit.leastSpeakers) adults"
            )
        }
        lines += ["", "the index moves by (of 10)"]
        lines += shifts.map { ["  " + $0.of, $0.marks.signed(2), $0.recordings.of("recording")] }.columns(right: 1...1)
        return lines
    }
}

extension RangeCoverage {
    /// The figures in words.
    var sentence: String {
        func percent(_ share: Double) -> String { "\((100 * share).decimals(0)) %" }
        return "ranges made to hold \(percent(stated)) of marks, speakers left out: "
            + "\(percent(samples)) of recordings (width \(samplesWidth.decimals(2))), "
            + "\(percent(speakers)) of speakers (width \(speakersWidth.decimals(2)))"
    }
}

extension [Float] {
    /// Returns the measurements of 16 kHz mono samples, with the phones that an ear hears in them.
    func measured(_ ear: PhoneEar?) -> MeasuredSound {
        var measurer = SoundMeasurer()
        withUnsafeBufferPointer { measurer.hear($0) }
        let sound = measurer.measured()
        return sound.with(ear?.hear(self, in: sound.timeline))
    }
}

extension Double {
    /// Formats the number with exactly `digits` decimals.
    func decimals(_ digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let whole = Int((abs(self) * Double(scale)).rounded())
        let fraction = String(whole % scale)
        let sign = self < 0 && whole > 0 ? "-" : ""
        return digits == 0
            ? "\(sign)\(whole)"
            : "\(sign)\(whole / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Formats the number with its sign and exactly `digits` decimals.
    func signed(_ digits: Int) -> String {
        let text = decimals(digits)
        return text.hasPrefix("-") ? text : "+" + text
    }
}
