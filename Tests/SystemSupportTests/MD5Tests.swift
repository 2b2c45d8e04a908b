import Foundation
import TestSupport
import Testing

@testable import SystemSupport

@Suite struct MD5Tests {
    /// RFC 1321, appendix A.5; and a file of more than one chunk, by `md5sum`.
    @Test func digestsAreThoseOfTheStandard() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let known = [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (String(repeating: "oracy", count: 40_000), "0f6ac3a6dc061bfe752e28e0ef1a344c"),
        ]
        for (text, digest) in known {
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(try MD5.hexadecimal(ofFile: path) == digest)
        }
        #expect(throws: Problem.self) { try MD5.hexadecimal(ofFile: folder.path + "/none") }
    }
}
