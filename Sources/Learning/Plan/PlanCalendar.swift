/// A plan as other calendars import it: iCalendar (RFC 5545), an event a task.
///
/// **Times** are those of the learner's own clock, in no zone ("floating", 3.3.5): a plan says 18:00 wherever its learner is. UTC would move by an hour
/// when clocks change within the week, and a zone would need its rules in the file.
///
/// **Again**: an event is known by plan and task (`2026-11-23-monday-1@…`), so that what is imported again replaces what was there. `SEQUENCE` is the version
/// in which the event was last another one; it rises where the event changes, and only there. An unchanged plan is the same bytes: no moment of writing
/// stands in it.
public enum PlanCalendar {
    /// - Parameters:
    ///   - history: its newest plan is written; the others tell since when an event is as it is, and which are gone and so cancelled.
    ///   - owner: part of the events' ids, so that two learners' plans do not mix in one calendar: letters, digits, `.` and `-`.
    /// - Returns: nil where there is no plan.
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
            // What was there and is not: cancelled, from that version on.
            for (id, event) in before where events[id] == nil {
                events[id] = event.isCancelled ? event : event.cancelled(in: plan.version)
            }
        }
        return text(of: events.values.sorted { ($0.begin, $0.id) < ($1.begin, $1.id) })
    }

    /// The same of one plan, where nothing is known of others.
    public static func text(of plan: StudyPlan, owner: String = "oracy") -> String {
        text(of: Event.events(of: plan, owner: owner).sorted { ($0.begin, $0.id) < ($1.begin, $1.id) })
    }

    private static func text(of events: [Event]) -> String {
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Oracy//Study plan//EN", "CALSCALE:GREGORIAN"]
            + events.flatMap(\.lines) + ["END:VCALENDAR"]
        return lines.map { folded($0) + "\r\n" }.joined()
    }

    /// At most 75 octets a line; what follows begins with a space, and no character is torn (3.1).
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

    /// 3.3.11; other control characters are none of a text's.
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
    /// As they stand in the file.
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

    /// `20261123T180000`; midnight as an end is the next day's beginning.
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
            // Required, and the moment of writing by its meaning; that of the week, so that the same plan is the same bytes.
            "DTSTAMP:\(week)Z", "SEQUENCE:\(version)", "DTSTART:\(begin)", "DTEND:\(end)",
            "SUMMARY:\(PlanCalendar.escaped(title))", "DESCRIPTION:\(PlanCalendar.escaped(description))",
            "STATUS:\(isCancelled ? "CANCELLED" : "CONFIRMED")", "END:VEVENT",
        ]
    }
}
