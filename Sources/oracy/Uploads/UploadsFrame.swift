import UploadQueue

/// The display while uploads are sent: a bar for the total, a line for each upload in progress, and the reason for a
/// wait. Pure.
struct UploadsFrame {
    var place: String
    var progress: SendingProgress
    var columns: Int

    func lines(at now: Duration) -> [String] {
        let all = progress.delivered + progress.open
        let percent = Int(progress.fraction * 100)
        let counts = "\(progress.delivered) of \(all)  \(progress.deliveredBytes.bytes)"
        let head = "[\(Self.bar(progress.fraction, width: max(10, min(40, columns - counts.count - 12))))] "
        var lines = [head + String(repeating: " ", count: 3 - String(percent).count) + "\(percent) %  \(counts)"]
        for number in progress.underWay.keys.sorted() {
            guard let one = progress.underWay[number] else { continue }
            let size = one.upload.file.map { "\(one.sentBytes.bytes) of \($0.byteCount.bytes)" } ?? ""
            lines.append("  \(one.upload.session.name)/\(one.upload.name)  \(size)")
        }
        if let trouble = trouble(at: now) { lines.append("  " + trouble) }
        return lines.map { $0.clipped(to: columns, ellipsis: "...") }
    }

    /// Returns the reason why sending doesn't progress; nil if it does.
    func trouble(at now: Duration) -> String? {
        let pause = progress.nextTry.map { $0 - now }.flatMap {
            $0 > .milliseconds(500) ? "; next try in \($0.inWords)" : nil
        }
        let parked = progress.parked > 0 ? "\(progress.parked) parked (oracy uploads)" : nil
        let backend: String? =
            switch progress.breaker {
            case .closed: pause.map { "waiting for \(place)" + $0 }
            case .halfOpen: "\(place) cannot be reached or fails" + (pause ?? "")
            case .signInNeeded: "not signed in; to sign in: oracy uploads sign-in"
            }
        let words = [backend, parked].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    static func bar(_ fraction: Double, width: Int) -> String {
        let full = Int(fraction * Double(width))
        return String(repeating: "#", count: full) + String(repeating: "-", count: width - full)
    }
}
