import BackendAPI
import Testing

@Suite struct ReprDigestTests {
    /// The example of RFC 9530, section 3: `{"hello": "world"}` and a line feed.
    private let field = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
    private let digits = "44aff4ab2d7c3250525675a08f0cfa9591168cffe51791c5f5bbc417c15a6c38"

    @Test func aDigestIsWrittenAsInTheStandard() {
        #expect(ReprDigest(sha256: digits)?.field == field)
        #expect(ReprDigest(sha256: digits.uppercased())?.field == field)
    }

    @Test func aDigestIsFoundAmongOthers() {
        #expect(ReprDigest(field: field) == ReprDigest(sha256: digits))
        #expect(ReprDigest(field: "sha-512=:YWJj:, \(field)") == ReprDigest(sha256: digits))
    }

    @Test(arguments: ["", "sha-256=", "sha-256=::", "sha-256=:YWJj:", "sha-512=:YWJj:", "sha-256=:****:"])
    func invalidHeadersHaveNoDigest(_ field: String) {
        #expect(ReprDigest(field: field) == nil)
    }

    @Test(arguments: ["", "44af", "zz\(String(repeating: "0", count: 62))"])
    func digitsOfAnotherFormAreInvalid(_ digits: String) {
        #expect(ReprDigest(sha256: digits) == nil)
    }
}
