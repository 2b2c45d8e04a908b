import BackendAPI
import ExamCore
import Foundation
import Testing

/// Round trips between both sides of the wire.
@Suite struct WireRoundTrips {
    private static let (first, second) = (
        UUID(uuidString: "9D9E7A3B-0B5C-4B84-9D6C-7F0C2E6E1A11")!,
        UUID(uuidString: "11111111-2222-4333-8444-555555555555")!
    )

    /// Decodes the encoded value, compares it, and returns its JSON fields.
    private func fields<Value: Codable & Equatable>(_ value: Value) throws -> [String: Any] {
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(Value.self, from: data) == value)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func rowsOfASessionAreReadAsTheyAreWritten() throws {
        let session = try fields(
            SessionRow(id: Self.first, name: "n", format: "f", paper: "p", startedAt: "2026-11-21T09:12:29Z"))
        #expect(Set(session.keys) == ["id", "name", "format", "paper", "startedAt"])
        #expect(session["id"] as? String == "9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11", "in lower case")
        let record = AnswerRecord(
            question: "q", part: 1, order: 2, attempt: 3, end: "finished", duration: Seconds(.seconds(4)),
            speech: Seconds(.milliseconds(2_500)))
        let answer = try fields(
            AnswerRow(
                id: Self.second, session: Self.first, record: record,
                recording: .init(path: "r", byteCount: 5, sha256: "00", mediaType: "audio/ogg")))
        // The record's fields are at the same level as those of the row.
        #expect(answer["question"] as? String == "q" && answer["speech"] as? Double == 2.5)
        #expect((answer["recording"] as? [String: Any])?["mediaType"] as? String == "audio/ogg")
        let left = try fields(
            CompletionRow(
                id: Self.second, session: Self.first, completedAt: "2026-11-21T09:26:29Z", outcome: nil, answers: 2,
                delivered: 1))
        #expect(left["outcome"] == nil && left["delivered"] as? Int == 1)
    }

    @Test func templatesAreReadWithAndWithoutTheirQuestions() throws {
        let question = QuestionRow(
            id: Self.second, part: 1, order: 1, text: "Where?", question: "home-1", audio: "where.wav",
            transcript: "Where?", expectedDuration: 30, topicKeywords: ["home"])
        for questions in [nil, [question]] {
            let row = TemplateRow(
                id: Self.first, title: "T", description: "D", difficulty: "Easy", format: "f", paper: "p",
                questions: questions)
            #expect(try fields(TemplateList(templates: [row]))["templates"] is [Any])
        }
    }

    @Test func aNewSubmissionNamesItsTemplateIfItHasOne() throws {
        #expect(Set(try fields(NewSubmissionRow(id: Self.first)).keys) == ["id"])
        let both = try fields(NewSubmissionRow(id: Self.first, template: Self.second))
        #expect(both["template"] as? String == "11111111-2222-4333-8444-555555555555")
    }

    private static let answers: [AnyAnswer] = [
        .multipleChoice(selectedOption: 999), .fillInTheBlank(textAnswer: "on the other hand"),
        .calculation(numericAnswer: "3,50 °C"),
        .spoken(audioId: "a", duration: 12.5, sha256: String(repeating: "ab", count: 32)),
    ]

    /// Swift writes an enumeration without code of its own in this form.
    @Test(arguments: answers) func anAnswerIsReadInTheFormOfAnEnumeration(_ answer: AnyAnswer) throws {
        var fields = try fields(answer)
        let kind = try #require(fields.removeValue(forKey: "type") as? String)
        let text = try JSONSerialization.data(withJSONObject: [kind: fields])
        #expect(try JSONDecoder().decode(AnyAnswer.self, from: text) == answer)
    }

    @Test(arguments: answers) func anAnswerIsReadAsItIsWritten(_ answer: AnyAnswer) throws {
        let kind = try #require(try fields(answer)["type"] as? String)
        let input = ClientAnswerInput(questionId: "q", answer: answer)
        let request = QuizSubmissionRequest(answers: [input], batch: .init(number: 1, of: 2))
        #expect(try (fields(request)["answers"] as? [[String: Any]])?.count == 1)
        // Converts to the core's kind and back. The core has no recordings.
        #expect((kind == "spoken") == (answer.practiceAnswer == nil))
        if let practised = answer.practiceAnswer { #expect(AnyAnswer(practised) == answer) }
    }

    @Test(arguments: [
        #"{}"#, #"{"type":"drawing"}"#, #"{"type":"multipleChoice"}"#,
        #"{"type":"multipleChoice","selectedOption":1000}"#,
        #"{"type":"multipleChoice","selectedOption":-1}"#, #"{"type":"calculation","numericAnswer":"six"}"#,
        #"{"type":"spoken","audioId":"a","duration":3601,"sha256":"00"}"#,
        #"{"type":"spoken","audioId":"a","duration":1,"sha256":"zz"}"#,
    ]) func malformedAnswersAreRejected(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnyAnswer.self, from: Data(text.utf8)) }
    }

    @Test func aResponseIsReadAsItIsWritten() throws {
        let response = try fields(QuizSubmissionResponse(attemptId: Self.first, message: "m"))
        #expect(response["attemptId"] as? String == "9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11")
    }

    /// `WrittenID` also rejects `-f` in place of two digits, which Foundation accepts.
    @Test(arguments: [
        "", "9d9e7a3b", "9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a1", "9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a-f",
        " 9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11", "{9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11}",
    ]) func malformedIDsAreRejected(_ text: String) {
        #expect(WrittenID(text) == nil)
    }

    @Test func anIDIsReadInLettersOfEitherCase() {
        #expect(WrittenID("9D9E7A3B-0B5C-4B84-9d6c-7f0c2e6e1a11") == WrittenID(Self.first))
    }

    @Test func routesAreAddressesBelowTheBase() {
        for base in ["https://e.org/api", "https://e.org/api//"] {
            let routes = BackendRoutes(base: base)
            #expect(
                routes.submission(Self.first) == "https://e.org/api/v1/submissions/9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11"
            )
            #expect(routes.submissions == "https://e.org/api/v1/submissions")
            #expect(routes.board(of: "8 b/c") == "https://e.org/api/v1/practice/boards/8%20b%2Fc")
            #expect(
                routes.questions(topic: "food & drink", difficulty: nil, limit: 5)
                    == "https://e.org/api/v1/questions?limit=5&topic=food%20%26%20drink")
            #expect(routes.plan("undo") == "https://e.org/api/v1/plan/undo")
        }
    }
}
