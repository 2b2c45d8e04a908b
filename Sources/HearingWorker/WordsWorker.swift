import FoundationEssentials
import Glibc
import SystemSupport

/// The main program of `oracy-words`: a process that recognises words for the program that started it.
///
/// It reads requests from standard input, and writes replies to standard output, each as a line of JSON. It ends when
/// its input ends.
public enum WordsWorker {
    /// The exit code of a worker that cannot work with its files: `EX_UNAVAILABLE`.
    package static let unusable: Int32 = 69

    /// Works until its input ends.
    public static func main() -> Never {
        guard let line = readLine(), let start = try? JSONFile.decodeLine(HearingStart.self, from: Array(line.utf8))
        else { exit(65) }
        do throws(HearingReply.Unusable) {
            let models = try HearingModels(start)
            say(HearingReply(ready: models.ready))
        } catch {
            say(HearingReply(unusable: error))
            exit(unusable)
        }
        while readLine() != nil { exit(65) }
        exit(0)
    }

    private static func say(_ reply: HearingReply) {
        guard let data = try? JSONEncoder().encode(reply), PrivateFile.writeAll(Array(data) + [10], to: STDOUT_FILENO)
        else { exit(74) }
    }
}

/// The models of a worker.
final class HearingModels {
    let whisper: WhisperModel
    /// Nil if words are not aligned by phones.
    let phones: PhoneModel?

    /// Loads the models.
    init(_ start: HearingStart) throws(HearingReply.Unusable) {
        guard start.protocol == hearingProtocol else {
            throw HearingReply.Unusable(
                .protocol, "it speaks version \(hearingProtocol) of the protocol and was asked for \(start.protocol)")
        }
        whisper = try WhisperModel(library: start.library, path: start.model)
        phones = try start.phones.map { (files) throws(HearingReply.Unusable) in try PhoneModel(files) }
    }

    var ready: HearingReply.Ready {
        HearingReply.Ready(
            version: whisper.version, isMultilingual: whisper.isMultilingual, hasPhones: phones != nil)
    }
}
