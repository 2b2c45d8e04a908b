import Foundation
import VoiceActivity

/// A detector with its own numbers, fitted without one fold of speakers.
///
/// They are in a JSON file: `likeness`, as `make train-vad` writes it, and `settings`, those of
/// `VoiceDetector.Settings`.
struct FittedDetector: Codable {
    var likeness: SpeechLikeness
    var settings: VoiceDetector.Settings

    init(path: String) {
        do {
            self = try JSONDecoder().decode(FittedDetector.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            fail("\(path) cannot be read as a detector's numbers (\(error))", code: 65)
        }
        if !likeness.isWhole { fail("\(path) lacks some of the numbers of likeness", code: 65) }
    }

    var detector: VoiceDetector { VoiceDetector(settings, likeness: likeness) }
}
