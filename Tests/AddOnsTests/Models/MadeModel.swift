/// A small Whisper model with made-up weights. `made_model.py` writes the same one, and prints the hashes that the
/// tests expect.
enum MadeModel {
    static let tokens: [[UInt8]] = [Array("a".utf8), [], [0xC3], Array(" the".utf8)]

    private static let (state, layers, wide, vocabulary, sound, text) = (64, 2, 32, 40, 6, 5)

    /// The file of CTranslate2.
    static var ct2: [UInt8] {
        var bytes = four(6) + name("WhisperSpec") + four(3) + four(shapes.count + 1)
        // A setting, which is not an array of halves.
        bytes += name("decoder/scale_embeddings") + [0, 1] + four(1) + [0]
        var seed: UInt64 = 7
        for (array, shape) in shapes.sorted(by: { $0.key < $1.key }) {
            let count = shape.reduce(1, *)
            bytes += name(array) + [UInt8(shape.count)] + shape.flatMap(four) + [4] + four(2 * count)
            for _ in 0..<count {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let bits = UInt32(seed >> 40)
                let half = (bits & 1) << 15 | (8 + (bits >> 1) % 8) << 10 | (bits >> 5) % 1024
                bytes += [UInt8(half & 255), UInt8(half >> 8)]
            }
        }
        return bytes
    }

    private static var shapes: [String: [Int]] {
        var all: [String: [Int]] = [
            "encoder/conv1/weight": [state, 80, 3], "encoder/conv1/bias": [state],
            "encoder/conv2/weight": [state, state, 3], "encoder/conv2/bias": [state],
            "decoder/embeddings/weight": [vocabulary, state],
        ]
        for (side, length) in [("encoder", sound), ("decoder", text)] {
            all["\(side)/position_encodings/encodings"] = [length, state]
            var norms = ["\(side)/layer_norm"]
            for layer in 0..<layers {
                let at = "\(side)/layer_\(layer)"
                norms += ["\(at)/ffn/layer_norm", "\(at)/self_attention/layer_norm"]
                var linears = [
                    "ffn/linear_0": [wide, state], "ffn/linear_1": [state, wide],
                    "self_attention/linear_0": [3 * state, state], "self_attention/linear_1": [state, state],
                ]
                if side == "decoder" {
                    norms.append("\(at)/attention/layer_norm")
                    linears["attention/linear_0"] = [state, state]
                    linears["attention/linear_1"] = [2 * state, state]
                    linears["attention/linear_2"] = [state, state]
                }
                for (linear, shape) in linears {
                    all["\(at)/\(linear)/weight"] = shape
                    all["\(at)/\(linear)/bias"] = [shape[0]]
                }
            }
            for norm in norms { (all["\(norm)/gamma"], all["\(norm)/beta"]) = ([state], [state]) }
        }
        return all
    }

    private static func name(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count + 1), 0] + Array(text.utf8) + [0]
    }

    private static func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
}
