/// Writes a plan for other calendars to import: iCalendar (RFC 5545), with one event per task.
///
/// **Times** are in the learner's local time without a zone ("floating", RFC 5545 section 3.3.5): 18:00 stays 18:00
/// wherever the learner is. With UTC they would move by an hour when clocks change within the week. A zone would need
/// its rules in the file.
///
/// **Updates**: an event's id consists of plan and task (`2026-11-23-monday-1@…`), so importing a plan again replaces
/// the earlier events. `SEQUENCE` is the version in which the event last changed, and rises only then. An unchanged
/// plan produces the same bytes because no time of writing is included.
public enum PlanCalendar {
    /// Returns the newest plan as a calendar.
    ///
    /// - Parameters:
    ///   - history: the plans of the learner. The newest is written. The others show since when each event is
    ///     unchanged, and which events are cancelled.
    ///   - owner: a part of the events' ids that keeps two learners' plans apart in one calendar: letters, digits, `.`
    ///     and `-`.
    /// - Returns: nil without a plan.
    public static func text(of history: PlanHistory, owner: String = "oracy") -> String? {
        guard let current = history.current else { return nil }
        var events: [String: Event] = [:]
        for plan in history.entries.map(\.plan) where plan.weekOf == current.weekOf {
            let before = events
            events = [:]
            for event in Event.events(of: plan, owner: owner) {
                let known = before[event.id]
                events[event.id] = known?.isAs(event) == true ? known : event
            }
            // An event that existed before and is missing now is cancelled from this version on.
            for (id, event) in before where events[id] == nil {
                events[id] = event.isCancelled ? event : event.cancelled(in: plan.version)
            }
        }
        return text(of: events.values.sorted { ($0.begin, $0.id) < ($1.begin, $1.id) })
    }

    /// Returns one plan as a calendar, if no others are known.
    public static func text(of plan: StudyPlan, owner: String = "oracy") -> String {
        text(of: Event.events(of: plan, owner: owner).sorted { ($0.begin, $0.id) < ($1.begin, $1.id) })
    }

    private static func text(of events: [Event]) -> String {
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Oracy//Study plan//EN", "CALSCALE:GREGORIAN"]
            + events.flatMap(\.lines) + ["END:VCALENDAR"]
        return lines.map { folded($0) + "\r\n" }.joined()
    }

    /// Folds a line to at most 75 octets. A continuation begins with a space, and no character is split (RFC 5545
    /// section 3.1).
    static func folded(_ line: String) -> String {
        var (text, octets) = ("", 0)
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if octets + width > 75 {
                text += "\r\n "
                octets = 1
            }
            text.unicodeScalars.append(scalar)
            octets += width
        }
        return text
    }

    /// Escapes a text (RFC 5545 section 3.3.11). Other control characters are not allowed in a text and are removed.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case ";": escaped += "\\;"
            case ",": escaped += "\\,"
            case "\n": escaped += "\\n"
            case _ where scalar.properties.generalCategory == .control: continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

private struct Event {
    var id: String
    /// The times as written in the file.
    var begin, end: String
    var title, description: String
    var week: String
    var version: Int
    var isCancelled = false

    static func events(of plan: StudyPlan, owner: String) -> [Event] {
        plan.tasks.compactMap { day, task in
            guard let (begin, end) = plan.time(of: task, on: day) else { return nil }
            return Event(
                id: "\(plan.weekOf.text)-\(task.id)@\(owner)", begin: stamp(plan.day(day), begin),
                end: stamp(plan.day(day), end),
                title: task.title, description: "\(task.reason)\n\(task.command)",
                week: stamp(plan.weekOf, ClockTime(minutes: 0)),
                version: plan.version)
        }
    }

    /// Returns a time such as `20261123T180000`. Midnight at the end of a day is written as the beginning of the next
    /// day.
    private static func stamp(_ day: StudyDay, _ time: ClockTime) -> String {
        let isNext = time.minutes == 1440
        let date = (isNext ? day.advanced(by: 1) : day).text.filter { $0 != "-" }
        return "\(date)T\(isNext ? "0000" : time.text.filter { $0 != ":" })00"
    }

    func isAs(_ other: Event) -> Bool {
        !isCancelled && begin == other.begin && end == other.end && title == other.title
            && description == other.description
    }

    func cancelled(in version: Int) -> Event {
        var event = self
        (event.isCancelled, event.version) = (true, version)
        return event
    }

    var lines: [String] {
        [
            "BEGIN:VEVENT", "UID:\(id)",
            // DTSTAMP is required, and would be the time of writing. The week's date keeps the bytes of an unchanged
            // plan the same.
            "DTSTAMP:\(week)Z", "SEQUENCE:\(version)", "DTSTART:\(begin)", "DTEND:\(end)",
            "SUMMARY:\(PlanCalendar.escaped(title))", "DESCRIPTION:\(PlanCalendar.escaped(description))",
            "STATUS:\(isCancelled ? "CANCELLED" : "CONFIRMED")", "END:VEVENT",
        ]
    }
}
