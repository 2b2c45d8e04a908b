import Foundation
import Hearing
import HearingWorker
import TestSupport

/// A worker that replays replies: a program of its own, so that it can die.
struct ReplayedWorker {
    let folder: TemporaryFolder
    let files: WordsFiles

    /// - Parameter script: a line for each request; see `Tests/WordsReplay/main.swift`.
    init(_ script: String..., features: [String] = [], hasPhones: Bool = false) throws {
        folder = try TemporaryFolder()
        let model = try folder.file(Array(script.joined(separator: "\n").utf8))
        files = WordsFiles(
            modelName: "replay",
            start: HearingStart(
                library: "/nowhere", model: model,
                phones: hasPhones ? .init(library: "/nowhere", model: "/nowhere") : nil),
            libraryVersion: "1.8.5", neededFeatures: features)
    }

    func hearer(_ change: (inout Hearer.Limits) -> Void = { _ in }) -> Hearer {
        var limits = Hearer.Limits()
        change(&limits)
        return Hearer(files, program: ReplayedWords.program, limits: limits)
    }

    /// The requests in the order in which workers got them.
    var requests: [(piece: Int, samples: Int, language: String, process: Int)] {
        let text = (try? String(contentsOfFile: files.start.model + ".log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count == 4, let piece = Int(fields[0]), let samples = Int(fields[1]),
                let process = Int(fields[3])
            else { return nil }
            return (piece, samples, String(fields[2]), process)
        }
    }
}

extension PieceToHear {
    /// A piece whose first sample is its number.
    init(_ number: Int16, party: String = "", seconds: Double = 1, weight: Double = 1) {
        let count = Int(seconds * 16_000)
        self.init(
            samples: [number] + Array(repeating: 0, count: count - 1), language: "en", party: party, weight: weight)
    }
}
