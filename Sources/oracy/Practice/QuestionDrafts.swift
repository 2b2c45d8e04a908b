import FoundationEssentials
import Glibc
import Learning
import StudyFolders
import SystemSupport

/// Questions that an import did not take, one file each, until the user mends or drops them.
///
/// ```
/// question-drafts/PACK-draft-N.json     one question each: `oracy practice review`
/// ```
struct QuestionDrafts {
    let folder = UserFolders.data + "/question-drafts"

    /// - Throws: `Problem.malformed` with the file and its error.
    func drafts() throws(Problem) -> [ImportDraft] {
        var drafts: [ImportDraft] = []
        for path in OwnItems.files(in: folder) {
            drafts.append(try ImportDraft.read(from: PrivateFile.read(path), name: path))
        }
        return drafts.sorted { ($0.pack, $0.number) < ($1.pack, $1.number) }
    }

    func file(_ draft: ImportDraft) -> String { "\(folder)/\(draft.id).json" }

    /// Stores the drafts of an import in place of those of earlier imports into the same pack.
    func replace(_ drafts: [ImportDraft], of pack: String) throws(Problem) {
        // A file that cannot be read has no pack. It stays for the user to look at.
        for path in OwnItems.files(in: folder) {
            guard let old = try? ImportDraft.read(from: PrivateFile.read(path), name: path), old.pack == pack else {
                continue
            }
            unlink(path)
        }
        for draft in drafts { try UserFile.write(draft, to: file(draft)) }
    }

    func drop(_ draft: ImportDraft) throws(Problem) {
        let path = file(draft)
        guard unlink(path) == 0 || errno == ENOENT else { throw PrivateFile.unwritable(path) }
    }

    /// Adds a mended draft to its pack.
    ///
    /// - Throws: `Problem.malformed` with everything that is still missing or wrong.
    func keep(_ draft: ImportDraft) throws(Problem) -> [String] {
        let own = try OwnPacks().pack(draft.pack)
        let others = (QuestionPack.builtIn + OwnPacks().packs()).filter { $0.id != draft.pack }.flatMap(\.questions)
        let new: PackImport
        do throws(PackMistakes) { new = try draft.mended(into: own, others: others) } catch {
            let lines = error.mistakes.map(\.sentence)
            throw Problem(
                .malformed, (lines + ["to mend it, edit \(file(draft)), then try again"]).joined(separator: "\n"))
        }
        var pack = new.pack
        if let own { (pack.title, pack.questions) = (own.title, own.questions + pack.questions) }
        try OwnPacks().write(pack)
        try drop(draft)
        return new.filled.sentences(topic: FilledFacts.topic(ofPack: draft.pack)) + new.flaws.map(\.sentence)
    }
}

extension ImportDraft {
    /// The number at the end of its id. Drafts are listed in the order of their file.
    fileprivate var number: Int { id.split(separator: "-").last.flatMap { Int($0) } ?? 0 }
}
