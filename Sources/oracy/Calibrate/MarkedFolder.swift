import AudioFiles
import Dispatch
import SessionFolders
import Synchronization
import SystemSupport

/// A folder of recordings with people's marks: `marks.csv` and the files that it names.
struct MarkedFolder {
    struct Recording {
        var path: String
        /// The recording's own name if the speaker is unknown, so that each counts as a different speaker.
        var speaker: String
        /// The speaker's age in years; nil if unknown.
        var age: Double?
        /// The mark, 0 … 10.
        var fluency: Double
        /// The number of syllables in the text.
        var syllables: Double?
        /// The text that was read.
        var text: String?
        /// The mark for reading it accurately, 0 … 10.
        var accuracy: Double?
    }

    let recordings: [Recording]

    /// - Throws: `Problem`: `missing`; `malformed` with the line and the column.
    init(_ folder: String) throws(Problem) {
        let file = folder + "/marks.csv"
        let table = try CSVRows(PrivateFile.read(file), file: file)
        let (name, fluency) = (try table.column("file"), try table.column("fluency"))
        let speaker = table.names.firstIndex(of: "speaker")
        let age = table.names.firstIndex(of: "age")
        let syllables = table.names.firstIndex(of: "syllables")
        let (text, accuracy) = (table.names.firstIndex(of: "text"), table.names.firstIndex(of: "accuracy"))
        var recordings: [Recording] = []
        for row in table.rows {
            var recording = Recording(
                path: "\(folder)/\(row.fields[name])", speaker: speaker.map { row.fields[$0] } ?? row.fields[name],
                fluency: try table.number(row, fluency, in: 0...10))
            if let age, !row.fields[age].isEmpty { recording.age = try table.number(row, age, in: 0...120) }
            if let syllables, !row.fields[syllables].isEmpty {
                recording.syllables = try table.number(row, syllables, in: 0...100_000)
            }
            recording.text = text.map { row.fields[$0] }
            if let accuracy, !row.fields[accuracy].isEmpty {
                recording.accuracy = try table.number(row, accuracy, in: 0...10)
            }
            recordings.append(recording)
        }
        self.recordings = recordings
    }

    /// Reads the sound of a recording as 16 kHz mono.
    ///
    /// - Throws: `Problem`, as reading a recording does.
    static func samples(_ path: String) throws(Problem) -> [Float] {
        do throws(SoundFileError) {
            let reader = try BlockReader(path: path)
            var samples: [Float] = []
            while let block = try reader.next() { samples += block.samples.prefix(reader.sampleCount - samples.count) }
            return samples
        } catch {
            throw Problem(error)
        }
    }

    /// Processes each recording's sound, on all cores.
    ///
    /// - Throws: The first problem, in the order of the file.
    static func each<Found: Sendable>(
        _ recordings: [Recording], _ find: @escaping @Sendable ([Float]) -> Found
    ) throws(Problem) -> [Found] {
        try each(recordings) { samples, _ in find(samples) }
    }

    /// The same, with the path of each recording.
    static func each<Found: Sendable>(
        _ recordings: [Recording], _ find: @escaping @Sendable ([Float], String) -> Found
    ) throws(Problem) -> [Found] {
        let found = Mutex([Int: Result<Found, Problem>]())
        let paths = recordings.map(\.path)
        DispatchQueue.concurrentPerform(iterations: paths.count) { index in
            let result = Result { () throws(Problem) in find(try samples(paths[index]), paths[index]) }
            found.withLock { $0[index] = result }
        }
        let results = found.withLock { $0 }
        var values: [Found] = []
        for index in paths.indices { values.append(try results[index]!.get()) }
        return values
    }
}
