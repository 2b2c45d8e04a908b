import ExamStore
import Foundation
import HTTPClient
import SystemSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// The rules by which a school's people get roles and groups, and the file that has them.
@Suite struct SchoolRulesTests {
    private func claims(_ json: String) throws -> Claims {
        Claims(try JSONDecoder().decode([String: ClaimValue].self, from: Data(json.utf8)))
    }

    private func admit(_ json: String, _ people: [SchoolRules.PersonRule], _ groups: [SchoolRules.GroupRule] = [])
        throws
        -> SchoolRules.Admission?
    {
        try? SchoolRules(school: "elm", people: people, groups: groups).admit(claims(json))
    }

    @Test func rolesComeFromClaims() throws {
        let rules: [SchoolRules.PersonRule] = [
            .init(claim: "groups", is: "staff", role: "teacher"), .init(claim: "r.a", is: "m", role: "marker"),
            .init(claim: "https://elm.example/pupil", is: "true", role: "learner"),
        ]
        for (json, roles) in [
            (#"{"groups": ["x", "staff"]}"#, [.teacher]), (#"{"groups": "staff"}"#, [.teacher]),
            (#"{"groups": ["staff"], "r": {"a": ["m"]}}"#, [.teacher, .marker]),
            (#"{"r.a": "m"}"#, [.marker]), (#"{"https://elm.example/pupil": true}"#, [.learner]),
            (#"{"groups": ["Staff", "staff ", "staffroom"]}"#, nil), (#"{"groups": {"staff": 1}}"#, nil),
            (#"{"groups": [["staff"]]}"#, nil), (#"{"groups": null, "r": {"a": {"m": "m"}}}"#, nil),
            (#"{"https://elm.example/pupil": 1}"#, nil), ("{}", nil),
        ] as [(String, Set<ClassMember.Role>?)] {
            #expect(try admit(json, rules)?.roles == roles, "\(json)")
        }
        // A rule without a claim is for everyone.
        #expect(try admit("{}", [.init(role: "learner")])?.roles == [.learner])
    }

    @Test func groupsComeFromClaims() throws {
        let everyone: [SchoolRules.PersonRule] = [.init(role: "learner")]
        let json = #"{"groups": ["/classes/7b", "/classes/", "/staff", "id-1", "id-2"], "form": "9B"}"#
        for (rules, groups) in [
            ([.init(claim: "groups", begins: "/classes/")], ["7b"]),
            ([.init(claim: "groups", is: "id-1", group: "8c")], ["8c"]),
            ([.init(claim: "form")], ["9B"]),
            ([.init(claim: "form"), .init(claim: "groups", is: "id-2", group: "x")], ["9B", "x"]),
            ([.init(claim: "none")], []), ([], []),
        ] as [([SchoolRules.GroupRule], Set<String>)] {
            let named = Set(groups.map { "elm:\($0)" })
            #expect(try admit(json, everyone, rules)?.groups == named, "\(rules)")
        }
        let many = (0...100).map { "\"\($0)\"" }.joined(separator: ",")
        for json in [#"{"g": ["a\u0007"]}"#, #"{"g": [""]}"#, "{\"g\": [\(many)]}"] {
            #expect(throws: SchoolRules.Refusal.groups) {
                try SchoolRules(school: "elm", people: everyone, groups: [.init(claim: "g")]).admit(claims(json))
            }
        }
    }

    /// At many services people write their own address.
    @Test func anAddressCountsOnlyIfTheServiceHasVerifiedIt() throws {
        let rules: [SchoolRules.PersonRule] = [.init(claim: "email", is: "hale@elm.example", role: "teacher")]
        for (verified, isTeacher) in [
            (#", "email_verified": true"#, true), (#", "email_verified": "true""#, true),
            (#", "email_verified": false"#, false), (#", "email_verified": 1"#, false), ("", false),
        ] {
            let json = #"{"email": "hale@elm.example"\#(verified)}"#
            #expect(try admit(json, rules)?.roles == (isTeacher ? [.teacher] : nil), "\(json)")
            let groups: [SchoolRules.GroupRule] = [.init(claim: "email", is: "hale@elm.example", group: "7b")]
            let own: Set<String> = isTeacher ? ["elm:7b"] : []
            #expect(try admit(json, [.init(role: "learner")], groups)?.groups == own, "\(json)")
        }
    }

    /// A marker without groups is offered the exams of all groups.
    @Test func amongSeveralSchoolsAMarkerNeedsAGroup() throws {
        let people: [SchoolRules.PersonRule] = [.init(claim: "r", is: "m", role: "marker"), .init(role: "learner")]
        let groups: [SchoolRules.GroupRule] = [.init(claim: "g")]
        let several = SchoolRules(school: "elm", people: people, groups: groups, isOneOfSeveral: true)
        #expect(try admit(#"{"r": "m"}"#, people, groups)?.roles == [.marker, .learner])
        #expect(throws: SchoolRules.Refusal.groups) { try several.admit(claims(#"{"r": "m"}"#)) }
        #expect(try several.admit(claims(#"{"r": "m", "g": "7b"}"#)).groups == ["elm:7b"])
        #expect(try several.admit(claims("{}")).groups == [])
    }

    @Test func namesAreShortAndVisible() throws {
        for (json, name) in [
            (#"{"name": "  Ann \u0000 Lee\n"}"#, "Ann Lee"), (#"{"name": "", "preferred_username": "ann"}"#, "ann"),
            (#"{"name": 7}"#, nil), (#"{"name": "\u0007"}"#, nil),
            ("{\"name\": \"\(String(repeating: "é", count: 80))\"}", String(repeating: "é", count: 60)),
        ] as [(String, String?)] {
            #expect(try admit(json, [.init(role: "learner")])?.name == name, "\(json)")
        }
    }

    // MARK: The file

    private static let good = #"""
        {
          "version": 1, "address": "https://exams.example.org", "hours": 12,
          "schools": [
            {
              "id": "elm", "name": "Elm School", "issuer": "https://login.example.org/realms/elm", "client": "oracy",
              "secret": {"file": "elm.secret"}, "scopes": ["openid", "profile"],
              "people": [{"claim": "groups", "is": "/staff", "role": "teacher"}, {"role": "learner"}],
              "groups": [{"claim": "groups", "begins": "/classes/"}, {"claim": "groups", "is": "g-1", "group": "7b"}]
            }
          ]
        }
        """#

    @Test func aFileIsRefusedInOneSentenceWithItsField() throws {
        let folder = NSTemporaryDirectory() + "oracy-school-file-\(UUID().uuidString)"
        try PrivateFile.createFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func mistake(_ text: String) throws -> String? {
            try PrivateFile.replace(folder + "/schools.json", with: Array(text.utf8))
            do throws(Problem) {
                _ = try SchoolAccounts(file: folder + "/schools.json")
                return nil
            } catch {
                #expect(!error.sentence.contains("\n") && !error.sentence.hasSuffix("."), "\(error.sentence)")
                return error.sentence
            }
        }
        #expect(try mistake(Self.good)?.contains("elm.secret") == true, "the secret is missing")
        try PrivateFile.replace(folder + "/elm.secret", with: Array("hush\n".utf8))
        #expect(try mistake(Self.good) == nil)
        let changes: [(from: String, to: String, words: String)] = [
            (#""version": 1"#, #""version": 2"#, "version"), (#""hours": 12"#, #""hours": 25"#, "hours: 25"),
            (#""hours": 12"#, #""ours": 12"#, "ours"),
            ("https://exams.example.org", "http://exams.example.org", "address: should be"),
            ("https://exams.example.org", "https://exams.example.org/x", "address: should be"),
            (#""id": "elm""#, #""id": "Elm""#, "schools[0].id"), (#""Elm School""#, #"" ""#, "schools[0].name"),
            ("https://login.example.org", "http://login.example.org", "schools[0].issuer"),
            ("/realms/elm", "/realms/elm?x=1", "schools[0].issuer"), (#""oracy""#, #""or acy""#, "schools[0].client"),
            (#"{"file": "elm.secret"}"#, "{}", "schools[0].secret"), (#"{"file": "elm.secret"}"#, #""hush""#, "secret"),
            (#""openid", "#, "", "schools[0].scopes: must contain"), (#""openid""#, #""open id""#, "schools[0].scopes"),
            (#""role": "teacher""#, #""role": "head""#, "schools[0].people[0].role"),
            (#""is": "/staff", "role""#, #""role""#, "schools[0].people[0].is"),
            (#""claim": "groups", "is": "/staff""#, #""is": "/staff""#, "schools[0].people[0].claim"),
            (#"{"role": "learner"}"#, #"{"role": "marker"}"#, "schools[0].people[1].claim: is missing, so everyone"),
            (#", "begins": "/classes/""#, #", "begins": """#, "schools[0].groups[0].begins"),
            (#", "group": "7b""#, "", "schools[0].groups[1].group"), (#""begins""#, #""starts""#, "starts"),
            (#""7b""#, "\"\"", "schools[0].groups[1].group"),
        ]
        for (from, to, words) in changes {
            let text = Self.good.replacing(from, with: to)
            #expect(text != Self.good, "\(from)")
            let said = try mistake(text)
            #expect(said?.contains(words) == true, "\(to): \(said ?? "accepted")")
            #expect(said?.contains("hush") != true)
        }
        print("schools: \(changes.count) mistakes of a file, each named")
    }
}
