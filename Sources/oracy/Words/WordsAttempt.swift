import AddOns
import SystemSupport

/// The trial of a new recogniser, before it takes the place of the old one.
enum WordsAttempt {
    /// - Parameter folder: the new folder.
    /// - Throws: `Problem` if a file did not reach the disk as it should.
    static func run(in folder: String, _ list: Installation) async throws(Problem) {
        if let path = list.damage(in: folder) {
            throw Problem(.unwritable, "\(folder)/\(path): the disk gave back other bytes than were written")
        }
    }
}
