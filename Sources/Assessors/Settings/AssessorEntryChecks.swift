import Foundation
import HTTPClient
import SystemSupport

extension AssessorEntry {
    /// The first mistake in the entry: the field, a colon and what to do, without a full stop. Nil if the entry is
    /// valid.
    var mistake: String? {
        guard id.wholeMatch(of: /[A-Za-z0-9._-]{1,40}/) != nil else {
            return "id: has 1 to 40 letters, digits, -, _ and ."
        }
        if let stranger = given.first(where: { !allowed.contains($0) }) {
            return "\(stranger): is nothing that a \(kind.rawValue) has"
        }
        return wrongPlace ?? wrongNumber ?? wrongRest
    }

    private var wrongPlace: String? {
        switch kind {
        case .command:
            if command?.first?.isEmpty ?? true { return "command: should be a list: the program and its arguments" }
            return nil
        case .words: return nil
        case .azure where address == nil:
            guard let region, region.wholeMatch(of: /[a-z0-9]{2,40}/) != nil else {
                return "region: is needed, such as westeurope; or an address"
            }
            return nil
        default:
            guard let address, let url = URL(string: address), ["http", "https"].contains(url.scheme ?? ""),
                let host = url.host(), !host.isEmpty, url.query == nil, url.fragment == nil, url.user == nil
            else { return "address: should be http://… or https://…, without a name, a question mark or #" }
            if url.scheme == "http", !LocalHost.isThisMachine(host), key != nil {
                return "address: is http, and the key would be read on its way; use https"
            }
            return nil
        }
    }

    private var wrongNumber: String? {
        if let runs, !(1...9).contains(runs) { return "runs: goes from 1 to 9" }
        if let widest, !(0...9).contains(widest) { return "widest: goes from 0 to 9" }
        if let seconds, !(1...3600).contains(seconds) { return "seconds: goes from 1 to 3600" }
        for (name, price) in [("pricePerCall", pricePerCall), ("pricePerMinute", pricePerMinute)] {
            if let price, !(price >= 0 && price.isFinite) { return "\(name): should be 0 or more" }
        }
        return nil
    }

    private var wrongRest: String? {
        switch (kind, interface) {
        case (.transcriber, nil), (.transcriber, .openAI), (.transcriber, .whisperCPP): break
        case (.transcriber, .ollama): return "interface: a transcriber's is openai or whisper.cpp"
        case (.languageModel, .whisperCPP): return "interface: a language-model's is openai or ollama"
        default: break
        }
        let needsModel = kind == .languageModel || kind == .transcriber && interface != .whisperCPP
        if needsModel, model?.isEmpty ?? true { return "model: is needed" }
        if let language, language.wholeMatch(of: /[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*/) == nil {
            return "language: should be like en or en-GB"
        }
        if kind == .azure, key == nil { return "key: is needed: {\"file\": …} or {\"environment\": …}" }
        if let key, (key.file == nil) == (key.environment == nil) {
            return "key: should be {\"file\": …} or {\"environment\": …}; the key itself does not belong here"
        }
        if let recipient, recipient.isEmpty || recipient.count > 100 { return "recipient: has 1 to 100 characters" }
        return nil
    }

    private var allowed: Set<String> {
        let all: Set = ["seconds", "pricePerCall", "pricePerMinute"]
        let remote = all.union(["address", "key", "recipient"])
        switch kind {
        case .transcriber: return remote.union(["interface", "model", "language", "verbatim"])
        case .words: return ["language"]
        case .azure: return remote.union(["region", "language"])
        case .languageModel: return remote.union(["interface", "model", "runs", "widest"])
        case .command: return all.union(["command", "programVersion", "needsWords"])
        }
    }

    private var given: [String] {
        let fields: [(String, Any?)] = [
            ("interface", interface), ("address", address), ("region", region), ("model", model),
            ("language", language),
            ("key", key), ("verbatim", verbatim), ("runs", runs), ("widest", widest), ("command", command),
            ("programVersion", programVersion), ("needsWords", needsWords), ("seconds", seconds),
            ("pricePerCall", pricePerCall), ("pricePerMinute", pricePerMinute), ("recipient", recipient),
        ]
        return fields.compactMap { $1 == nil ? nil : $0 }
    }
}
