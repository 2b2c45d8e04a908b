import Foundation
public import HTTPClient

/// A model in Ollama (`POST /api/chat`). Ollama's OpenAI-compatible interface is not used, because it ignores the
/// context size, and a model's thinking uses up the tokens of the answer.
public struct OllamaChat: TextModel {
    public let model: String
    public let address: String
    private let caller: ServiceCaller

    /// The most tokens of prompt and answer: enough for descriptors, a transcript of twenty minutes, and the
    /// assessment.
    static let context = 16_384

    /// Creates a client.
    ///
    /// - Parameter address: `http://localhost:11434`.
    public init(model: String, address: String, caller: ServiceCaller) {
        self.model = model
        self.address = address
        self.caller = caller
    }

    public func request(for prompt: ModelPrompt, seed: Int) -> HTTPRequest {
        request(for: prompt, seed: seed, mayThink: false, key: nil)
    }

    public func reply(
        to prompt: ModelPrompt, seed: Int, key: String
    ) async throws(ServiceFailure) -> ModelReply {
        let silent = request(for: prompt, seed: seed, mayThink: false, key: key)
        let first = try await caller.ask(silent, of: model, accepts: [400])
        if first.status == 200 { return try reply(in: first) }
        // A model that cannot think refuses this option.
        return try reply(in: await caller.ask(request(for: prompt, seed: seed, mayThink: true, key: key), of: model))
    }

    private func request(for prompt: ModelPrompt, seed: Int, mayThink: Bool, key: String?) -> HTTPRequest {
        let schema = (try? JSONSerialization.jsonObject(with: Data(prompt.schema.utf8))) ?? [:]
        var body: [String: Any] = [
            "model": model, "stream": false, "format": schema,
            "options": ["temperature": 0, "seed": seed, "num_ctx": Self.context, "num_predict": prompt.longest],
            "messages": [
                ["role": "system", "content": prompt.rules], ["role": "user", "content": prompt.material],
            ],
        ]
        if !mayThink { body["think"] = false }
        var headers = [("content-type", "application/json"), ("accept", "application/json")]
        if let key { headers.append(("idempotency-key", key)) }
        return HTTPRequest("POST", address + "/api/chat", headers: headers, body: .bytes(ModelJSON.bytes(body)))
    }

    private func reply(in response: HTTPResponse) throws(ServiceFailure) -> ModelReply {
        struct Chat: Decodable {
            var message: Message
            var done: Bool
            var doneReason: String?

            struct Message: Decodable { var content: String }
        }
        guard let chat = ModelJSON.decode(Chat.self, response) else {
            throw ServiceFailure(.later(nil), "\(model) answers something else than a chat")
        }
        return chat.done && chat.doneReason != "length" ? .text(chat.message.content) : .cutOff
    }

    public func names() async throws(ServiceFailure) -> [String] {
        struct Tags: Decodable {
            var models: [Tag]

            struct Tag: Decodable { var name: String }
        }
        let response = try await caller.ask(HTTPRequest("GET", address + "/api/tags"), of: "Ollama")
        guard let tags = ModelJSON.decode(Tags.self, response) else {
            throw ServiceFailure(.setUp, "it answers something else than a list of models")
        }
        return tags.models.map(\.name).sorted()
    }
}
