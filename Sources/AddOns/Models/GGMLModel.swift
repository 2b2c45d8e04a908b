/// Writes a Whisper model exactly as whisper.cpp publishes it: the same bytes, made from the same weights in
/// CTranslate2's format.
struct GGMLModel {
    /// The precision of the large arrays: 16 bits, or ggml's q8_0 with 8.5 bits.
    enum Precision { case half, q8 }

    private let model: CT2Model
    private let precision: Precision
    private let state: Int

    init(_ model: CT2Model, _ precision: Precision) throws(CT2Model.Damage) {
        self.model = model
        self.precision = precision
        state = try model["encoder/conv1/bias"].count
        guard state > 0, state.isMultiple(of: 64) else { throw .otherFormat }
    }

    /// - Parameters:
    ///   - tokens: the text of each token without a special meaning, in the order of their numbers.
    ///   - write: gets the file in pieces.
    func write(tokens: [[UInt8]], _ write: ([UInt8]) -> Void) throws(CT2Model.Damage) {
        let (vocabulary, layers) = (try model["decoder/embeddings/weight"].shape[0], model.layerCount)
        let (sound, text) = (
            try model["encoder/position_encodings/encodings"].shape[0],
            try model["decoder/position_encodings/encodings"].shape[0]
        )
        var head: [UInt8] = []
        head.add([0x6767_6D6C, vocabulary, sound, state, state / 64, layers, text, state, state / 64, layers, 80])
        head.add([precision == .q8 ? 2007 : 1, MelFilters.bandCount, MelFilters.frequencyCount])
        for factor in MelFilters.factors { head.add(factor) }
        head.add([tokens.count])
        for token in tokens {
            head.add([token.count])
            head += token
        }
        write(head)
        // The order of OpenAI's own file.
        write(try tensor("decoder.positional_embedding", "decoder/position_encodings/encodings"))
        write(try tensor("encoder.positional_embedding", "encoder/position_encodings/encodings"))
        write(try tensor("decoder.token_embedding.weight", "decoder/embeddings/weight"))
        for layer in 0..<layers { try block("decoder", layer, write) }
        try norm("decoder.ln", "decoder/layer_norm", write)
        for name in ["conv1", "conv2"] { try linear("encoder.\(name)", "encoder/\(name)", write) }
        for layer in 0..<layers { try block("encoder", layer, write) }
        try norm("encoder.ln_post", "encoder/layer_norm", write)
    }

    private func block(_ side: String, _ layer: Int, _ write: ([UInt8]) -> Void) throws(CT2Model.Damage) {
        let (name, from) = ("\(side).blocks.\(layer)", "\(side)/layer_\(layer)")
        try norm("\(name).mlp_ln", "\(from)/ffn/layer_norm", write)
        try linear("\(name).mlp.0", "\(from)/ffn/linear_0", write)
        try linear("\(name).mlp.2", "\(from)/ffn/linear_1", write)
        try norm("\(name).attn_ln", "\(from)/self_attention/layer_norm", write)
        // Query, key and value are rows of one array. In attention to the encoder, the query is separate.
        let own = "\(from)/self_attention"
        try part("\(name).attn.query", "\(own)/linear_0", 0, write)
        try part("\(name).attn.key", "\(own)/linear_0", 1, hasBias: false, write)
        try part("\(name).attn.value", "\(own)/linear_0", 2, write)
        try linear("\(name).attn.out", "\(own)/linear_1", write)
        guard side == "decoder" else { return }
        let cross = "\(from)/attention"
        try norm("\(name).cross_attn_ln", "\(cross)/layer_norm", write)
        try linear("\(name).cross_attn.query", "\(cross)/linear_0", write)
        try part("\(name).cross_attn.key", "\(cross)/linear_1", 0, hasBias: false, write)
        try part("\(name).cross_attn.value", "\(cross)/linear_1", 1, write)
        try linear("\(name).cross_attn.out", "\(cross)/linear_2", write)
    }

    private func norm(_ name: String, _ from: String, _ write: ([UInt8]) -> Void) throws(CT2Model.Damage) {
        write(try tensor("\(name).weight", "\(from)/gamma"))
        write(try tensor("\(name).bias", "\(from)/beta"))
    }

    private func linear(_ name: String, _ from: String, _ write: ([UInt8]) -> Void) throws(CT2Model.Damage) {
        write(try tensor("\(name).weight", "\(from)/weight"))
        write(try tensor("\(name).bias", "\(from)/bias"))
    }

    private func part(
        _ name: String, _ from: String, _ number: Int, hasBias: Bool = true, _ write: ([UInt8]) -> Void
    ) throws(CT2Model.Damage) {
        write(tensor("\(name).weight", try rows(number, of: "\(from)/weight")))
        if hasBias { write(tensor("\(name).bias", try rows(number, of: "\(from)/bias"))) }
    }

    private func rows(_ number: Int, of name: String) throws(CT2Model.Damage) -> CT2Model.Array16 {
        guard let rows = try model[name].rows((number * state)..<((number + 1) * state)) else { throw .missing(name) }
        return rows
    }

    private func tensor(_ name: String, _ from: String) throws(CT2Model.Damage) -> [UInt8] {
        tensor(name, try model[from])
    }

    private func tensor(_ name: String, _ array: CT2Model.Array16) -> [UInt8] {
        let isConvolutionBias = name == "encoder.conv1.bias" || name == "encoder.conv2.bias"
        let shape = isConvolutionBias ? array.shape + [1] : array.shape
        let isFull = array.shape.count == 1 || name.hasSuffix("positional_embedding")
        let isQuantised = !isFull && precision == .q8 && shape.count == 2
        var bytes: [UInt8] = []
        bytes.reserveCapacity(array.count * (isFull ? 4 : 2) + 100)
        bytes.add([shape.count, name.utf8.count, isFull ? 0 : isQuantised ? 8 : 1] + shape.reversed())
        bytes += name.utf8
        if isFull {
            for index in 0..<array.count { bytes.add(array.value(index)) }
        } else if isQuantised {
            for start in stride(from: 0, to: array.count, by: 32) { bytes.addQ8(array, start) }
        } else {
            bytes += array.bytes
        }
        return bytes
    }
}
