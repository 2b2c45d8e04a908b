/**
 * The learner's progress: the development of exams, a measure as a bar chart and all measures as a table for screen
 * readers, with practice in figures, and the bands in words.
 */
import { planner } from "../kit/plan-api.js";
import { BAND_WORDS, MEASURES, progressWords } from "./plan-words.js";
import { capital, dayWords } from "../practice/practice-words.js";
import { byId, make } from "../kit/screen.js";
import { statistics } from "../practice/statistics.js";

export async function progress() {
    const told = await planner.told();
    drawProgress(told.progress.exams);
    byId("bands").replaceChildren(
        ...BAND_WORDS.flatMap(([band, words]) => [make("dt", { text: `Band ${band}` }), make("dd", { text: words })]),
    );
    await statistics();
}

/** @param {{day: string, word?: string, measures: object}[]} exams oldest first */
export function drawProgress(exams) {
    const names = Object.keys(MEASURES).filter((name) => exams.some(({ measures }) => name in measures));
    byId("progress").hidden = names.length === 0;
    if (names.length === 0) return;
    const chosen = byId("measure").value;
    byId("measure").replaceChildren(
        ...names.map((value) => make("option", { value, text: `${MEASURES[value].name} (${MEASURES[value].unit})` })),
    );
    byId("measure").value = names.includes(chosen) ? chosen : names[0];
    const draw = () => {
        const name = byId("measure").value;
        byId("progress-chart").replaceChildren(bars(exams, name));
        byId("progress-about").textContent = progressWords(
            name,
            exams.map(({ measures }) => measures[name]).filter((value) => value !== undefined),
        );
    };
    byId("measure").onchange = draw;
    draw();
    byId("progress-table").replaceChildren(table(exams, names));
}

/** Returns a column for each exam with its value above the bar, and a gap if it has too little speech. */
export function bars(exams, name) {
    const most = Math.max(...exams.map(({ measures }) => measures[name] ?? 0)) || 1;
    // As many dates as fit on a telephone, including the last one.
    const step = Math.ceil(exams.length / 5);
    const columns = exams.map(({ day, measures }, place) => {
        const date = (exams.length - 1 - place) % step === 0 ? dayWords(day, { day: "numeric", month: "short" }) : "";
        const value = measures[name];
        const bar = make("span", { class: "bar" });
        // The space above the highest bar is for its value.
        bar.style.height = `${((value ?? 0) / most) * 82}%`;
        const shown = value === undefined ? [] : [
            make("span", { class: "value", text: value.toFixed(MEASURES[name].digits) }),
            bar,
        ];
        return make("div", { class: "column" }, make("div", { class: "rise" }, ...shown), make(
            "span",
            { class: "day", text: date },
        ));
    });
    return make("div", { class: "bars exams" }, ...columns);
}

export function table(exams, names) {
    const head = ["Exam", "How it sounded", ...names.map((name) => `${MEASURES[name].name}, ${MEASURES[name].unit}`)];
    const rows = exams.map(({ day, word, measures }) =>
        make(
            "tr",
            {},
            make("th", { scope: "row", text: dayWords(day) }),
            make("td", { text: word ? capital(word) : "not enough speech" }),
            ...names.map((name) => make("td", { text: measures[name]?.toFixed(MEASURES[name].digits) ?? "–" })),
        ),
    );
    return make(
        "table",
        { class: "figures" },
        make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", text })))),
        make("tbody", {}, ...rows),
    );
}
