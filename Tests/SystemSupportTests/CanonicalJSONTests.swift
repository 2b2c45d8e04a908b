import Foundation
import Testing

@testable import SystemSupport

/// JSON as RFC 8785 writes it, so that a digest of it can be made by any program.
@Suite struct CanonicalJSONTests {
    /// The example of the standard's section 3.2.2 and its result in section 3.2.3.
    @Test func theStandardsExampleIsWrittenAsTheStandardWritesIt() throws {
        let text = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        #expect(
            try CanonicalJSON(text).written
                == #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
        )
    }

    /// The samples of its appendix B that JSON can hold, by their bits.
    @Test(
        arguments: [
            (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"), (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"), (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"), (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"), (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"), (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"), (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5557, "333333333.33333343"), (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] as [(UInt64, String)])
    func aNumberIsWrittenAsECMAScriptWritesIt(_ bits: UInt64, _ written: String) {
        #expect(CanonicalJSON.number(Double(bitPattern: bits)).written == written)
    }

    /// By UTF-16 code units, as the standard's section 3.2.3 sorts: a flag sorts before a letter of the private use
    /// area.
    @Test func fieldsAreSortedByTheirCodeUnits() throws {
        let text = #"{"\ufb33":1,"\u20ac":2,"\r":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#
        let written = try CanonicalJSON(text).written
        let order = written.matches(of: /:(\d)/).map { String($0.1) }.joined()
        #expect(order == "3467251")
    }

    /// A JSON text from a client and PostgreSQL's copy of it have the same digest.
    @Test func oneValueHasOneDigest() throws {
        let sent = #"{"part": 1, "duration": 12.50, "end": "finished", "choice": null}"#
        let kept = #"{"end":"finished","part":1.0,"choice":null,"duration":12.5}"#
        #expect(try CanonicalJSON(sent).sha256 == CanonicalJSON(kept).sha256)
        #expect(try CanonicalJSON(sent).sha256 != CanonicalJSON(#"{"part": 2}"#).sha256)
        #expect(try CanonicalJSON("true").written == "true" && CanonicalJSON("1").written == "1")
    }
}
