import Foundation
import VoiceActivity

/// Ears with numbers of their own: those that were fitted without one fold of speakers.
///
/// A JSON file holds them: `likeness`, as `make train-ears` writes it, and `settings`, those of `VoiceDetector.Settings`.
struct FittedEars: Codable {
    var likeness: SpeechLikeness
    var settings: VoiceDetector.Settings

    init(path: String) {
        do {
            self = try JSONDecoder().decode(FittedEars.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            fail("\(path) cannot be read as numbers of the ears (\(error))", code: 65)
        }
        if !likeness.isWhole { fail("\(path) lacks some of the numbers of likeness", code: 65) }
    }

    var detector: VoiceDetector { VoiceDetector(settings, likeness: likeness) }
}
