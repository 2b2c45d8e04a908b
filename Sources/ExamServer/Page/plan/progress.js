/**
 * The learner's progress: exams of one format, drawn by the server as in reports, the changes in words, and all
 * measures as a table for screen readers. Then practice in figures, and the bands in words.
 */
import { planner } from "../kit/plan-api.js";
import { BAND_WORDS, MEASURES } from "./plan-words.js";
import { capital, dayWords } from "../practice/practice-words.js";
import { byId, make } from "../kit/screen.js";
import { statistics } from "../practice/statistics.js";

export async function progress() {
    byId("progress-format").onchange = async () => drawProgress(await planner.progress(byId("progress-format").value));
    drawProgress(await planner.progress());
    byId("bands").replaceChildren(
        ...BAND_WORDS.flatMap(([band, words]) => [make("dt", { text: `Band ${band}` }), make("dd", { text: words })]),
    );
    await statistics();
}

/** @param {Answered["progress"]} told */
export function drawProgress({ format, formats, exams, changes, panels, key, goal }) {
    byId("progress").hidden = exams.length === 0;
    if (!format || exams.length === 0) return;
    byId("progress-formats").hidden = formats.length < 2;
    byId("progress-format").replaceChildren(
        ...formats.map(({ id, title }) => make("option", { value: id, text: title ?? id })),
    );
    byId("progress-format").value = format.id;
    byId("progress-changes").replaceChildren(...changeItems(exams, changes, goal));
    byId("progress-chart").replaceChildren(...panels.map(drawn));
    byId("progress-key").textContent = key;
    const names = Object.keys(MEASURES).filter((name) => exams.some(({ measures }) => name in measures));
    byId("progress-table").replaceChildren(table(exams, names));
}

/** Returns the estimate of the newest exam, the goal beside it and the changes of its measures, clear ones first. */
export function changeItems(exams, changes, goal = "") {
    const range = exams.at(-1)?.estimate[0]?.counted;
    const estimate = range && make("li", { text: `Estimate: about ${range.low} to ${range.high}.` });
    const clear = changes.filter(({ direction }) => direction !== "same");
    const rest = changes.filter(({ direction }) => direction === "same");
    const items = [...clear, ...rest].map(({ sentence, direction }) =>
        make("li", { class: direction === "same" ? "hint" : "", text: capital(sentence) }),
    );
    if (items.length === 0) {
        const text = "After your next exam of this format, you will see what changed.";
        items.push(make("li", { class: "hint", text }));
    }
    return [estimate, goal && make("li", { text: goal }), ...items].filter((item) => item instanceof Node);
}

/** Returns a drawing of the server as an element of the page. */
function drawn({ id, words, svg }) {
    const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const panel = make("figure", { class: "panel", "data-panel": id });
    if (drawing.localName === "svg") {
        // Fits the width of its place.
        drawing.removeAttribute("width");
        drawing.removeAttribute("height");
        drawing.setAttribute("aria-label", capital(words));
        panel.append(document.importNode(drawing, true));
    }
    return panel;
}

export function table(exams, names) {
    const head = ["Exam", "How it sounded", ...names.map((name) => `${MEASURES[name].name}, ${MEASURES[name].unit}`)];
    const figure = (name, known) => {
        if (known === undefined) return "–";
        const { digits } = MEASURES[name];
        const error = known.error === undefined ? "" : ` ± ${Math.max(known.error, 10 ** -digits).toFixed(digits)}`;
        return known.value.toFixed(digits) + error;
    };
    const rows = exams.map(({ day, word, measures }) =>
        make(
            "tr",
            {},
            make("th", { scope: "row", text: dayWords(day) }),
            make("td", { text: word ? capital(word) : "not enough speech" }),
            ...names.map((name) => make("td", { text: figure(name, measures[name]) })),
        ),
    );
    return make(
        "table",
        { class: "figures" },
        make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", text })))),
        make("tbody", {}, ...rows),
    );
}
