package import Assessment
import CHama
import SystemSupport

/// A recogniser of phones, called through libhama. Use it in one thread.
package final class PhoneModel {
    private var hama = oracy_hama()
    private let model: UnsafeMutableRawPointer
    /// The model's file. The library reads it while the model is open.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// The number of values of a frame: the phones, the boundary of words, and the blank.
    static let width = 191

    /// Loads the library and the model.
    package init(_ files: HearingStart.Phones) throws(HearingReply.Unusable) {
        if let why = oracy_hama_load(&hama, files.library) {
            throw HearingReply.Unusable(.phones, String(cString: why))
        }
        let read: [UInt8]
        do throws(Problem) { read = try PrivateFile.read(files.model) } catch {
            throw HearingReply.Unusable(.phones, error.sentence)
        }
        bytes = .allocate(capacity: read.count)
        _ = bytes.initialize(from: read)
        guard let opened = hama.open_model(bytes.baseAddress, bytes.count) else {
            bytes.deallocate()
            throw HearingReply.Unusable(.phones, "\(files.model) is not a model of libhama")
        }
        model = opened
    }

    deinit {
        hama.close_model(model)
        bytes.deallocate()
    }

    /// Returns the phones of a piece, with times in it, and their numbers. Nil if there are none, or if the library fails.
    package func phones(of samples: [Float]) -> (heard: HeardPhones, numbers: [Int])? {
        guard let logs = logarithms(of: samples) else { return nil }
        let frames = PhoneFrames(logs: logs, width: Self.width)
        return frames.heard.map { ($0, frames.phones) }
    }

    /// Returns the logarithmic probabilities of phones: for each frame of 20 ms, `width` values.
    ///
    /// - Parameter samples: mono at 16 kHz, full scale ±1, 15 s at most.
    /// - Returns: nil if the library fails.
    func logarithms(of samples: [Float]) -> [Float]? {
        let most = hama.frames(Int64(samples.count))
        guard most > 0, most < 100_000 else { return nil }
        var logs = [Float](repeating: 0, count: Int(most) * Self.width)
        var frames: Int64 = 0
        guard hama.run(model, samples, Int64(samples.count), &logs, &frames) > 0, (1...most).contains(frames) else {
            return nil
        }
        logs.removeLast(Int(most - frames) * Self.width)
        return logs
    }
}
