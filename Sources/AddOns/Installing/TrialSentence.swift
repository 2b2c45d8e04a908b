import FoundationEssentials

/// A recorded sentence, on which a new recogniser is tried: "It is fine, I think.", 2.4 s, spoken by hibari.
package enum TrialSentence {
    /// The recording as Ogg/Opus.
    package static let opus: [UInt8] = {
        let text = String(decoding: PackageResources.sentence_opus_base64, as: UTF8.self)
        return Data(base64Encoded: text.filter { !$0.isWhitespace }).map(Array.init) ?? []
    }()
}
