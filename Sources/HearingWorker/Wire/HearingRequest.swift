/// The version of the lines between a worker and the program that started it. Both sides say theirs first, because an
/// update may replace one program while the other one runs.
package let hearingProtocol = 1

/// The first line to a worker: the files to load. Later lines name no file, because the worker closes itself off first.
package struct HearingStart: Codable, Equatable, Sendable {
    /// The files that recognise phones.
    package struct Phones: Codable, Equatable, Sendable {
        /// The path of `libhama.so`.
        package var library: String
        /// The path of its model.
        package var model: String

        package init(library: String, model: String) {
            self.library = library
            self.model = model
        }
    }

    package var `protocol` = hearingProtocol
    /// The path of whisper.cpp's library. The libraries that it needs are in the same folder.
    package var library: String
    /// The path of the model, in whisper.cpp's format.
    package var model: String
    /// Nil if words are not aligned by phones.
    package var phones: Phones?

    package init(library: String, model: String, phones: Phones? = nil) {
        self.library = library
        self.model = model
        self.phones = phones
    }
}

/// A later line to a worker, with exactly one of the fields.
package struct HearingRequest: Codable, Equatable, Sendable {
    /// A piece of a recording. Its samples follow the line: 16 bits each, little endian, 16 kHz, mono.
    package struct Hear: Codable, Equatable, Sendable {
        /// A number that the reply repeats.
        package var id: Int
        /// The number of samples: 0.1 to 30 s.
        package var samples: Int
        /// The language as Whisper names it: `en`.
        package var language: String
        /// The passes to make, in order.
        package var passes: [HearingPass]
        /// The most tokens of a pass, 1 to 200.
        package var mostTokens: Int

        package init(id: Int, samples: Int, language: String, passes: [HearingPass], mostTokens: Int) {
            self.id = id
            self.samples = samples
            self.language = language
            self.passes = passes
            self.mostTokens = mostTokens
        }
    }

    /// Words to place in the piece that was heard last.
    package struct Align: Codable, Equatable, Sendable {
        package var id: Int
        /// The numbers of each word's phones. Empty for a word whose pronunciation is unknown.
        package var words: [[Int]]

        package init(id: Int, words: [[Int]]) {
            self.id = id
            self.words = words
        }
    }

    package var hear: Hear?
    package var align: Align?

    package init(hear: Hear) { self.hear = hear }
    package init(align: Align) { self.align = align }
}

/// One way to hear a piece.
package enum HearingPass: String, Codable, CaseIterable, Sendable {
    /// Without a prompt: the recogniser leaves out fillers and repetitions.
    case plain
    /// With a prompt of fillers, so that the recogniser writes them, too.
    case verbatim
}
