import Foundation
public import HTTPClient
public import SystemSupport
import TextModels

extension AssessorEntry {
    /// The assessor that it describes.
    ///
    /// - Parameters:
    ///   - client: what it asks with.
    ///   - folder: what paths of keys and programs count from, where they are not absolute.
    /// - Throws: `Problem`: `malformed` with the field; `missing` where the key is not there.
    public func assessor(
        client: any HTTPExchanging = CurlClient(), in folder: String = "."
    ) throws(Problem) -> any Assessor {
        if let mistake { throw Problem(.malformed, "\(id): \(mistake)") }
        let caller = ServiceCaller(client: client, time: .seconds(seconds ?? 120))
        return try assessor(asking: caller, in: folder)
    }

    /// - Parameter caller: another one for tests.
    package func assessor(asking caller: ServiceCaller, in folder: String) throws(Problem) -> any Assessor {
        let key = try key?.read(for: id, in: folder)
        switch kind {
        case .transcriber:
            return Transcriber(
                id: id, interface: interface == .whisperCPP ? .whisperCPP : .openAI, address: base,
                model: model ?? "whisper.cpp", language: language ?? "en", isVerbatim: verbatim ?? false, key: key,
                recipient: thirdParty, caller: caller)
        case .azure:
            return AzurePronunciation(
                id: id, address: base, language: language ?? "en-GB", key: key ?? "", recipient: thirdParty,
                caller: caller)
        case .languageModel:
            let named = model ?? ""
            let own: any TextModel =
                interface == .ollama
                ? OllamaChat(model: named, address: base, caller: caller)
                : OpenAIChat(model: named, address: base, key: key, caller: caller)
            return LanguageModelJudge(id: id, model: own, runs: runs ?? 3, widest: widest ?? 1, recipient: thirdParty)
        case .command:
            let words = command ?? []
            // A path counts from the settings' own folder; a bare name is looked up.
            let program = words[0].contains("/") ? words[0].path(in: folder) : words[0]
            return CommandAssessor(
                id: id, command: [program] + words.dropFirst(), version: programVersion ?? "1",
                needsWords: needsWords ?? false, time: .seconds(seconds ?? 120))
        }
    }

    /// Without a slash at the end.
    private var base: String {
        let text = address ?? "https://\(region ?? "").stt.speech.microsoft.com"
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Who gets what is sent; nil where it stays on this machine.
    public var thirdParty: String? {
        guard kind != .command, let host = URL(string: base)?.host() else { return nil }
        if LocalHost.isThisMachine(host) { return nil }
        return recipient ?? host
    }
}
