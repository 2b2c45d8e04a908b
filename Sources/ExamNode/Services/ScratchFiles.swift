package import Foundation
import Glibc
import SystemSupport

/// Temporary files of this node that belong to one piece of work: recordings that were fetched for decoding or
/// listening, and their samples. A killed process leaves its files behind.
package struct ScratchFiles: Sendable {
    package let settings: ServerSettings

    package init(settings: ServerSettings) { self.settings = settings }

    /// The age in seconds at which a file is no longer in use: no work on one recording takes as long. An assessor that
    /// works for a day is asked again.
    private static let longestWork: TimeInterval = 86_400

    /// Removes all files. Call it only before this node starts work: the folder belongs to one process.
    ///
    /// - Returns: the number of removed files.
    @discardableResult package func removeAll() -> Int { remove { _ in true } }

    /// Removes the files that are too old for any work to need them.
    @discardableResult package func removeOld(now: Date = Date()) -> Int {
        remove { now.timeIntervalSince($0) > Self.longestWork }
    }

    /// The paths of the existing files.
    package var paths: [String] {
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
