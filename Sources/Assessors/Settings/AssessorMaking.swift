import Foundation
public import HTTPClient
package import Hearing
public import SystemSupport
package import TextModels

extension AssessorEntry {
    /// Creates the assessor that the entry describes.
    ///
    /// - Parameters:
    ///   - client: the client for its requests.
    ///   - folder: the folder to which relative paths of keys and programs refer.
    /// - Throws: `Problem`: `malformed` with the field, `missing` if the key or the recogniser does not exist.
    public func assessor(
        client: any HTTPExchanging = CurlClient(), in folder: String = "."
    ) throws(Problem) -> any Assessor {
        try assessor(client: client, in: folder, words: kind == .words ? WordsHere.installed() : nil)
    }

    /// Creates the assessor, as `assessor(client:in:)` does.
    ///
    /// - Parameter words: the recogniser on this machine; nil if there is none.
    package func assessor(
        client: any HTTPExchanging = CurlClient(), in folder: String, words: WordsHere?
    ) throws(Problem) -> any Assessor {
        if let mistake { throw Problem(.malformed, "\(id): \(mistake)") }
        let caller = ServiceCaller(client: client, time: .seconds(seconds ?? 120))
        return try assessor(asking: caller, in: folder, words: words)
    }

    /// Creates the assessor.
    ///
    /// - Parameters:
    ///   - caller: the caller for its requests. Tests pass their own.
    ///   - words: the recogniser on this machine; nil if it is not installed.
    package func assessor(
        asking caller: ServiceCaller, in folder: String, words: WordsHere? = nil
    ) throws(Problem) -> any Assessor {
        let entry = placed(in: folder)
        let key = try entry.key?.read(for: id, in: folder)
        switch kind {
        case .transcriber:
            return Transcriber(
                id: id, interface: interface == .whisperCPP ? .whisperCPP : .openAI, address: base,
                model: model ?? "whisper.cpp", language: language ?? "en", isVerbatim: verbatim ?? false, key: key,
                recipient: thirdParty, caller: caller)
        case .words:
            guard let words else {
                throw Problem(.missing, "\(id): no recogniser is installed on this machine; run oracy words install")
            }
            return HeardHere(id: id, words, language: language ?? "en")
        case .azure:
            return AzurePronunciation(
                id: id, address: base, language: language ?? "en-GB", key: key ?? "", recipient: thirdParty,
                caller: caller)
        case .languageModel:
            return LanguageModelJudge(
                id: id, model: textModel(key, caller), runs: runs ?? 3, widest: widest ?? 1, recipient: thirdParty)
        case .command:
            return CommandAssessor(
                id: id, command: entry.command ?? [], version: programVersion ?? "1",
                needsWords: needsWords ?? false, time: .seconds(seconds ?? 120))
        }
    }

    /// Creates the model of a `language-model` entry, for questions other than judging.
    ///
    /// - Parameter waits: whether to wait before asking an unavailable model again, instead of asking at once.
    /// - Throws: the errors of `assessor(client:in:)`.
    package func textModel(
        client: any HTTPExchanging = CurlClient(), in folder: String, waits: Bool = true
    ) throws(Problem) -> any TextModel {
        if let mistake { throw Problem(.malformed, "\(id): \(mistake)") }
        let key = try placed(in: folder).key?.read(for: id, in: folder)
        let time = Duration.seconds(seconds ?? 120)
        return textModel(
            key,
            waits ? ServiceCaller(client: client, time: time) : ServiceCaller(client: client, time: time) { _ in })
    }

    private func textModel(_ key: String?, _ caller: ServiceCaller) -> any TextModel {
        let named = model ?? ""
        return interface == .ollama
            ? OllamaChat(model: named, address: base, caller: caller)
            : OpenAIChat(model: named, address: base, key: key, caller: caller)
    }

    /// Returns the entry with absolute paths: the key's, the program's, and those arguments of the program that name a
    /// file in the folder.
    public func placed(in folder: String) -> AssessorEntry {
        var entry = self
        entry.key?.file = key?.file?.path(in: folder)
        entry.command = command?.enumerated().map { index, word in
            // A program's bare name is looked up in `PATH`.
            let isPath = index == 0 ? word.contains("/") : word.path(in: folder).isFile
            return isPath ? word.path(in: folder) : word
        }
        return entry
    }

    /// The address without a slash at the end.
    private var base: String {
        let text = address ?? "https://\(region ?? "").stt.speech.microsoft.com"
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The third party that gets the data. Nil if the data stay on this machine.
    public var thirdParty: String? {
        guard kind != .command, kind != .words, let host = URL(string: base)?.host() else { return nil }
        // Only the user knows the operator behind a proxy on this machine.
        if let recipient { return recipient }
        if LocalHost.isThisMachine(host) { return isPassedOn ? "ollama.com" : nil }
        return host
    }

    /// Whether the model is one that Ollama forwards to its maker's cloud, wherever Ollama itself runs:
    /// `gpt-oss:120b-cloud` (docs.ollama.com/cloud).
    private var isPassedOn: Bool {
        guard kind == .languageModel, let tag = model?.split(separator: ":").dropFirst().last else { return false }
        return tag == "cloud" || tag.hasSuffix("-cloud")
    }
}

extension String {
    fileprivate var isFile: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: self, isDirectory: &isFolder) && !isFolder.boolValue
    }
}
