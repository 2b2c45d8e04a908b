import Assessment
import AudioFiles
import Foundation
import HTTPClient
import LoopbackServers
import TestSupport
import Testing

@testable import Assessors

/// Azure's pronunciation assessment: lossless pieces, both shapes of answers, and no scores that Azure didn't give.
@Suite struct AzureTests {
    private static func azure(_ server: ScriptedServer) -> AzurePronunciation {
        AzurePronunciation(
            id: "azure", address: server.url, language: "en-GB", key: "azure-secret", recipient: nil, caller: .hasty())
    }

    private static func word(_ text: String, _ offset: Double, accuracy: Double = 90, rest: String = "") -> String {
        """
        {"Word":"\(text)","Offset":\(Int(offset * 1e7)),"Duration":5000000,"AccuracyScore":\(accuracy),"ErrorType":"None","Syllables":[]\(rest)}
        """
    }

    /// Returns an answer of the REST interface, with flat scores in `NBest[0]`.
    private static func flat(
        pron: Double = 80, accuracy: Double = 90, fluency: Double = 70, prosody: String = "0", words: [String] = []
    ) -> String {
        """
        {"RecognitionStatus":"Success","Offset":0,"Duration":300000000,"DisplayText":"I live here.","SNR":30.1,"NBest":[{"Confidence":0.9,\
        "Lexical":"i live here","Display":"I live here.","AccuracyScore":\(accuracy),"FluencyScore":\(fluency),"ProsodyScore":\(prosody),\
        "CompletenessScore":100,"PronScore":\(pron),"Words":[\(words.joined(separator: ","))]},{"Confidence":0.1,"PronScore":1}]}
        """
    }

    @Test func aRequestIsAsTheContractHasIt() async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { request, _ in
            let question = request.header("pronunciation-assessment").flatMap { Data(base64Encoded: $0) }
            let fields = question.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: String] }
            guard request.path == "/speech/recognition/conversation/cognitiveservices/v1",
                request.query == "language=en-GB&format=detailed",
                request.header("ocp-apim-subscription-key") == "azure-secret",
                request.header("content-type") == "audio/wav; codecs=audio/pcm; samplerate=16000",
                fields?["GradingSystem"] == "HundredMark", fields?["Granularity"] == "Phoneme",
                fields?["Dimension"] == "Comprehensive", fields?["EnableProsodyAssessment"] == "True"
            else { return .json("{}", status: 400) }
            return .json(Self.flat(words: [Self.word("live", 1)]))
        }
        let azure = Self.azure(server)
        let finding = try await azure.assess(sample.answer, try await sample.calls(azure))
        #expect(server.requests[0].bytes == WAVBytes.of(sample.samples), "16 kHz, mono, 16 bit, every sample")
        let scores = try #require(finding.pronunciation)
        #expect(scores.overall == 80 && scores.accuracy == 90 && scores.fluency == 70 && scores.completeness == 100)
        #expect(scores.prosody == nil, "0 says that it was not judged")
        #expect(finding.transcript?.text == "I live here." && finding.sentTo == nil)
        let evidence = try #require(finding.evidence.first)
        #expect(finding.evidence.count == 1 && evidence.trait == .pronunciation && evidence.scale == "hundred")
        // The usual rules map the score to a band. Without a mapping it gives none.
        #expect(
            ExamResult.make(sheets: [], findings: finding.evidence).criteria[.pronunciation]?.outcome.mark == 6.5)
        var rules = ResultRules.ielts
        rules.mappings = [.bands]
        let result = ExamResult.make(sheets: [], findings: finding.evidence, rules: rules)
        #expect(result.criteria[.pronunciation]?.outcome.mark == nil)
    }

    /// The SDK's shape, with breaks and their confidence. A monotone voice is reported on every word, and mentioned
    /// once.
    @Test func bothShapesAreRead() async throws {
        let sample = try SampleAnswer()
        let feedback = { (unexpected: Double, missing: Double) in
            """
            "Feedback":{"Prosody":{"Break":{"ErrorTypes":["UnexpectedBreak"],"UnexpectedBreak":{"Confidence":\(unexpected)},\
            "MissingBreak":{"Confidence":\(missing)},"BreakLength":100},"Intonation":{"ErrorTypes":["Monotone"],"Monotone":{}}}}
            """
        }
        let nested = { (text: String, error: String, unexpected: Double, missing: Double) in
            """
            {"Word":"\(text)","Offset":10000000,"Duration":5000000,"PronunciationAssessment":{"AccuracyScore":55,"ErrorType":"\(error)",\
            \(feedback(unexpected, missing))}}
            """
        }
        let words = [
            nested("one", "Mispronunciation", 0.76, 0), nested("two", "UnexpectedBreak", 0.75, 0.9),
            nested("three", "Omission", 0, 0), nested("four", "Insertion", 0, 0), nested("five", "Monotone", 0, 0),
        ]
        let server = try ScriptedServer { _, _ in
            .json(
                """
                {"RecognitionStatus":"Success","NBest":[{"Display":"One.","PronunciationAssessment":{"AccuracyScore":55,"FluencyScore":60,\
                "ProsodyScore":65.5,"PronScore":58.2},"Words":[\(words.joined(separator: ","))]}]}
                """)
        }
        let azure = Self.azure(server)
        let scores = try #require(try await azure.assess(sample.answer, try await sample.calls(azure)).pronunciation)
        #expect(scores.overall == 58.2 && scores.prosody == 65.5 && scores.completeness == nil && scores.isMonotone)
        #expect(scores.words.map(\.error) == [.mispronunciation, nil, .omission, .insertion, nil])
        #expect(scores.words.map(\.unexpectedBreak) == [true, nil, nil, nil, nil])
        #expect(scores.words.map(\.missingBreak) == [nil, true, nil, nil, nil])
        #expect(scores.words[0].start == 1 && scores.words[0].end == 1.5)
    }

    /// 100 s are cut in pauses into pieces of at most 30 s. Every sample is sent once, although the process dies after
    /// each piece.
    @Test func aLongAnswerIsCutMergedAndAskedOnce() async throws {
        let pauses = [TimeRange(24, 26), TimeRange(50, 54), TimeRange(70, 71)]
        let sample = try SampleAnswer(seconds: 100, silences: pauses)
        let server = try ScriptedServer { request, number in
            // Every second request fails, and the process ends with it.
            number % 2 == 0
                ? .json(Self.flat(pron: Double(60 + 10 * (number / 2)), words: [Self.word("w\(number / 2)", 1)]))
                : .json("{}", status: 401)
        }
        let azure = Self.azure(server)
        var finding: AssessorFinding?
        for _ in 0..<30 where finding == nil {
            // A fresh process each time.
            finding = try? await azure.assess(sample.answer, try await sample.calls(azure))
        }
        let scores = try #require(finding?.pronunciation)
        #expect(scores.pieces.count > 3 && scores.pieces.allSatisfy { $0.length <= 30 })
        #expect(zip(scores.pieces, scores.pieces.dropFirst()).allSatisfy { $0.end == $1.start })
        let answered = server.requests.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        #expect(answered.count == scores.pieces.count, "the service answered once for each piece")
        #expect(answered.flatMap { $0.bytes.dropFirst(44) } == Array(WAVBytes.of(sample.samples).dropFirst(44)))
        // Pieces are weighted by their seconds of speech.
        let speech = scores.pieces.map { piece in
            let quiet = pauses.map { max(0, min($0.end, piece.end) - max($0.start, piece.start)) }.reduce(0, +)
            return min(piece.end, 99.5) - max(piece.start, 0.5) - quiet
        }
        let sum = speech.enumerated().map { $1 * Double(60 + 10 * $0) }.reduce(0, +)
        #expect(abs((scores.overall ?? 0) - sum / speech.reduce(0, +)) < 1e-9)
        #expect(scores.words.map(\.start) == scores.pieces.map { $0.start + 1 })
        // The answers are stored whole.
        let kept = try String(contentsOfFile: sample.folder.path + "/session/calls.jsonl", encoding: .utf8)
        #expect(kept.matches(of: /"answer":"/).count == scores.pieces.count && kept.contains("30.1"))
    }

    @Test func aSilentAnswerIsNotSent() async throws {
        let sample = try SampleAnswer(isSilent: true)
        let server = try ScriptedServer { _, _ in .json(Self.flat()) }
        let azure = Self.azure(server)
        let finding = try await azure.assess(sample.answer, try await sample.calls(azure))
        #expect(server.requests.isEmpty && finding.pronunciation == nil && finding.failure != nil)
        #expect(try azure.preview(of: sample.answer) == ["nothing: no speech is found in it"])
    }

    /// A score that one piece lacks is missing for the whole. Fluency depends on the cuts, and the version names them.
    @Test(arguments: ["", ",\"ProsodyScore\":null", ",\"ProsodyScore\":0"])
    func aScoreThatOnePieceLacksIsMissing(_ prosody: String) async throws {
        let sample = try SampleAnswer(seconds: 50, silences: [TimeRange(24, 26)])
        let server = try ScriptedServer { _, number in
            .json(
                "{\"RecognitionStatus\":\"Success\",\"NBest\":[{\"PronScore\":80,\"FluencyScore\":70"
                    + (number == 0 ? ",\"ProsodyScore\":90" : prosody) + "}]}")
        }
        let azure = Self.azure(server)
        let scores = try #require(try await azure.assess(sample.answer, try await sample.calls(azure)).pronunciation)
        #expect(server.requests.count == 2 && scores.pieces == [TimeRange(0, 25), TimeRange(25, 50)])
        #expect(scores.prosody == nil && scores.fluency == 70 && scores.overall == 80 && scores.accuracy == nil)
        #expect(azure.source.version == "en-GB pauses-30s/1")
    }

    @Test func aPreviewShowsWhatGoesAndNoKey() throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in .json("{}") }
        let text = try Self.azure(server).preview(of: sample.answer).joined()
        #expect(text.contains("POST \(server.url)/speech/recognition") && text.contains("HundredMark"))
        #expect(text.contains("ocp-apim-subscription-key: (the key)") && !text.contains("azure-secret"))
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["NoMatch", "InitialSilenceTimeout", "BabbleTimeout"])
    func unrecognisedSpeechHasNoScore(_ status: String) async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in
            .json("{\"RecognitionStatus\":\"\(status)\",\"Offset\":0,\"Duration\":0}")
        }
        let azure = Self.azure(server)
        let finding = try await azure.assess(sample.answer, try await sample.calls(azure))
        #expect(
            finding.failure == "recognised no speech in it" && finding.evidence.isEmpty && finding.pronunciation == nil)
    }

    @Test(arguments: ["120", "-3"]) func aScoreBeyondItsScaleIsInvalid(_ score: String) async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in
            .json(Self.flat(pron: Double(score)!, prosody: score, words: [Self.word("a", 1, accuracy: Double(score)!)]))
        }
        let azure = Self.azure(server)
        let finding = try await azure.assess(sample.answer, try await sample.calls(azure))
        let scores = try #require(finding.pronunciation)
        #expect(
            scores.overall == nil && scores.prosody == nil && scores.words[0].accuracy == nil && scores.accuracy == 90)
        #expect(finding.evidence[0].outcome == .missing(because: "azure gave no overall score"))
    }

    @Test(arguments: [
        (HTTPResponse.json("{\"RecognitionStatus\":\"Error\"}"), ServiceFailure.Kind.later(nil)),
        (.json("{\"RecognitionStatus\":\"Succ"), .later(nil)), (.json("{}", status: 401), .setUp),
        (.json("{}", status: 429, headers: ["retry-after": "3"]), .later(.seconds(3))),
    ]) func aFailureSaysWhatToDo(_ answer: HTTPResponse, _ kind: ServiceFailure.Kind) async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in answer }
        let azure = Self.azure(server)
        let failure = await #expect(throws: ServiceFailure.self) {
            try await azure.assess(sample.answer, try await sample.calls(azure))
        }
        #expect(failure?.kind == kind)
    }

    /// The caller waits 2 and 4 s, or as long as the server says, and makes three attempts.
    @Test func throttlingIsWaitedFor() async throws {
        let sample = try SampleAnswer()
        let waited = ServiceCaller.Waited()
        let server = try ScriptedServer { _, number in
            switch number {
            case 0: .json("{}", status: 429, headers: ["Retry-After": "9"])
            case 1: .json("{}", status: 503)
            default: .json(Self.flat())
            }
        }
        let azure = AzurePronunciation(
            id: "azure", address: server.url, language: "en-GB", key: "k", recipient: nil, caller: .hasty(waited))
        #expect(try await azure.assess(sample.answer, try await sample.calls(azure)).pronunciation?.overall == 80)
        #expect(waited.all == [.seconds(9), .seconds(4)])
    }
}
