import Foundation
import Glibc
import SystemSupport

/// Files of this node that one piece of work needs and nobody else: recordings that were fetched to be decoded or heard, and their samples.
/// A process that is killed leaves those that it had.
struct ScratchFiles: Sendable {
    let settings: ServerSettings

    /// Longer than any work on one recording, seconds: an assessor that is asked for a day is asked anew after that.
    private static let longestWork: TimeInterval = 86_400

    /// Removes all of them. Only before this node works: the node's folder is one process's.
    ///
    /// - Returns: how many there were.
    @discardableResult func removeAll() -> Int { remove { _ in true } }

    /// Removes those that no work needs any more, by their age.
    @discardableResult func removeOld(now: Date = Date()) -> Int {
        remove { now.timeIntervalSince($0) > Self.longestWork }
    }

    /// Those that are there.
    var paths: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: settings.uploadFolder)) ?? []).map {
            "\(settings.uploadFolder)/\($0)"
        }
    }

    private func remove(if mayGo: (Date) -> Bool) -> Int {
        paths.count { path in
            guard let facts = FileFacts(at: path), facts.isFile,
                mayGo(Date(timeIntervalSince1970: Double(facts.changedAt.secondsSince1970)))
            else { return false }
            return unlink(path) == 0
        }
    }
}
