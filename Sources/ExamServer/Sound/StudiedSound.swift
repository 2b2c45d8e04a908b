import Assessment
import ExamCore
import ExamStore
import Foundation
import Glibc
import SystemSupport

/// What a worker found in the recording of an answer.
struct StudiedSound: Sendable {
    let sound: MeasuredSound
    /// Full scale 1.
    let peaks: [Double]
    /// What the recording lacks, a sentence each without its subject; empty if it was measured before.
    let warnings: [String]
    /// The sound as WAV, 16 kHz mono, for assessors that hear it; nil if nobody does.
    let samples: ScratchFile?

    /// - Parameters:
    ///   - known: what was measured before.
    ///   - heardHere: whether an assessor hears the sound in this process.
    init(
        of file: borrowing FetchedFile, _ response: TestResponse, known: MeasuredSound?, heardHere: Bool, owner: UUID,
        _ services: Services
    ) async throws(SoundWorkers.Failure) {
        if let known, let peaks = response.peaks, !heardHere {
            (sound, self.peaks, warnings, samples) = (known, peaks, [], nil)
            return
        }
        let scratch = heardHere ? ScratchFile(in: services.settings.uploadFolder) : nil
        let (found, _) = try await services.sound.perform(
            .study(leadIn: response.record.leadIn, samples: scratch?.path), on: file.path,
            byteCount: file.byteCount, for: owner)
        guard let sound = known ?? found.sound, let peaks = found.peaks else { throw .fatal }
        self.sound = sound
        self.peaks = response.peaks ?? peaks
        warnings = known == nil ? found.warnings : []
        samples = scratch
    }
}

/// A path for a file that goes with this value.
final class ScratchFile: Sendable {
    let path: String

    /// - Parameter folder: one that is swept when the server starts: a killed server leaves what it had.
    init(in folder: String) {
        path = "\(folder)/\(UUID().name)"
    }

    deinit { unlink(path) }
}
