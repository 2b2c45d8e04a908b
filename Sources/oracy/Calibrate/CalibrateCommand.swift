import ArgumentParser
import Assessment
import Assessors
import FoundationEssentials
import Hearing
import SystemSupport

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Compare the measures of speech with recordings that people marked.",
        discussion: """
            FOLDER contains marks.csv. Its first line names the columns: file and fluency (a mark from 0 to 10; the \
            mean if several people marked) and, if known, speaker, age and syllables (of the text that was read). \
            Recordings of children under 16 are counted but not judged.

            The command shows how well syllables are counted, how well the index agrees with people's marks, and how \
            far disturbances move the index. Agreement is shown twice: with calibrations that were fitted without the \
            speaker in question, and with the one in use. [In brackets]: the range of the figure in 95 of 100 draws of \
            other speakers.
            """)

    @Argument(help: "The folder with marks.csv and the recordings.")
    var folder: String

    @Option(help: ArgumentHelp("Fit a calibration to the folder, and write it to this file.", valueName: "file"))
    var fit: String?

    @Option(help: ArgumentHelp("The calibration's name: letters, digits and hyphens.", valueName: "name"))
    var name = "own"

    @Option(help: ArgumentHelp("The calibration to compare. Default: the built-in one.", valueName: "file"))
    var calibration: String?

    @Flag(
        help: """
            Also judge the rate and clarity of phones, which the recogniser of phones hears (oracy words install \
            --phones). Takes about a second for four of recordings.
            """)
    var phones = false

    @Flag(
        help: """
            Judge how well texts were read instead: by the columns text and accuracy (a mark from 0 to 10) of marks.csv, \
            with the recogniser of phones.
            """)
    var reading = false

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard !reading || calibration == nil && !phones else {
            throw ValidationError("--reading has a calibration of its own: leave out --calibration and --phones.")
        }
        guard !name.isEmpty, name.count <= 60,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { throw ValidationError("--name: use up to 60 letters, digits and hyphens.") }
    }

    func run() async throws {
        try await failing {
            let ear = phones || reading ? try PhoneEar() : nil
            if reading, let ear { return try judgeReading(ear) }
            let usual = phones ? DeliveryCalibration.builtInWithPhones : .builtIn
            let inUse = try calibration.map { path throws(Problem) in try DeliveryCalibration(file: path) } ?? usual
            if let fit { try OutputFile.checkPlace(fit) }
            let marked = try MarkedFolder(folder)
            guard !marked.recordings.isEmpty else {
                throw Problem(.malformed, "\(folder)/marks.csv: names no recordings; add a line for each")
            }
            let figures = try CalibrationFigures(marked, inUse, ear)
            print(json ? JSONText.of(figures) : figures.lines.joined(separator: "\n"), whole: json)
            guard let fit else { return }
            try write(CalibrationFit(figures.adults, features: figures.features), to: fit)
        }
    }

    /// Shows how well marks for reading agree with people's.
    private func judgeReading(_ ear: PhoneEar) throws(Problem) {
        if let fit { try OutputFile.checkPlace(fit) }
        guard let pronunciations = try WordsHere.installed()?.pronunciations else {
            throw Problem(.missing, "no dictionary of pronunciations is installed; run oracy words install --phones")
        }
        let figures = try ReadingFigures(MarkedFolder(folder), .reading, ear, pronunciations)
        print(json ? JSONText.of(figures) : figures.lines.joined(separator: "\n"), whole: json)
        if let fit { try write(figures.fit, to: fit) }
    }

    /// Fits a calibration, and writes it to a file.
    ///
    /// - Throws: `Problem` if there are too few samples, or if the file cannot be written.
    private func write(_ samples: CalibrationFit, to fit: String) throws(Problem) {
        guard samples.isEnough else {
            throw Problem(
                .malformed,
                "\(folder): a fit needs \(CalibrationFit.leastSamples) recordings of \(CalibrationFit.leastSpeakers) adults; there are \(samples.samples.count) of \(Set(samples.samples.map(\.speaker)).count)"
            )
        }
        let fitted = samples.calibration(named: name, corpus: "\(folder), \(samples.samples.count) recordings")
            .identified
        try OutputFile.replace(fit, with: String(decoding: JSONFile.encode(fitted), as: UTF8.self) + "\n")
        let use = reading ? "" : " To use it: ORACY_CALIBRATION=\(fit.quotedForShell)"
        if !json { print("\(fitted.id) is in \(fit).\(use)") }
    }
}
