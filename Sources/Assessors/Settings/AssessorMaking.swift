import Foundation
public import HTTPClient
public import SystemSupport
package import TextModels

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
        let entry = placed(in: folder)
        let key = try entry.key?.read(for: id, in: folder)
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
            return LanguageModelJudge(
                id: id, model: textModel(key, caller), runs: runs ?? 3, widest: widest ?? 1, recipient: thirdParty)
        case .command:
            return CommandAssessor(
                id: id, command: entry.command ?? [], version: programVersion ?? "1",
                needsWords: needsWords ?? false, time: .seconds(seconds ?? 120))
        }
    }

    /// The model of a `language-model`, for whoever has something else to ask it.
    ///
    /// - Parameter waits: whether one that is away is asked again after a while, and not at once.
    /// - Throws: as `assessor(client:in:)`.
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

    /// The same with whole paths: those of its key, of its program, and of the program's arguments that name a file count from a folder.
    public func placed(in folder: String) -> AssessorEntry {
        var entry = self
        entry.key?.file = key?.file?.path(in: folder)
        entry.command = command?.enumerated().map { index, word in
            // A program's bare name is looked up.
            let isPath = index == 0 ? word.contains("/") : word.path(in: folder).isFile
            return isPath ? word.path(in: folder) : word
        }
        return entry
    }

    /// Without a slash at the end.
    private var base: String {
        let text = address ?? "https://\(region ?? "").stt.speech.microsoft.com"
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Who gets what is sent; nil where it stays on this machine.
    public var thirdParty: String? {
        guard kind != .command, let host = URL(string: base)?.host() else { return nil }
        // Who is behind a proxy on this machine its user alone can say.
        if let recipient { return recipient }
        if LocalHost.isThisMachine(host) { return isPassedOn ? "ollama.com" : nil }
        return host
    }

    /// Whether it is a model that Ollama sends on to its maker's cloud, wherever it runs itself: `gpt-oss:120b-cloud`
    /// (docs.ollama.com/cloud).
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
