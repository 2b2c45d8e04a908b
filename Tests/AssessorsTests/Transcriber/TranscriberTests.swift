import Assessment
import AudioFiles
import Foundation
import HTTPClient
import LoopbackServers
import Testing

@testable import Assessors

/// Recognisers over HTTP, and how far their words are believed.
@Suite struct TranscriberTests {
    private static func transcriber(
        _ server: ScriptedServer, _ interface: Transcriber.Interface = .openAI, key: String? = "sk-secret"
    ) -> Transcriber {
        Transcriber(
            id: "whisper", interface: interface, address: server.url + "/v1", model: "whisper-1", language: "en",
            isVerbatim: false, key: key, recipient: nil, caller: .hasty())
    }

    /// Returns OpenAI's `verbose_json`, with fields that are not read.
    private static func verbose(_ segments: [(String, Double, Double, Double)], words: String = "[]") -> String {
        let list = segments.map { text, start, end, none in
            """
            {"id":0,"seek":0,"start":\(start),"end":\(end),"text":" \(text)","tokens":[1],"temperature":0.0,"avg_logprob":-0.2,\
            "compression_ratio":1.1,"no_speech_prob":\(none)}
            """
        }
        return """
            {"task":"transcribe","language":"english","duration":5.0,"text":"all","segments":[\(list.joined(separator: ","))],\
            "words":\(words),"usage":{"type":"duration","seconds":5}}
            """
    }

    @Test func aRequestIsAsTheContractHasIt() async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { request, _ in
            guard request.method == "POST", request.path == "/v1/audio/transcriptions", let form = ReadForm(request),
                form["model"] == ["whisper-1"], form["language"] == ["en"], form["temperature"] == ["0"],
                form["response_format"] == ["verbose_json"], form["timestamp_granularities[]"] == ["word", "segment"],
                request.header("authorization") == "Bearer sk-secret", request.header("idempotency-key")?.count == 36
            else { return .json("{\"error\":{\"message\":\"no\"}}", status: 422) }
            return .json(
                Self.verbose(
                    [("I live", 0.5, 2, 0.1), ("in a town.", 2, 4, 0.1)],
                    words: """
                        [{"word":"I","start":0.5,"end":0.6},{"word":"live","start":0.6,"end":1.9},{"word":"in","start":2.1,"end":2.3},\
                        {"word":"a","start":2.3,"end":2.4},{"word":"town","start":2.4,"end":4.0}]
                        """))
        }
        let whisper = Self.transcriber(server)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        let transcript = try #require(finding.transcript)
        #expect(transcript.text == "I live in a town." && transcript.source == .recogniser)
        #expect(transcript.recogniser == whisper.source && transcript.isVerbatim == false)
        #expect(transcript.words?.map(\.text) == ["I", "live", "in", "a", "town"])
        #expect(finding.recording == sample.answer.recording && finding.dropped.isEmpty)
        // Every sample of the recording was sent.
        let file = try #require(ReadForm(server.requests[0])?.file)
        #expect(file == WAVBytes.of(sample.samples))
    }

    @Test func aSilentAnswerIsNotSent() async throws {
        let sample = try SampleAnswer(isSilent: true)
        let server = try ScriptedServer { _, _ in .json("{\"text\":\"thank you for watching\"}") }
        let whisper = Self.transcriber(server)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        #expect(server.requests.isEmpty && finding.transcript == nil && finding.failure != nil)
    }

    @Test func wordsHeardInSilenceAreDroppedAndCounted() async throws {
        let sample = try SampleAnswer(seconds: 20, silences: [TimeRange(6, 14)])
        let server = try ScriptedServer { _, _ in
            .json(
                Self.verbose([
                    ("I live here", 1, 5, 0.1), ("Thank you for watching.", 7, 13, 0.2), ("you", 15, 16, 0.9),
                    ("no no no no", 15, 17, 0), ("and it is fine", 15, 19, 0.8),
                ]))
        }
        let whisper = Self.transcriber(server)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        #expect(finding.transcript?.text == "I live here and it is fine")
        #expect(finding.dropped == [.silence: 1, .noSpeech: 1, .repetition: 1])
    }

    @Test func anAnswerWithoutCredibleWordsIsReported() async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in .json(Self.verbose([("bye bye bye", 1, 3, 0)])) }
        let whisper = Self.transcriber(server)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        #expect(finding.transcript == nil && finding.failure == "heard no words in it that can be believed")
    }

    /// gpt-4o-transcribe supports only `json`.
    @Test(arguments: [400, 422]) func wordsWithoutTimesGetNone(_ status: Int) async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { request, _ in
            ReadForm(request)?["response_format"] == ["json"]
                ? .json("{\"text\":\"I live in a town.\",\"usage\":{}}")
                : .json(
                    "{\"error\":{\"message\":\"response_format 'verbose_json' is not compatible\"}}", status: status)
        }
        let whisper = Self.transcriber(server)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        #expect(server.requests.count == 2)
        #expect(finding.transcript?.text == "I live in a town." && finding.transcript?.words == nil)
    }

    /// whisper.cpp has words in its segments, with probabilities. Its path is another one, and its refusals are not
    /// JSON.
    @Test func whispersOwnServerIsRead() async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { request, number in
            guard request.path == "/v1/inference", let form = ReadForm(request), form["model"].isEmpty,
                form.file.starts(with: Array("RIFF".utf8))
            else { return HTTPResponse(status: 400, body: Array("Invalid request".utf8)) }
            return .json(
                """
                {"text":" I live","segments":[{"id":0,"text":" I live","start":0.6,"end":3.0,"no_speech_prob":0.01,\
                "words":[{"word":" I","start":0.6,"end":0.7,"t_dtw":-1,"probability":0.9},{"word":" live","start":0.7,"end":3.0,\
                "probability":1.7}]}]}
                """)
        }
        let whisper = Self.transcriber(server, .whisperCPP, key: nil)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        #expect(finding.transcript?.words?.map(\.confidence) == [0.9, nil], "a confidence of 1.7 is invalid")
        #expect(server.requests[0].header("authorization") == nil)
    }

    @Test func aTimeOutsideTheRecordingIsInvalid() async throws {
        let sample = try SampleAnswer()
        let words = [("I", -1, 1.0), ("live", 2, 1), ("in", 2, 2.5), ("town", 4, 5.8), ("now", 5, 1e9)].map {
            "{\"word\":\"\($0)\",\"start\":\($1),\"end\":\($2)}"
        }
        let server = try ScriptedServer { _, _ in
            .json(
                Self.verbose([("I live in town now", 0.5, 4.5, 0)], words: "[\(words.joined(separator: ","))]"))
        }
        let whisper = Self.transcriber(server)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        #expect(finding.transcript?.text == "I live in town now")
        #expect(finding.transcript?.words?.map(\.text) == ["in", "town"], "rounded times may end a little later")
    }

    /// If a word's time swallows a pause, the measured pauses and rates stay.
    @Test func measuresNeverComeFromARecognisersTimes() async throws {
        let sample = try SampleAnswer(seconds: 10, silences: [TimeRange(3, 5)])
        let server = try ScriptedServer { _, _ in
            .json(
                Self.verbose(
                    [("I live", 1, 9, 0)],
                    words: "[{\"word\":\"I\",\"start\":1,\"end\":6},{\"word\":\"live\",\"start\":6,\"end\":9}]"))
        }
        let whisper = Self.transcriber(server)
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        let measured = ExamAssessment.Measured(
            record: sample.answer.record, recording: sample.answer.recording, sound: sample.answer.sound)
        let assessment = ExamAssessment.make(session: "s", answers: [measured])
        let text = ExamText(of: assessment, [try #require(finding.transcript)])
        #expect(assessment.answers[0].sound.timeline.pauses == [TimeRange(3, 5)])
        // Two words in nine measured seconds. The words' own times do not count.
        #expect(abs((text["part1_q1"]?.wordsPerMinute ?? 0) - 2 * 60 / 9) < 1e-9)
    }

    /// A recording that is too long for the service is cut at pauses. Each piece is requested once, with its times
    /// shifted to its place.
    @Test func aLongAnswerIsCutAndLosesNothing() async throws {
        let sample = try SampleAnswer(seconds: 1300, silences: [TimeRange(500, 502), TimeRange(1000, 1003)])
        let server = try ScriptedServer { request, number in
            number == 1
                ? .json("{\"text\":\"cut o")
                : .json(
                    Self.verbose([("piece \(number)", 10, 20, 0)], words: "[{\"word\":\"w\",\"start\":10,\"end\":20}]"))
        }
        let whisper = Self.transcriber(server)
        // The second answer is broken. It is not stored, and the next process requests it again.
        await #expect(throws: ServiceFailure(.later(nil), "whisper answers something else than a transcription")) {
            try await whisper.assess(sample.answer, try await sample.calls(whisper))
        }
        let finding = try await whisper.assess(sample.answer, try await sample.calls(whisper))
        #expect(server.requests.count == 4)
        #expect(finding.transcript?.text == "piece 0 piece 2 piece 3")
        #expect(finding.transcript?.words?.map(\.start) == [10, 511, 1011.5])
        let files = [0, 2, 3].map { ReadForm(server.requests[$0])?.file ?? [] }
        #expect(files.flatMap { $0.dropFirst(44) } == Array(WAVBytes.of(sample.samples).dropFirst(44)))
    }

    @Test(arguments: [
        (HTTPResponse.json("{}", status: 401), ServiceFailure.Kind.setUp, 1),
        (.json("{}", status: 404), .setUp, 1), (.json("{}", status: 413), .refused, 1),
        (.json("{}", status: 400), .refused, 2), (.json("{}", status: 500), .later(nil), 3),
        (.json("{}", status: 429, headers: ["retry-after": "7"]), .later(.seconds(7)), 3),
        (.json("{}", status: 503, headers: ["retry-after": "900"]), .later(.seconds(900)), 1),
        (.json("{}", status: 200), .later(nil), 1), (.json("[]", status: 200), .later(nil), 1),
        (HTTPResponse(status: 200, body: Array("<html>".utf8)), .later(nil), 1),
    ]) func aFailureSaysWhatToDo(_ answer: HTTPResponse, _ kind: ServiceFailure.Kind, _ count: Int) async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in answer }
        let whisper = Self.transcriber(server)
        let failure = await #expect(throws: ServiceFailure.self) {
            try await whisper.assess(sample.answer, try await sample.calls(whisper))
        }
        #expect(failure?.kind == kind && failure?.sentence.contains("sk-secret") == false)
        #expect(server.requests.count == count)
    }

    @Test func aPreviewShowsWhatGoesAndNoKey() throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in .json("{}") }
        let text = try Self.transcriber(server).preview(of: sample.answer).joined()
        #expect(text.contains("POST \(server.url)/v1/audio/transcriptions") && text.contains("model: whisper-1"))
        #expect(text.contains("authorization: (the key)") && !text.contains("sk-secret"))
        #expect(server.requests.isEmpty)
    }
}
