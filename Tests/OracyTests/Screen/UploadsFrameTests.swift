import Foundation
import Testing
import UploadQueue

@testable import oracy

/// The display while uploads are sent.
@Suite struct UploadsFrameTests {
    @Test func theBarIsFullWhenAllIsDone() {
        #expect(UploadsFrame.bar(0, width: 10) == "----------")
        #expect(UploadsFrame.bar(0.5, width: 10) == "#####-----")
        #expect(UploadsFrame.bar(1, width: 10) == "##########")
    }

    @Test func anEmptyQueueIsDone() {
        let frame = UploadsFrame(place: "here", progress: SendingProgress(), columns: 80)
        #expect(frame.lines(at: .zero) == ["[########################################] 100 %  0 of 0  0 bytes"])
    }

    @Test(arguments: [20, 40, 80, 200]) func noLineIsWiderThanTheTerminal(_ columns: Int) {
        let frame = UploadsFrame(place: "a place with a long name", progress: SendingProgress(), columns: columns)
        #expect(frame.lines(at: .zero).allSatisfy { $0.count <= columns })
    }

    @Test(arguments: DeliveryFailure.Kind.allCases) func everyFailureHasWords(_ kind: DeliveryFailure.Kind) {
        #expect(DeliveryFailure(kind).shortWords.count > 10)
    }

    @Test func durationsAreSaidShortly() {
        #expect(Duration.milliseconds(200).inWords == "1 s")
        #expect(Duration.seconds(45).inWords == "45 s")
        #expect(Duration.seconds(600).inWords == "10 min")
        #expect(Duration.seconds(9000).inWords == "2 h")
    }
}
