import Assessors
import ExamKit
import FoundationEssentials
import Glibc
import Papers
import SystemSupport

/// What models wrote and nobody has looked at yet.
///
/// ```
/// bank-drafts/ID.json     an item each: `oracy papers review`
/// bank-writing.json       what is being written, or was stopped
/// ```
struct DraftShelf {
    struct Draft {
        var path: String
        var item: BankItem
    }

    /// A generation with whom it asks; the key itself is never in it.
    struct Job: Codable {
        var entry: AssessorEntry
        var generation: Generation<ItemWish>
    }

    var desk = PaperDesk()
    private let folder = UserFolders.data + "/bank-drafts"
    private let jobFile = UserFolders.data + "/bank-writing.json"

    /// - Throws: `Problem.malformed` with the file and what is wrong in it.
    func drafts() throws(Problem) -> [Draft] {
        var drafts: [Draft] = []
        for path in OwnItems.files(in: folder) {
            drafts.append(Draft(path: path, item: try ItemBank.item(from: PrivateFile.read(path), name: path)))
        }
        return drafts
    }

    /// - Parameter id: that draft does not stand beside itself.
    func known(without id: String? = nil) throws(Problem) -> KnownItems {
        KnownItems(bank: try desk.bank(), drafts: try drafts().map(\.item).filter { $0.id != id })
    }

    func add(_ item: BankItem) throws(Problem) {
        try UserFile.write(item, to: "\(folder)/\(item.id).json")
    }

    /// Puts it into the user's own bank.
    ///
    /// - Throws: `Problem.malformed` where a rule objects.
    func keep(_ draft: Draft) throws(Problem) {
        if let finding = try findings(draft).first {
            throw Problem(.malformed, "\(draft.path): \(finding.sentence); mend the file, or drop it")
        }
        try UserFile.write(draft.item, to: "\(desk.folder)/\(draft.item.id).json")
        try drop(draft)
    }

    func drop(_ draft: Draft) throws(Problem) {
        guard unlink(draft.path) == 0 || errno == ENOENT else { throw PrivateFile.unwritable(draft.path) }
    }

    /// What rules object to, now.
    func findings(_ draft: Draft) throws(Problem) -> [ItemFinding] {
        let known = try known(without: draft.item.id)
        var found = draft.item.findings(beside: known)
        if known.bank[draft.item.id] != nil {
            found.append(ItemFinding(rule: "label", field: "id", what: "is another item's of the bank"))
        }
        return found
    }

    // MARK: - What is being written

    /// - Throws: `Problem.missing` where nothing was stopped.
    func job() throws(Problem) -> Job {
        guard access(jobFile, F_OK) == 0 else {
            throw Problem(.missing, "nothing was stopped: oracy papers new --from ollama --model NAME begins")
        }
        return try UserFile.read(Job.self, from: jobFile)
    }

    func write(_ job: Job) throws(Problem) { try UserFile.write(job, to: jobFile) }

    func forgetJob() { unlink(jobFile) }
}
