import ArgumentParser
import Assessors
import Glibc
import HTTPClient
import Papers
import SystemSupport

/// The choice of a model and its provider.
struct ModelArguments: ParsableArguments {
    enum Source: String, ExpressibleByArgument, CaseIterable { case bank, ollama, openai, mlx }

    @Option(help: "The source of questions: the bank, or a model.")
    var from: Source = .bank

    @Option(help: "The model that writes: llama3.1:8b.")
    var model: String?

    @Option(help: "The model's address. Default: http://localhost:11434 or https://api.openai.com/v1.")
    var address: String?

    @Option(help: "Seconds that one item may take, 1 to 3,600.")
    var seconds = 60

    @Option(help: ArgumentHelp("A file that contains only the key.", valueName: "file"))
    var keyFile: String?

    @Option(help: ArgumentHelp("An environment variable that holds the key.", valueName: "name"))
    var keyVariable: String?

    @Option(help: "Who runs the server, if its host name does not tell.")
    var recipient: String?

    @Option(help: ArgumentHelp("Agree to send topics to this third party.", valueName: "name"))
    var consentTo: String?

    @Flag(help: "Continue what was stopped, and retry what failed.")
    var resume = false

    /// Whether a model is to be asked, not only the bank.
    var isWanted: Bool { from != .bank || resume }

    func validate() throws {
        guard (1...3_600).contains(seconds) else { throw ValidationError("--seconds must be between 1 and 3,600.") }
        if !resume, [.ollama, .openai].contains(from), model?.isEmpty ?? true {
            throw ValidationError(
                "--from \(from.rawValue) needs --model NAME; `oracy papers models` lists the models.")
        }
        if from == .bank, !resume, model != nil || address != nil {
            throw ValidationError("--model and --address need --from ollama or --from openai.")
        }
    }

    /// Returns the entry that `oracy assess with language-model` would create.
    ///
    /// - Throws: `Problem.unavailable` if this platform lacks the source.
    func entry() throws(Problem) -> AssessorEntry {
        if from == .mlx { throw Problem(.unavailable, Self.noMLX) }
        var entry = AssessorEntry(id: "papers", kind: .languageModel)
        entry.interface = from == .ollama ? .ollama : nil
        entry.address = address ?? Self.defaultAddress(from)
        entry.model = model
        entry.recipient = recipient
        entry.seconds = Double(seconds)
        if keyFile != nil || keyVariable != nil {
            entry.key = ServiceKey(file: keyFile?.path(in: currentFolder()), environment: keyVariable)
            entry.complainOfExposedKey(in: currentFolder())
        }
        return entry
    }

    static let noMLX =
        "MLX needs a Mac with Apple silicon; use --from ollama or --from openai here"

    static func defaultAddress(_ source: Source) -> String {
        source == .ollama ? "http://localhost:11434" : "https://api.openai.com/v1"
    }

    /// Asks for consent to send data to the model's provider, if it is a third party.
    ///
    /// - Parameter what: The data that is sent, as the beginning of a sentence: "The topics that you name".
    /// - Throws: `Problem.denied` if the user doesn't agree.
    func obtainConsent(for entry: AssessorEntry, sending what: String) throws {
        let party = entry.thirdParty
        if let consentTo, consentTo != party {
            let known = party.map { "it would be \($0)" } ?? "nothing leaves this machine"
            throw Problem(.malformed, "--consent-to \(consentTo): this model does not send anything there; \(known)")
        }
        guard let party, consentTo == nil else { return }
        let words = "\(what) are sent to \(party), without your name. Nothing else is sent."
        if isatty(STDIN_FILENO) == 1 {
            print(words.wrapped(to: terminalColumns - 4).joined(separator: "\n"))
            if try Consent.ask("Do you agree? (y/n) ") { return }
        }
        throw Problem(.denied, "you have not agreed to send anything to \(party); --consent-to \(party) agrees")
    }
}

/// The items that a model is to write.
struct WritingArguments: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case card, topics
        case homeOrWork = "home-or-work"
    }

    @OptionGroup var source: ModelArguments

    @Option(help: "How many items the model writes, 1 to 100.")
    var items = 1

    @Option(help: "The kind of item: cards, topics for Part 1, or questions about home or work.")
    var kind: Kind = .topics

    func validate() throws {
        guard (1...100).contains(items) else { throw ValidationError("--items must be between 1 and 100.") }
    }

    /// Returns a wish per item, taking the topics in turn.
    func itemWishes(_ wishes: PaperArguments) -> [ItemWish] {
        (0..<items).map { number in
            let topic = wishes.topic.isEmpty ? nil : wishes.topic[number % wishes.topic.count]
            return ItemWish(
                section: kind == .card ? ItemBank.cards : kind.rawValue, topic: topic,
                difficulty: wishes.difficulty?.difficulty)
        }
    }
}
