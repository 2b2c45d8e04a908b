import Assessors
import FoundationEssentials
import Glibc
import Papers
import SystemSupport

/// Items that models wrote and that the user has not reviewed yet.
///
/// ```
/// bank-drafts/ID.json     one item each: `oracy papers review`
/// bank-writing.json       the generation that is running or was stopped
/// ```
struct DraftShelf {
    struct Draft {
        var path: String
        var item: BankItem
    }

    /// A generation and the model that it asks. The key itself is never part of it.
    struct Job: Codable {
        var entry: AssessorEntry
        var generation: Generation<ItemWish>
    }

    var desk = PaperDesk()
    private let folder = UserFolders.data + "/bank-drafts"
    private let jobFile = UserFolders.data + "/bank-writing.json"

    /// - Throws: `Problem.malformed` with the file and its error.
    func drafts() throws(Problem) -> [Draft] {
        var drafts: [Draft] = []
        for path in OwnItems.files(in: folder) {
            drafts.append(Draft(path: path, item: try ItemBank.item(from: PrivateFile.read(path), name: path)))
        }
        return drafts
    }

    /// - Parameter id: The draft to leave out, so that it isn't compared with itself.
    func known(without id: String? = nil) throws(Problem) -> KnownItems {
        KnownItems(bank: try desk.bank(), drafts: try drafts().map(\.item).filter { $0.id != id })
    }

    func add(_ item: BankItem) throws(Problem) {
        try UserFile.write(item, to: "\(folder)/\(item.id).json")
    }

    /// Moves a draft to the user's own bank.
    ///
    /// - Throws: `Problem.malformed` if the draft violates a rule.
    func keep(_ draft: Draft) throws(Problem) {
        if let finding = try findings(draft).first {
            throw Problem(.malformed, "\(draft.path): \(finding.sentence); correct the file, or delete it")
        }
        try UserFile.write(draft.item, to: "\(desk.folder)/\(draft.item.id).json")
        try drop(draft)
    }

    func drop(_ draft: Draft) throws(Problem) {
        guard unlink(draft.path) == 0 || errno == ENOENT else { throw PrivateFile.unwritable(draft.path) }
    }

    /// Returns the rules that the draft violates at present.
    func findings(_ draft: Draft) throws(Problem) -> [ItemFinding] {
        let known = try known(without: draft.item.id)
        var found = draft.item.findings(beside: known)
        if known.bank[draft.item.id] != nil {
            found.append(ItemFinding(rule: "label", field: "id", what: "is already the id of another item in the bank"))
        }
        return found
    }

    // MARK: - The generation in progress

    /// - Throws: `Problem.missing` if no generation was stopped.
    func job() throws(Problem) -> Job {
        guard access(jobFile, F_OK) == 0 else {
            throw Problem(.missing, "there is nothing to resume; to start: oracy papers new --from ollama --model NAME")
        }
        return try UserFile.read(Job.self, from: jobFile)
    }

    func write(_ job: Job) throws(Problem) { try UserFile.write(job, to: jobFile) }

    func forgetJob() { unlink(jobFile) }
}
