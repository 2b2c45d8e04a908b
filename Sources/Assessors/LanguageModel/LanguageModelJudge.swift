public import Assessment
public import HTTPClient
import SystemSupport
import TextModels

/// A language model that judges words (grammar, vocabulary, and whether they are on the topic) and lists mistakes.
///
/// It is asked several times with different seeds. A mark is the median of the runs, which are all kept. If they differ
/// by more than a band, there is a range instead of a mark. A mark counts only if its quotes are in the transcript. A
/// mistake counts only if more than half of the runs found it.
public struct LanguageModelJudge: Assessor {
    public let source: MarkSource
    public let recipient: String?
    public var needsWords: Bool { true }
    let model: any TextModel
    let runs: Int
    /// The largest difference in bands between runs that still give one mark.
    let widest: Double
    private let prompt = JudgePrompt()

    init(id: String, model: any TextModel, runs: Int, widest: Double, recipient: String?) {
        source = MarkSource(kind: .machine, id: id, version: "\(model.model) \(JudgePrompt().version)")
        self.recipient = recipient
        self.model = model
        self.runs = runs
        self.widest = widest
    }

    public func assess(
        _ answer: AnswerToAssess, _ calls: AssessorCalls
    ) async throws(ServiceFailure) -> AssessorFinding {
        var finding = answer.finding(by: source, sentTo: recipient)
        guard let words = answer.words, !words.text.isEmpty else {
            finding.failure = "it has no transcript"
            return finding
        }
        finding.words = words.digest
        let judged = JudgedMaterial(of: answer, words: words.text)
        finding.suspectInstructions = judged.isSuspect
        guard judged.material.transcript.contains(where: \.isLetter) else {
            finding.failure = "it speaks to its marker, and says nothing else"
            return finding
        }
        let asked = prompt.prompt(for: judged)
        // Names the call by its words, so that the same words are never sent, and paid for, twice.
        let question = SHA256.hexadecimal(of: Array(asked.material.utf8)).prefix(12)
        var heard: [(seed: Int, judgement: CheckedJudgement?)] = []
        for seed in 1...runs {
            let said = try await calls.once("run \(seed) on \(question)", seconds: answer.speech) {
                (key) async throws(ServiceFailure) in
                switch try await model.reply(to: asked, seed: seed, key: key) {
                case .text(let text): text
                case .cutOff, .declined: ""
                }
            }
            let judgement = Judgement(said).map { CheckedJudgement($0, of: words.text, needsQuotes: true) }
            if judgement == nil { finding.drop(.run) }
            heard.append((seed, judgement))
        }
        take(heard, into: &finding, on: answer)
        return finding
    }

    private func take(
        _ judged: [(seed: Int, judgement: CheckedJudgement?)], into finding: inout AssessorFinding,
        on answer: AnswerToAssess
    ) {
        let read = judged.compactMap(\.judgement)
        for trait in JudgePrompt.criteria.map(MarkedTrait.init) + [.topicRelevance] {
            let runs = judged.map { seed, judgement in
                MarkRun(seed: seed, mark: judgement?.marks[trait]?.band, reason: judgement?.marks[trait]?.because)
            }
            finding.evidence.append(
                answer.evidence(of: trait, by: source, runs.outcome(widest: widest), runs: runs))
        }
        for judgement in read {
            finding.dropped.merge(judgement.dropped, uniquingKeysWith: +)
            finding.suspectInstructions = finding.suspectInstructions || judgement.isSuspect
        }
        guard let first = read.first else { return }
        finding.mistakes = Self.agreed(read.map(\.mistakes))
        finding.strengths = Array(first.strengths.prefix(3))
        finding.improvements = Array(first.improvements.prefix(3))
    }

    /// Returns the mistakes in words that more than half of the runs marked, in the wording of the first of these runs.
    /// They are in order and do not overlap.
    private static func agreed(_ runs: [[Mistake]]) -> [Mistake] {
        var agreed: [Mistake] = []
        let all = runs.joined().sorted { ($0.start ?? 0, $0.end ?? 0) < ($1.start ?? 0, $1.end ?? 0) }
        for mistake in all {
            guard let start = mistake.start, let end = mistake.end, start >= agreed.last?.end ?? 0 else { continue }
            let votes = runs.count { run in run.contains { ($0.start ?? 0) < end && start < ($0.end ?? 0) } }
            if votes * 2 > runs.count { agreed.append(mistake) }
        }
        return agreed
    }

    public func preview(of answer: AnswerToAssess) -> [String] {
        let words = answer.words?.text ?? "(what was said)"
        let asked = prompt.prompt(for: JudgedMaterial(of: answer, words: words))
        return [RequestPreview.text(model.request(for: asked, seed: 1)) + "\n(\(runs) times, with seeds 1 to \(runs))"]
    }
}
