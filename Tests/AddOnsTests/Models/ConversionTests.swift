import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import AddOns

/// The converter gives the bytes that an independent script computes (`made_model.py`).
@Suite struct ConversionTests {
    private func converted(_ bytes: [UInt8], _ precision: GGMLModel.Precision) throws -> [UInt8] {
        try bytes.withUnsafeBytes { bytes in
            var file: [UInt8] = []
            try GGMLModel(try CT2Model(bytes), precision).write(tokens: MadeModel.tokens) { file += $0 }
            return file
        }
    }

    private func quantised(_ bytes: [UInt8]) throws -> [UInt8] {
        try bytes.withUnsafeBytes { bytes in
            var file: [UInt8] = []
            try Quantising.run(bytes) { file += $0 }
            return file
        }
    }

    @Test func theMadeModelIsThatOfTheScript() {
        let hash = SHA256.hexadecimal(of: MadeModel.ct2)
        #expect(hash == "56542d0abbb49e69f5c18e505cb8a015c1fa1b7f20c4e5dae595955db3baf89a")
    }

    /// The filters are a part of every model at whisper.cpp's public home.
    @Test func melFiltersAreThoseOfThePublicModels() {
        var bytes: [UInt8] = []
        for factor in MelFilters.factors { bytes.add(factor) }
        #expect(bytes.count == 64_320)
        #expect(
            SHA256.hexadecimal(of: bytes) == "85818f156f7e189453901a515e4726d270d307f976e161cf9403e8caab405498")
    }

    @Test func aModelInHalfPrecisionHasTheSameBytes() throws {
        let file = try converted(MadeModel.ct2, .half)
        #expect(file.count == 374_138)
        #expect(SHA256.hexadecimal(of: file) == "f3a0bdcb547a1b41de4f7ec5760a4d7ad1568de1bcb1663edecc4af564a842cd")
    }

    @Test func aModelWithEightBitsHasTheSameBytes() throws {
        let file = try converted(MadeModel.ct2, .q8)
        #expect(file.count == 264_218)
        #expect(SHA256.hexadecimal(of: file) == "24522f57391c8c93c52d9dc1729937701a1fc7c4fa245ed6f2ea7a01b0fc4fb4")
    }

    @Test func quantisingTheHalvesGivesTheSameAsConvertingAtOnce() throws {
        let halves = try converted(MadeModel.ct2, .half)
        #expect(try quantised(halves) == converted(MadeModel.ct2, .q8))
        // A model that is quantised already is refused.
        #expect(throws: Quantising.Damage.otherFormat) { try quantised(converted(MadeModel.ct2, .q8)) }
    }

    @Test func cutOffModelsAreRefused() throws {
        let (model, halves) = (MadeModel.ct2, try converted(MadeModel.ct2, .half))
        var dice = SplitMix64(seed: 3)
        for _ in 0..<60 {
            #expect(throws: CT2Model.Damage.self) { try converted(Array(model.prefix(dice.below(model.count))), .q8) }
        }
        for _ in 0..<20 {
            // A cut between two arrays leaves a shorter model, whose hash is then wrong.
            let length = 64_500 + dice.below(1_000)
            #expect(throws: Quantising.Damage.short) { try quantised(Array(halves.prefix(length))) }
        }
    }

    @Test func otherFilesAreRefused() {
        #expect(throws: CT2Model.Damage.otherFormat) { try converted([5, 0, 0, 0, 0, 0, 0, 0], .q8) }
        #expect(throws: CT2Model.Damage.short) { try converted([6, 0], .q8) }
        #expect(throws: Quantising.Damage.otherFormat) { try quantised([UInt8](repeating: 1, count: 100)) }
    }

    @Test func tokensAreReadFromBothKindsOfLists() throws {
        // "Ġ" stands for a space, and "Ã" for the byte C3.
        let old = #"{"model": {"vocab": {"a": 0, "Ġthe": 2, "Ã": 1}}, "added_tokens": [{"id": 3, "content": "<|x|>"}]}"#
        let new = #"{"model": {"vocab": {"a": 0, "Ã": 1}}, "added_tokens": [{"id": 2, "content": "Ġthe"}]}"#
        let texts = [Array("a".utf8), [0xC3], Array(" the".utf8)]
        #expect(ModelTokens.texts(in: Array(old.utf8), count: 3) == texts)
        #expect(ModelTokens.texts(in: Array(new.utf8), count: 3) == texts)
        #expect(ModelTokens.texts(in: Array(new.utf8), count: 4) == nil)
        #expect(ModelTokens.texts(in: Array("{}".utf8)) == nil)
    }
}
