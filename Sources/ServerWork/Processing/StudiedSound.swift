import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import Glibc
import RecordingStores
import SystemSupport

/// A worker's findings about the recording of an answer.
struct StudiedSound: Sendable {
    let sound: MeasuredSound
    /// Peaks on a scale where full scale is 1.
    let peaks: [Double]
    /// The recording's defects: a sentence each, without its subject. Empty if it was measured before.
    let warnings: [String]
    /// The sound as WAV, 16 kHz mono, for assessors that listen to it; nil if no assessor does.
    let samples: ScratchFile?

    /// - Parameters:
    ///   - known: the earlier measurements.
    ///   - heardHere: whether an assessor listens to the sound in this process.
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

/// A file that is removed together with this value.
final class ScratchFile: Sendable {
    let path: String

    /// - Parameter folder: a folder that the server sweeps when it starts, since a killed server leaves its files
    ///   behind.
    init(in folder: String) {
        path = "\(folder)/\(UUID().name)"
    }

    deinit { unlink(path) }
}
