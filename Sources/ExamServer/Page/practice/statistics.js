/** Practice in figures, fourteen days as bars, and mastery. */
import { practice } from "../kit/practice-api.js";
import { dayWords, MASTERY, oneDecimal, percent, streakWords } from "./practice-words.js";
import { drawBoards } from "./boards.js";
import { byId, make, show } from "../kit/screen.js";
import { of } from "../kit/words.js";

export async function statistics() {
    const [day, boards] = await Promise.all([practice.today(), practice.boards()]);
    draw(day);
    drawBoards(boards);
    show("statistics");
}

/** @param {Schemas["PracticeDay"]} day */
function draw(day) {
    const { statistics: figures, spoken = [] } = day;
    byId("figures-list").replaceChildren(
        ...figuresOf(day).flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })]),
    );
    byId("figures-streak").textContent = streakWords(day);
    byId("chart").replaceChildren(...chart(figures.days, day.minutesADay));
    byId("mastery").replaceChildren(...masteryRows(figures.mastery));
    byId("spoken").hidden = spoken.length === 0;
    byId("spoken-list").replaceChildren(...spoken.map(({ kind, count, reached }) => make(
        "li",
        { text: `${kind}: ${of(count, "time")}, target reached ${of(reached, "time")}` },
    )));
}

/**
 * Returns names and values, without figures for things that were not done.
 *
 * @param {Schemas["PracticeDay"]} day
 */
export function figuresOf(day) {
    const { answers, right, minutes, minutesThisWeek, drills, tests, averageTestScore, since } = day.statistics;
    return [
        ["Today", `${oneDecimal(day.minutesToday)} of ${of(day.minutesADay, "minute")}`],
        ["This week", of(Number(oneDecimal(minutesThisWeek)), "minute")],
        ["In all", `${of(Number(oneDecimal(minutes)), "minute")}${since ? `, since ${dayWords(since)}` : ""}`],
        ["Answers", answers > 0 ? `${answers}, ${percent(right / answers)} right` : "none yet"],
        ["Drills", String(drills)],
        ["Tests", averageTestScore !== undefined && averageTestScore >= 0
            ? `${tests}, ${percent(averageTestScore)} right on average`
            : String(tests)],
    ];
}

/** Returns bars, and the same in a table for screen readers. */
export function chart(days, minutesADay) {
    const most = Math.max(minutesADay, ...days.map(({ minutes }) => minutes), 1);
    const bars = make("div", { class: "bars", "aria-hidden": "true" });
    const goal = make("div", { class: "goal" });
    goal.style.bottom = `${(minutesADay / most) * 100}%`;
    const columns = days.map(({ day, minutes }) => {
        const bar = make("span", { class: "bar" });
        bar.style.height = `${(minutes / most) * 100}%`;
        return make("div", { class: "column" }, make("div", { class: "rise" }, ...(minutes > 0 ? [bar] : [])), make(
            "span",
            { class: "day", text: String(Number(day.slice(8))) },
        ));
    });
    bars.append(goal, ...columns);
    const rows = days.map(({ day, minutes, answers, right }) =>
        make(
            "tr",
            {},
            make("th", { scope: "row", text: dayWords(day) }),
            ...[oneDecimal(minutes), String(answers), String(right)].map((text) => make("td", { text })),
        ),
    );
    const head = make(
        "tr",
        {},
        ...["Day", "Minutes", "Answers", "Right"].map((text) => make("th", { scope: "col", text })),
    );
    // The wrapper is needed because a table cannot be as narrow as hidden elements must be.
    const table = make("div", { class: "unseen" }, make(
        "table",
        {},
        make("caption", { text: "The last fourteen days" }),
        make("thead", {}, head),
        make("tbody", {}, ...rows),
    ));
    const longest = of(Number(oneDecimal(Math.max(...days.map(({ minutes }) => minutes)))), "minute");
    const about = make("p", {
        class: "facts",
        text: `Most: ${longest} a day. The line is at ${of(minutesADay, "minute")}.`,
        "aria-hidden": "true",
    });
    return [bars, about, table];
}

/** Returns each level with the number of items at it. */
export function masteryRows(mastery) {
    const most = Math.max(1, ...mastery);
    return mastery.map((count, level) => {
        const bar = make("span", { class: "bar" });
        bar.style.width = `${(count / most) * 100}%`;
        return make(
            "tr",
            {},
            make("th", { scope: "row", text: `${level}: ${MASTERY[level]}` }),
            make("td", { text: String(count) }),
            make("td", { class: "lane", "aria-hidden": "true" }, ...(count > 0 ? [bar] : [])),
        );
    });
}
