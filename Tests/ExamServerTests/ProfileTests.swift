import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork

/// The profiles of users.
@Suite(.bothStores) struct ProfileTests {
    private let ann = UUID()
    private let ben = UUID()
    private let png = [0x89] + Array("PNG\r\n, and a picture".utf8)

    @Test func aProfileIsItsOwnersOnly() async throws {
        let server = try await RunningServer()
        let names = ["username": "ann", "fullName": "Ann Example"]
        let put = try await server.ask("PUT", "/v1/profile", names, as: ann)
        #expect(put.status == 200 && put.object["fullName"] as? String == "Ann Example")
        let kind = [("Content-Type", "image/png")]
        #expect(try await server.ask("PUT", "/v1/profile/picture", as: ann, headers: kind, bytes: png).status == 204)
        let hers = try await server.ask("GET", "/v1/profile", as: ann).object
        #expect(hers["username"] as? String == "ann" && hers["picture"] as? String == "/v1/profile/picture")
        let picture = try await server.ask("GET", "/v1/profile/picture", as: ann)
        #expect(picture.body == png && picture.header("Content-Type") == "image/png")
        let tag = try #require(picture.header("ETag"))
        let again = try await server.ask("GET", "/v1/profile/picture", as: ann, headers: [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty)
        // Ben has no profile, and nothing of Ann's is shown to him.
        let his = try await server.ask("GET", "/v1/profile", as: ben).object
        #expect(his.keys.sorted() == ["user"])
        #expect(try await server.ask("GET", "/v1/profile/picture", as: ben).status == 404)
        #expect(try await server.ask("DELETE", "/v1/profile", as: ben).status == 204)
        #expect(try await server.ask("GET", "/v1/profile", as: ann).object["username"] as? String == "ann")
        // A missing field is removed; the picture stays.
        let less = try await server.ask("PUT", "/v1/profile", ["username": "anna"], as: ann).object
        #expect(less["username"] as? String == "anna" && less["fullName"] == nil && less["picture"] != nil)
        await server.stop()
    }

    @Test func aPictureTakesThePlaceOfTheOneBeforeAndGoesWithTheProfile() async throws {
        let server = try await RunningServer()
        for (kind, bytes) in [("image/png", png), ("image/webp", [1, 2, 3]), ("image/jpeg", [4, 5])] {
            let put = try await server.ask(
                "PUT", "/v1/profile/picture", as: ann, headers: [("Content-Type", kind)], bytes: bytes)
            #expect(put.status == 204)
            let got = try await server.ask("GET", "/v1/profile/picture", as: ann)
            #expect(got.body == bytes && got.header("Content-Type") == kind)
        }
        let place = AudioKey.profile(of: ann)
        let stored = try await server.services.audio.keys(of: place, user: ann)
        #expect(stored.count == 1)
        let profile = try await server.services.owned(by: ann).profile()
        #expect(profile.picture == stored.first?.text, "the row names the object")
        #expect(try await server.ask("DELETE", "/v1/profile", as: ann).status == 204)
        #expect(try await server.services.audio.keys(of: place, user: ann).isEmpty)
        #expect(try await server.services.owned(by: ann).profile() == Profile())
        #expect(try await server.ask("GET", "/v1/profile/picture", as: ann).status == 404)
        #expect(try await server.ask("DELETE", "/v1/profile", as: ann).status == 204, "erasing again succeeds")
        await server.stop()
    }

    @Test func aFileThatIsNotAPictureIsRefused() async throws {
        let server = try await RunningServer()
        for kind in ["image/svg+xml", "text/html", "image/gif", "audio/ogg", "image/"] {
            let put = try await server.ask(
                "PUT", "/v1/profile/picture", as: ann, headers: [("Content-Type", kind)], bytes: png)
            #expect(put.status == 415, "\(kind)")
        }
        let kind = [("Content-Type", "image/png")]
        let large = [UInt8](repeating: 7, count: ProfileRoutes.mostBytes + 1)
        #expect(try await server.ask("PUT", "/v1/profile/picture", as: ann, headers: kind, bytes: large).status == 413)
        #expect(try await server.ask("PUT", "/v1/profile/picture", as: ann, headers: kind, bytes: []).status == 400)
        #expect(try await server.ask("PUT", "/v1/profile", ["username": ""], as: ann).status == 400)
        await server.stop()
    }
}
