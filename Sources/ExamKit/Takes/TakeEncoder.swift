import AudioFiles
import Dispatch
import ExamCore
import Glibc
import SessionFolders
import SystemSupport

/// Makes the final file of a closed take: reads lossless sound, writes Ogg/Opus.
///
/// Encoding takes about 1.7 ms per second of sound: a fifth of a second for two minutes. It therefore runs on its own
/// threads, one per core for the whole process, and the exam's loop never waits for it.
struct TakeEncoder: Sendable {
    var folder: SessionFolder
    var storing: AnswerRecorder.Storing

    static let queues = (0..<max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))).map {
        DispatchQueue(label: "oracy.encoder.\($0)", qos: .utility)
    }

    /// - Parameter isEncoded: Whether the arrived packets are already a file of the take. That file is not in its place
    ///   yet.
    /// - Returns: The take with its final file, size and digest, and the problem that kept it from being encoded. A
    ///   take that cannot be encoded, for want of space for example, stays a WAV: nothing that was recorded is lost.
    /// - Throws: `Problem` if the take's own file cannot be read.
    func store(_ take: StoredTake, isEncoded: Bool) async throws -> (StoredTake, Problem?) {
        // The hash includes the session, because exams that began together answer the same question at the same time.
        let queue = Self.queues[abs((folder.path + take.file).hashValue % Self.queues.count)]
        return try await withCheckedThrowingContinuation { done in
            queue.async { done.resume(with: Result { try encode(take, isEncoded: isEncoded) }) }
        }
    }

    private func encode(_ take: StoredTake, isEncoded: Bool) throws(Problem) -> (StoredTake, Problem?) {
        var take = take
        var trouble: Problem?
        // In a resumed session, some takes are encoded already. An empty take stays WAV: there is nothing to encode,
        // and libsndfile can't open an Opus file without samples.
        if storing == .opus && take.file != take.encodedFile && take.duration.duration > .zero {
            do throws(Problem) {
                take.file = try put(take, isEncoded: isEncoded)
            } catch {
                let kept = "\(folder.path)/\(take.file)"
                try PrivateFile.synchronize(kept)
                trouble = Problem(.unwritable, "\(error.sentence); the answer is kept as \(kept)")
            }
        }
        (take.byteCount, take.sha256) = try PrivateFile.digest("\(folder.path)/\(take.file)")
        return (take, trouble)
    }

    /// - Parameter isEncoded: Whether the arrived packets are already a file of the take.
    /// - Returns: The new file, in the session's folder. The old one is gone.
    private func put(_ take: StoredTake, isEncoded: Bool) throws(Problem) -> String {
        let source = "\(folder.path)/\(take.file)"
        let encoded = take.encodedFile
        let part = folder.unfinished(encoded)
        do throws(Problem) {
            if isEncoded && holds(part, AudioFormat.sampleCount(in: take.duration.duration)) {
                try PrivateFile.synchronize(part)
            } else {
                try withSound { () throws(SoundFileError) in try encode(source, to: part) }
            }
        } catch {
            unlink(part)
            throw error
        }
        try PrivateFile.move(part, to: "\(folder.path)/\(encoded)")
        unlink(source)
        return encoded
    }

    private func encode(_ source: String, to part: String) throws(SoundFileError) {
        let reader = try SoundFileReader(path: source)
        let writer = try OpusFileWriter(path: part, bitRate: AnswerRecorder.opusBitRate)
        try writer.write(reader)
        try writer.close(durably: true)
        guard holds(part, reader.frameCount) else {
            let reason = "was encoded, and has not its \(reader.frameCount) samples"
            throw SoundFileError(kind: .unwritable, path: part, reason: reason)
        }
    }

    /// Returns whether a reader finds exactly `count` samples in a file.
    private func holds(_ path: String, _ count: Int) -> Bool {
        (try? SoundFileReader(path: path).frameCount) == count
    }
}
