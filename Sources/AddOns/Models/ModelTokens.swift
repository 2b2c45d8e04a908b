import FoundationEssentials

/// The texts of a Whisper model's tokens, from `tokenizer.json` of a package.
enum ModelTokens {
    /// The number of tokens without a special meaning.
    static let count = 50_257

    private struct Tokenizer: Decodable {
        struct Model: Decodable { var vocab: [String: Int] }
        struct Added: Decodable {
            var id: Int
            var content: String
        }

        var model: Model
        var added: [Added]

        enum CodingKeys: String, CodingKey {
            case model
            case added = "added_tokens"
        }
    }

    /// Returns the bytes of each token, in the order of their numbers; nil if the file isn't such a list.
    static func texts(in json: [UInt8], count: Int = count) -> [[UInt8]]? {
        guard let file = try? JSONDecoder().decode(Tokenizer.self, from: Data(json)) else { return nil }
        var names = [String?](repeating: nil, count: count)
        for (name, id) in file.model.vocab where names.indices.contains(id) { names[id] = name }
        // Newer files list the last text token among the added ones.
        for token in file.added where names.indices.contains(token.id) { names[token.id] = token.content }
        var texts: [[UInt8]] = []
        texts.reserveCapacity(count)
        for name in names {
            guard let name else { return nil }
            var text: [UInt8] = []
            for scalar in name.unicodeScalars {
                guard let byte = bytes[scalar.value] else { return nil }
                text.append(byte)
            }
            texts.append(text)
        }
        return texts
    }

    /// GPT-2's letters for bytes: printable bytes stand for themselves, and the others for letters from 256 on.
    private static let bytes: [UInt32: UInt8] = {
        let printable = Array(33...126) + Array(161...172) + Array(174...255)
        var bytes: [UInt32: UInt8] = [:]
        for byte in printable { bytes[UInt32(byte)] = UInt8(byte) }
        var next: UInt32 = 256
        for byte in 0...255 where !printable.contains(byte) {
            bytes[next] = UInt8(byte)
            next += 1
        }
        return bytes
    }()
}
