import Hearing
import Testing

/// Tests of the comparison of a processor with the features that a library needs.
@Suite struct ProcessorFeaturesTests {
    private static let two = """
        processor\t: 0
        model name\t: flags of a fine processor
        flags\t\t: fpu avx avx2 fma f16c bmi2
        vmx flags\t: vnmi preemption_timer
        bugs\t\t: spectre_v1

        processor\t: 1
        flags\t\t: fpu avx fma f16c bmi2
        """

    @Test func onlyFeaturesOfAllProcessorsCount() {
        let features = ProcessorFeatures(cpuinfo: Self.two)
        #expect(features.names == ["fpu", "avx", "fma", "f16c", "bmi2"])
        #expect(features.missing(of: ["f16c", "bmi2", "avx2"]) == ["avx2"])
    }

    @Test func aProcessorOfARMSaysItInOtherWords() {
        let features = ProcessorFeatures(cpuinfo: "Features\t: fp asimd crc32\nCPU part\t: 0xd0c\n")
        #expect(features.names == ["fp", "asimd", "crc32"])
    }

    @Test func anUnknownProcessorHasNone() {
        #expect(ProcessorFeatures(cpuinfo: "").missing(of: ["avx2", "avx"]) == ["avx", "avx2"])
    }

    @Test func thisMachineHasSome() {
        #expect(!ProcessorFeatures.ofThisMachine.names.isEmpty)
    }
}
