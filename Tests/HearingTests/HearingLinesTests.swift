import FoundationEssentials
import HearingWorker
import Testing

/// Tests of the lines between a worker and the program that started it. Another version of Oracy reads them, so their
/// names are fixed.
@Suite struct HearingLinesTests {
    private static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func requestsHaveTheseNames() throws {
        let start = HearingStart(library: "/l.so", model: "/m.bin", phones: .init(library: "/h.so", model: "/h"))
        #expect(
            try Self.line(start)
                == #"{"library":"/l.so","model":"/m.bin","phones":{"library":"/h.so","model":"/h"},"protocol":1}"#)
        let hear = HearingRequest(
            hear: .init(id: 7, samples: 1600, language: "en", passes: [.plain, .verbatim], mostTokens: 20))
        #expect(
            try Self.line(hear)
                == #"{"hear":{"id":7,"language":"en","mostTokens":20,"passes":["plain","verbatim"],"samples":1600}}"#)
        let align = HearingRequest(align: .init(id: 8, words: [[12, 40], []]))
        #expect(try Self.line(align) == #"{"align":{"id":8,"words":[[12,40],[]]}}"#)
    }

    @Test func repliesHaveTheseNames() throws {
        let replies: [(HearingReply, String)] = [
            (
                HearingReply(ready: .init(version: "1.8.5", isMultilingual: true, hasPhones: false)),
                #"{"ready":{"hasPhones":false,"isMultilingual":true,"protocol":1,"version":"1.8.5"}}"#
            ),
            (
                HearingReply(unusable: .init(.library, "is missing")),
                #"{"unusable":{"what":"library","why":"is missing"}}"#
            ),
            (
                HearingReply(
                    aligned: .init(
                        id: 8, words: [.init(start: 0.5, end: 1), nil], distance: 0.25, processorSeconds: 1)),
                #"{"aligned":{"distance":0.25,"id":8,"processorSeconds":1,"words":[{"end":1,"start":0.5},null]}}"#
            ),
        ]
        for (reply, text) in replies {
            #expect(try Self.line(reply) == text)
            #expect(try JSONDecoder().decode(HearingReply.self, from: Data(text.utf8)) == reply)
        }
        let heard = #"""
            {"heard":{"id":7,"noSpeech":0.013,"passes":[{"text":"I think","tokens":2,"logProbability":-0.12,\#
            "end":"said"}],"processorSeconds":2.1,"residentMegabytes":176}}
            """#
        let reply = try JSONDecoder().decode(HearingReply.self, from: Data(heard.utf8))
        #expect(reply.heard?.passes == [.init(text: "I think", tokens: 2, logProbability: -0.12, end: .said)])
    }
}
