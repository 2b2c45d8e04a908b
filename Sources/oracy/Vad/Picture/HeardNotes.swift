import ExamCore

extension HearingPlot {
    /// Draws the requested ends of answers, and always the sounds that did not count.
    init(_ file: HeardFile, _ trace: HearingTrace) {
        self.init(
            file, trace,
            marks: (file.ends ?? []).map { Mark(atSeconds: $0.at.inSeconds, text: "end of answer: \($0.words)") },
            dismissed: file.notCounted.map { sound in
                Dismissed(seconds: sound.start.inSeconds..<sound.end.inSeconds, text: sound.kind.remark ?? "")
            })
    }
}
