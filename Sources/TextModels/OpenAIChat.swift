import Foundation
public import HTTPClient

/// A server with OpenAI's chat completions interface (`POST …/chat/completions`): OpenAI, vLLM, LocalAI, llama.cpp, LM
/// Studio.
///
/// The format of the answer is requested as `json_schema`. If a server does not support that (llama-cpp-python answers
/// 500), `json_object` is requested instead.
public struct OpenAIChat: TextModel {
    public let model: String
    public let address: String
    private let key: String?
    private let caller: ServiceCaller

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - address: with its version: `https://api.openai.com/v1`.
    ///   - key: for `Authorization: Bearer`. Nil to send no key.
    public init(model: String, address: String, key: String?, caller: ServiceCaller) {
        self.model = model
        self.address = address
        self.key = key
        self.caller = caller
    }

    public func request(for prompt: ModelPrompt, seed: Int) -> HTTPRequest {
        request(for: prompt, seed: seed, isStrict: true, key: nil)
    }

    public func reply(
        to prompt: ModelPrompt, seed: Int, key: String
    ) async throws(ServiceFailure) -> ModelReply {
        // `ServiceCaller` must not repeat this call: some servers answer 500 for an unsupported format.
        let strict = request(for: prompt, seed: seed, isStrict: true, key: key)
        let first = try await caller.ask(strict, of: model, accepts: [400, 422, 500, 501])
        if first.status == 200 { return try reply(in: first) }
        let loose = request(for: prompt, seed: seed, isStrict: false, key: key)
        return try reply(in: await caller.ask(loose, of: model))
    }

    private func request(for prompt: ModelPrompt, seed: Int, isStrict: Bool, key: String?) -> HTTPRequest {
        let schema = (try? JSONSerialization.jsonObject(with: Data(prompt.schema.utf8))) ?? [:]
        let format: [String: Any] =
            isStrict
            ? ["type": "json_schema", "json_schema": ["name": prompt.name, "strict": true, "schema": schema]]
            // llama-cpp-python reads the schema here, and OpenAI ignores it.
            : ["type": "json_object", "schema": schema]
        let body: [String: Any] = [
            "model": model, "temperature": 0, "seed": seed, "max_tokens": prompt.longest, "response_format": format,
            "messages": [
                ["role": "system", "content": prompt.rules], ["role": "user", "content": prompt.material],
            ],
        ]
        var headers = [("content-type", "application/json"), ("accept", "application/json")]
        if let own = self.key { headers.append(("authorization", "Bearer \(own)")) }
        if let key { headers.append(("idempotency-key", key)) }
        return HTTPRequest("POST", address + "/chat/completions", headers: headers, body: .bytes(ModelJSON.bytes(body)))
    }

    private func reply(in response: HTTPResponse) throws(ServiceFailure) -> ModelReply {
        struct Completion: Decodable {
            var choices: [Choice]

            struct Choice: Decodable {
                var message: Message
                var finishReason: String?
            }
            struct Message: Decodable {
                var content: String?
                var refusal: String?
            }
        }
        guard let choice = ModelJSON.decode(Completion.self, response)?.choices.first else {
            throw ServiceFailure(.later(nil), "\(model) answers something else than a completion")
        }
        if choice.finishReason == "length" { return .cutOff }
        if choice.message.refusal != nil || choice.finishReason == "content_filter" { return .declined }
        return choice.message.content.map(ModelReply.text) ?? .declined
    }

    public func names() async throws(ServiceFailure) -> [String] {
        struct List: Decodable {
            var data: [Model]

            struct Model: Decodable { var id: String }
        }
        let headers = key.map { [("authorization", "Bearer \($0)")] } ?? []
        let response = try await caller.ask(
            HTTPRequest("GET", address + "/models", headers: headers), of: "the server")
        guard let list = ModelJSON.decode(List.self, response) else {
            throw ServiceFailure(.setUp, "it answers something else than a list of models")
        }
        return list.data.map(\.id).sorted()
    }
}
