import Testing

@testable import Assessment

@Suite struct FindingsLines {
    private func line(_ id: String, _ measures: DeliveryMeasures) throws -> MeasureLine {
        try #require(DeliveryProfile.made(measures).lines.first { $0.id == id })
    }

    @Test func eachMeasureHasItsUnitAndOneSentence() {
        let lines = DeliveryProfile.made(.made(speech: 90, pauses: [0.5, 1.1, 0.4], latencies: [0.8])).lines
        #expect(
            lines.map(\.id) == [
                "phonationTimeRatio", "longestPause", "pausesPerMinute", "speechRate", "articulationRate",
                "meanLengthOfRun", "meanPause", "responseLatency", "speech",
            ])
        for line in lines {
            #expect(line.sentence.hasSuffix("."))
            // The only full stop within a sentence belongs to a number.
            #expect(!line.sentence.dropLast().contains(". "), "\(line.sentence)")
            #expect(line.value.contains { $0.isNumber })
        }
    }

    @Test func fasterThanThePlateauIsNotCalledBetter() throws {
        #expect(try line("speechRate", .made(speech: 90, rate: 4)).sentence.contains("more speed brings nothing"))
        #expect(try line("speechRate", .made(speech: 90, rate: 3.2)).sentence.contains("no further"))
    }

    @Test func pausesOfTheUsualLengthAreNotAFault() throws {
        #expect(try line("longestPause", .made(speech: 90, pauses: [0.9])).sentence.contains("not a fault"))
        #expect(try !line("longestPause", .made(speech: 90, pauses: [1.6])).sentence.contains("not a fault"))
    }

    @Test func unknownMeasuresHaveNoLine() {
        #expect(DeliveryProfile.made(DeliveryMeasures()).lines.isEmpty)
        let lines = DeliveryProfile.made(.made(speech: 20)).lines
        #expect(
            !lines.contains {
                ["longestPause", "meanPause", "responseLatency", "timeToFirstPause", "lastThird"].contains($0.id)
            })
    }

    @Test func evidenceNamesWhatTheWordRestsOn() {
        let profile = DeliveryProfile.made(.made(speech: 92, pauses: [1.1, 0.9, 19.58], rate: 3.4), word: .fluent)
        #expect(
            profile.evidence
                == "Fluent: 3.4 syllables a second, 81 % of the time speaking, longest pause 19.6 s; based on 92 s of speech."
        )
    }

    @Test(arguments: DeliveryGate.allCases) func eachGateHasASentence(gate: DeliveryGate) {
        let evidence = DeliveryProfile.made(.made(speech: 6), gates: [gate]).evidence
        #expect(evidence.hasPrefix("Not judged: ") && evidence.hasSuffix("."))
    }

    @Test func silenceIsNotCalledAShortAnswer() {
        #expect(DeliveryProfile.made(DeliveryMeasures(), gates: [.tooShort]).evidence == "No speech was found.")
    }

    @Test(arguments: [(3.449, 1, "3.4"), (0.05, 1, "0.1"), (-0.25, 2, "-0.25"), (12, 0, "12"), (0.004, 2, "0.00")])
    func figuresAreRounded(value: Double, digits: Int, text: String) {
        #expect(value.figure(digits) == text)
    }

    @Test func momentsAreWrittenAsPlayersShowThem() {
        #expect([0, 9.99, 64.2, 600].map { Double($0).moment } == ["0:00", "0:09", "1:04", "10:00"])
    }
}
