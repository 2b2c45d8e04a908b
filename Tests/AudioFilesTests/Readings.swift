import AudioFiles
import Dispatch
import Foundation
import Synchronization
import Testing

/// Reading files of 16 bits, also on many threads.
@Suite struct Readings {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "oracy-reading-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func everyValueOf16BitsIsReadToTheBit() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let values = (Int16.min...Int16.max).map { Float($0) / 32_768 }
        for encoding in [SoundFileWriter.Encoding.wav, .flac] {
            let path = folder.appending(path: "values").path
            let writer = try SoundFileWriter(path: path, encoding: encoding)
            try writer.write(values[...])
            try writer.close(durably: false)
            var read = [Float](repeating: .nan, count: values.count)
            #expect(try SoundFileReader(path: path).read(values.count, into: &read) == values.count)
            #expect(read == values)
        }
    }

    @Test func eachFailureHasTheReasonOfItsOwnFile() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (sound, text) = (folder.appending(path: "sound").path, folder.appending(path: "text").path)
        try Data(WAVBytes.of([Float](repeating: 0.1, count: 320))).write(to: URL(filePath: sound))
        try Data("no sound at all".utf8).write(to: URL(filePath: text))
        let reasons = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 2_000) { number in
            do throws(SoundFileError) {
                _ = try SoundFileReader(path: number % 2 == 0 ? sound : text)
            } catch {
                _ = reasons.withLock { $0.insert(error.reason) }
            }
        }
        #expect(reasons.withLock { $0.count } == 1)
    }
}
