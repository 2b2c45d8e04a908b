import Testing

@testable import SessionFolders

@Suite struct TakeNames {
    @Test(arguments: [
        "part1_q1.wav", "part2_q10.opus", "part3_q2_a2.opus", "part12_q345_a67.wav", "part1_q1.opus.part",
        "part1_q1_a2.wav.part",
    ])
    func takesAreTheSessionsOwn(_ name: String) {
        #expect(SessionFolder.isTake(name))
    }

    @Test(arguments: [
        "", "part", "part1", "part1_q.wav", "part_q1.wav", "part1_q1", "part1_q1.", "part1_q1.mp3", "part1_q1.wavx",
        "part1_q1.wav.part2", "part1_q1.wav.opus", "part1_q1_a.wav", "part1_q1_a2_a3.wav", "Part1_q1.wav",
        " part1_q1.wav", "part1_q1.wav ", "part1_q١.wav", "part-1_q1.wav", "part1_q1.part",
    ])
    func otherNamesAreForeign(_ name: String) {
        #expect(!SessionFolder.isTake(name), "\(name)")
    }
}
