import Foundation
import HTTPClient
import SupabaseStandIn
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// The requests on the wire, for readers: each as its line with the names of its headers.
@Suite(.needs(StandInProject.obstacle)) struct WireGoldens {
    private static let session = "11111111-2222-4333-8444-555555555555"
    private static let object = "audio-responses/responses/\(session)_part1_q1.opus"

    private func picture(_ device: Device) -> String {
        device.standIn.with { state in
            state.requests.map { request in
                let names = request.headers.map { $0.name }.joined(separator: ", ")
                let body =
                    switch request.body {
                    case .none: ""
                    case .bytes(let bytes): "\n  " + String(decoding: bytes, as: UTF8.self)
                    case .file(_, let offset, let count): "\n  bytes \(offset)..<\(offset + count) of the file"
                    }
                return "\(request.line)\n  \(names)\(body)"
            }.joined(separator: "\n")
        }
    }

    @Test func aSignIn() async throws {
        let device = try Device()
        try await device.auth().signIn(email: StandInAuth.email, password: StandInAuth.password)
        #expect(
            picture(device) == """
                POST /auth/v1/token?grant_type=password
                  apikey, Content-Type, X-Supabase-Api-Version
                  {"email":"candidate@example.org","password":"correct horse"}
                """)
        #expect(device.complaints.isEmpty)
    }

    @Test func aRefresh() async throws {
        let device = try Device()
        try await device.signIn()
        let auth = try device.auth()
        _ = try await auth.credentials(insteadOf: auth.credentials())
        #expect(
            picture(device) == """
                POST /auth/v1/token?grant_type=refresh_token
                  apikey, Content-Type, X-Supabase-Api-Version
                  {"refresh_token":"refresh-1-1"}
                """)
        #expect(device.complaints.isEmpty)
    }

    @Test func aSession() async throws {
        let device = try Device()
        try await device.signIn()
        try await device.deliver(device.sessionUpload)
        #expect(
            picture(device) == """
                POST /rest/v1/test_sessions
                  apikey, Authorization, Content-Type, Content-Profile, Prefer
                  {"id":"\(Self.session)","started_at":"2026-11-21T09:12:29Z","status":"in_progress",\
                "test_template_id":"\(StandInProject.template)","user_id":"\(StandInAuth.user)"}
                """)
        #expect(device.complaints.isEmpty)
    }

    @Test func anAnswer() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.answer(seconds: 12))
        #expect(
            picture(device) == """
                POST /storage/v1/object/\(Self.object)
                  apikey, Authorization, Content-Type, cache-control, x-upsert
                  bytes 0..<48000 of the file
                GET /storage/v1/object/info/\(Self.object)
                  apikey, Authorization
                POST /rest/v1/responses
                  apikey, Authorization, Content-Type, Content-Profile, Prefer
                  {"audio_file_path":"responses/\(Self.session)_part1_q1.opus","duration_seconds":12,\
                "id":"aaaaaaaa-0000-4000-8000-000000001101","processing_order":101,\
                "question_id":"\(StandInProject.question(1, 1))","test_session_id":"\(Self.session)","upload_status":"uploaded"}
                PATCH /rest/v1/test_sessions?id=eq.\(Self.session)&status=eq.in_progress&select=id
                  apikey, Authorization, Content-Type, Content-Profile, Prefer, Accept
                  {"completed_responses":1}
                """)
        #expect(device.complaints.isEmpty)
    }

    @Test func aLongAnswer() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.answer(bytes: 7 << 20), by: device.uploader())
        let place = device.standIn.with { $0.storage.resumables.keys.first! }
        #expect(
            picture(device).components(separatedBy: "\nGET").first == """
                POST /storage/v1/upload/resumable
                  apikey, Authorization, Tus-Resumable, Upload-Length, Upload-Metadata, x-upsert
                HEAD /storage/v1/upload/resumable/\(place)
                  apikey, Authorization, Tus-Resumable
                PATCH /storage/v1/upload/resumable/\(place)
                  apikey, Authorization, Tus-Resumable, Content-Type, Upload-Offset, x-upsert
                  bytes 0..<6291456 of the file
                PATCH /storage/v1/upload/resumable/\(place)
                  apikey, Authorization, Tus-Resumable, Content-Type, Upload-Offset, x-upsert
                  bytes 6291456..<7340032 of the file
                """)
        #expect(device.complaints.isEmpty)
    }

    @Test func aCompletion() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.completion(of: 3, delivered: 3))
        #expect(
            picture(device) == """
                PATCH /rest/v1/test_sessions?id=eq.\(Self.session)&status=eq.in_progress&select=id
                  apikey, Authorization, Content-Type, Content-Profile, Prefer, Accept
                  {"all_responses_uploaded":true,"completed_at":"2026-11-21T09:26:01Z","completed_responses":3,\
                "expected_responses":3,"status":"completed"}
                POST /rest/v1/processing_queue
                  apikey, Authorization, Content-Type, Content-Profile, Prefer
                  {"id":"cccccccc-0000-4000-8000-000000000001","session_id":"\(Self.session)","status":"pending",\
                "test_session_id":"\(Self.session)"}
                """)
        #expect(device.complaints.isEmpty)
    }

    @Test func aQuestionAboutResults() async throws {
        let device = try await Device.ready()
        let results = SupabaseResults(try Device.project(), auth: try device.auth(), over: device.standIn)
        #expect(try await results.status(of: Device.session.id) == .inProgress)
        #expect(
            picture(device) == """
                GET /rest/v1/test_sessions?id=eq.\(Self.session)&select=status,overall_band_score,fluency_score,\
                pronunciation_score,grammar_score,vocabulary_score,topic_relevance_score
                  apikey, Authorization, Accept-Profile, Accept
                """)
        #expect(device.complaints.isEmpty)
    }

    /// The key is the project's and the bearer token the user's. A publishable key as bearer would give a 401.
    @Test func theUsersTokenIsTheBearer() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.answer())
        let requests = device.standIn.with { $0.requests }
        #expect(!requests.isEmpty)
        for request in requests {
            #expect(request["apikey"] == StandInProject.key)
            #expect(request["Authorization"]?.hasPrefix("Bearer eyJ") == true)
        }
    }
}
