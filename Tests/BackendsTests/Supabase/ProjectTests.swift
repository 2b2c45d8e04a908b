import Foundation
import HTTPClient
import SupabaseStandIn
import SystemSupport
import Testing

@testable import Backends

@Suite struct ProjectTests {
    private static let key = StandInProject.key

    private func sentence(_ url: String, _ key: String = key) -> String? {
        do throws(Problem) {
            _ = try SupabaseProject(url: url, key: key)
            return nil
        } catch {
            #expect(error.kind == .malformed)
            return error.sentence
        }
    }

    private func token(_ claims: [String: Any]) throws -> String {
        let payload = try JSONSerialization.data(withJSONObject: claims)
        return "eyJhbGciOiJIUzI1NiJ9.\(payload.base64URL).c2ln"
    }

    @Test func bothShapesOfKeysAreTaken() throws {
        let anonymous = try token(["role": "anon", "iss": "supabase"])
        for key in ["sb_publishable_abc_123", anonymous, " \(anonymous)\n"] {
            #expect(try SupabaseProject(url: "https://abcdefgh.supabase.co", key: key).key == key.trimmed)
        }
    }

    @Test func aSecretKeyIsRefused() throws {
        let service = try token(["role": "service_role"])
        for key in ["sb_secret_abc", service] {
            let words = sentence("https://abcdefgh.supabase.co", key)
            #expect(words?.contains("secret") == true)
            #expect(words?.contains(key) == false)
        }
    }

    @Test(arguments: [
        "", "   ", "abcdefgh.supabase.co", "ftp://abcdefgh.supabase.co", "https://", "https://user:word@a.b",
        "https://a.b/?x=1", "https://a.b/#x", "http://abcdefgh.supabase.co", "http://8.8.8.8",
        "http://127.0.0.1.evil.com", "http://10.0.0.2.evil.com",
        "http://127.0.0.256", "http://192.168.1", "https://a b", "://",
    ])
    func aBadURLIsReportedInOneSentence(_ url: String) throws {
        let words = try #require(sentence(url))
        #expect(words.hasPrefix("the Supabase project's URL "))
        #expect(!words.hasSuffix("."))
    }

    @Test(arguments: ["", " ", "abc", "a b", "eyJ.x.y", "sb_publishablé_1"])
    func aBadKeyIsReportedInOneSentenceWithoutIt(_ key: String) throws {
        let words = try #require(sentence("https://a.b", key))
        #expect(words.hasPrefix("the Supabase project's key "))
        #expect(key.trimmed.isEmpty || key == "a b" || !words.contains(" \(key)"))
    }

    @Test func slashesAtTheEndMakeNoDifference() throws {
        let project = try SupabaseProject(url: "https://abcdefgh.supabase.co//", key: Self.key)
        #expect(project.url == "https://abcdefgh.supabase.co")
        #expect("\(project)" == "abcdefgh.supabase.co")
        #expect(
            try SupabaseProject(url: "https://a.b:8443/supabase/", key: Self.key).url == "https://a.b:8443/supabase")
        #expect(try SupabaseProject(url: "https://a.b:8443/", key: Self.key).place == "a.b:8443")
    }

    @Test(arguments: [
        "http://localhost:8000", "http://127.0.0.1:54321", "http://kong:8000", "http://192.168.1.7", "http://10.0.0.2",
        "http://172.20.0.3:8000", "http://[::1]:8000",
    ])
    func plainHTTPOnlyReachesTheLocalNetwork(_ url: String) {
        #expect(sentence(url) == nil)
    }

    @Test func credentialsDoNotShowTheirTokens() {
        let credentials = Credentials(
            project: StandInProject.url, user: StandInAuth.user, accessToken: "top-secret-1",
            refreshToken: "top-secret-2")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains("top-secret"))
        }
    }
}
