/// Lays out the tasks of a day: in order, in blocks with pauses between them. Imports nothing.
enum DayLayout {
    /// Returns the blocks of a day.
    ///
    /// - Parameters:
    ///   - tasks: the ids and minutes of the tasks.
    ///   - start: the first possible minute after midnight.
    ///   - fixed: blocks that keep their times.
    /// - Returns: nil if the tasks do not fit.
    static func blocks(
        _ tasks: [(id: String, minutes: Int)], on day: WeekFrame.Day, from start: Int, around fixed: [TimeBlock] = []
    ) -> [TimeBlock]? {
        var free = day.free
        for block in fixed {
            free = free.without(block.range.lowerBound - PlanPacing.pause..<block.range.upperBound + PlanPacing.pause)
        }
        var blocks: [TimeBlock] = []
        var place = 0
        var clock = start
        // The block that is being filled.
        var open: TimeBlock?
        for task in tasks {
            guard task.minutes <= day.atOnce else { return nil }
            if let now = open, now.range.count + task.minutes <= day.atOnce,
                clock + task.minutes <= free[place].upperBound
            {
                clock += task.minutes
                open = TimeBlock(begin: now.begin, end: ClockTime(minutes: clock), tasks: now.tasks + [task.id])
                continue
            }
            if let now = open {
                blocks.append(now)
                clock += PlanPacing.pause
            }
            while place < free.count, max(clock, free[place].lowerBound) + task.minutes > free[place].upperBound {
                place += 1
            }
            guard place < free.count else { return nil }
            let begin = max(clock, free[place].lowerBound)
            clock = begin + task.minutes
            open = TimeBlock(begin: ClockTime(minutes: begin), end: ClockTime(minutes: clock), tasks: [task.id])
        }
        if let open { blocks.append(open) }
        return (blocks + fixed).sorted { $0.begin < $1.begin }
    }

    /// Returns whether the tasks fit on the day.
    static func fits(_ tasks: [(id: String, minutes: Int)], on day: WeekFrame.Day) -> Bool {
        tasks.reduce(0) { $0 + $1.minutes } <= day.budget
            && blocks(tasks, on: day, from: PlanPacing.dayHours.lowerBound) != nil
    }

    /// Returns the blocks nearest to the preferred times, by default the beginning of the evening. Stays within the
    /// usual hours if the tasks fit there.
    ///
    /// - Parameter old: blocks to avoid if others are possible.
    static func best(
        _ tasks: [(id: String, minutes: Int)], on day: WeekFrame.Day,
        preferring preferred: [Int] = [PlanPacing.starts[0]],
        around fixed: [TimeBlock] = [], otherThan old: [TimeBlock]? = nil
    ) -> [TimeBlock]? {
        var any: [TimeBlock]?
        for hours in [PlanPacing.usualHours, PlanPacing.dayHours] {
            for first in preferred {
                // Tries half an hour earlier, half an hour later, an hour earlier …
                for step in 0..<48 {
                    let start = first + (step % 2 == 0 ? step / 2 : -(step + 1) / 2) * 30
                    guard hours.contains(start), let found = blocks(tasks, on: day, from: start, around: fixed),
                        let last = found.last, hours.contains(last.end.minutes - 1)
                    else { continue }
                    if found != old { return found }
                    any = any ?? found
                }
            }
        }
        return any ?? blocks(tasks, on: day, from: PlanPacing.dayHours.lowerBound, around: fixed)
    }
}
