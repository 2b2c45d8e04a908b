/// The newest exam's value of a measure, compared with the exams before it.
package struct ProgressChange: Equatable, Sendable {
    /// The direction of a change that is larger than its error.
    package enum Direction: String, Encodable, Sendable { case rose, fell, same }

    package var measure: ProgressMeasure
    package var now: ProgressValue
    /// The mean of the exams before.
    package var before: ProgressValue
    /// The number of these exams, 1 to `most`.
    package var exams: Int

    /// The most exams before the newest that are averaged: the learner's present level, not last year's.
    static let most = 5

    /// The error of the difference: the root of the sum of the two errors' squares. Nil if one of them is unknown.
    package var error: Double? {
        guard let now = now.error, let before = before.error else { return nil }
        return (now * now + before * before).squareRoot()
    }

    /// The direction. `same` if the error is unknown.
    package var direction: Direction {
        guard let error, abs(now.value - before.value) > error else { return .same }
        return now.value > before.value ? .rose : .fell
    }

    /// The change as a sentence: `time speaking: 78 % (± 4), before 70 % (± 3), a clear rise.`
    package var sentence: String {
        func told(_ value: ProgressValue) -> String {
            "\(value.value.figure(measure.digits))\(measure.sign)"
                + (value.error.map { " (± \(max($0, measure.leastError).figure(measure.digits)))" } ?? "")
        }
        let verdict =
            switch direction {
            case .rose: "a clear rise"
            case .fell: "a clear fall"
            case .same: error == nil ? "too few answers to say more" : "no clear change"
            }
        return "\(measure.name): \(told(now)), before \(told(before)), \(verdict)."
    }
}

extension ProgressMeasure {
    /// The smallest error that can be shown with the measure's digits.
    package var leastError: Double { digits == 0 ? 1 : 0.1 }
}

extension [ProgressExam] {
    /// The newest exam's measures compared with the exams before it, in the order in which they are shown. Empty if
    /// fewer than two exams were judged. The amount of speech and the longest pause are left out, because they depend
    /// on the number of questions. Exams with too few answers for an error count only if there are no others.
    package var changes: [ProgressChange] {
        let judged = filter { $0.delivery.gates.isEmpty }
        guard let newest = judged.last, newest == last else { return [] }
        let before = judged.dropLast().suffix(ProgressChange.most)
        return ProgressMeasure.allCases.filter { $0 != .speech && $0 != .longestPause }.compactMap { measure in
            var values = before.compactMap { $0.values[measure] }
            if values.contains(where: { $0.error != nil }) { values.removeAll { $0.error == nil } }
            guard let now = newest.values[measure], !values.isEmpty else { return nil }
            let count = Double(values.count)
            let errors = values.compactMap(\.error)
            let error =
                errors.count == values.count
                ? errors.reduce(0) { $0 + $1 * $1 }.squareRoot() / count : nil
            let mean = values.reduce(0) { $0 + $1.value } / count
            return ProgressChange(
                measure: measure, now: now, before: ProgressValue(mean, error: error), exams: values.count)
        }
    }

    /// The estimates of one aspect over all exams. The aspect is the first one of the newest exam that has estimates.
    /// Nil if no exam has any.
    ///
    /// `newest` and `before` are the last two estimates. `all` has an entry for each exam, which is nil if the exam has
    /// no estimate of this aspect.
    package var estimates: (newest: AspectEstimate, before: AspectEstimate?, all: [AspectEstimate?])? {
        guard let newest = last(where: { !$0.estimates.isEmpty })?.estimates.first else { return nil }
        let all = map { exam in exam.estimates.first { $0.aspect == newest.aspect && $0.scale == newest.scale } }
        return (newest, all.compactMap(\.self).dropLast().last, all)
    }
}
