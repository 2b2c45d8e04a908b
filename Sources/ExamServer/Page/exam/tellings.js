/** The result of a spoken drill: whether the target was reached, and all tellings on one axis, side by side. */
import { redraw } from "./delivery.js";
import { attempt, button, byId, make } from "../kit/screen.js";
import { of, seconds as secondsWords } from "../kit/words.js";
import { waveform } from "./waveform.js";

/** @typedef {NonNullable<Schemas["Assessment"]["drill"]>} Drill */

/**
 * Plays a telling from a second on: the learner's answer, the voice, or the answer that was given again.
 *
 * @typedef {(telling: Drill["tellings"][number], at: number) => unknown} Listen
 */

/**
 * Shows the result, or that it is being found.
 *
 * @param {Drill | undefined} drill undefined while it is being found
 * @param {string} title
 * @param {Listen} listen
 */
export function drawTellings(drill, title, listen) {
    byId("tellings").hidden = false;
    byId("tellings-title").textContent = drill?.title ?? title;
    const verdict = drill?.verdict ?? "Your answers are being measured.";
    // A screen reader would say it again.
    if (byId("tellings-verdict").textContent !== verdict) byId("tellings-verdict").textContent = verdict;
    byId("tellings-later").hidden = !drill?.again;
    byId("tellings-later").textContent = drill?.again ? laterWords(drill.again) : "";
    byId("tellings-verdict").classList.toggle("right", drill?.isReached ?? false);
    const shown = drill && drill.tellings.length > 0 ? drill : undefined;
    redraw(byId("tellings-list"), shown, () => shown ? rows(shown, listen) : []);
    byId("tellings-wide").hidden = !shown;
    redraw(byId("tellings-measures"), shown, () => shown ? table(shown) : []);
}

/**
 * Returns what comes back of an answer that was given again.
 *
 * @param {{mended: number}} again
 */
function laterWords({ mended }) {
    const sentences = mended > 0 ? ` ${of(mended, "sentence")} with a mistake will come in your drills.` : "";
    return `The question comes back in a few days.${sentences}`;
}

/**
 * @param {Drill} drill
 * @param {Listen} listen
 */
function rows({ tellings, seconds }, listen) {
    const made = tellings.map((telling) => {
        const { name, seconds: length, peaks, pauses } = telling;
        const { picture, hatch, seek } = waveform(peaks, `${name}: ${secondsWords(length)}.`);
        picture.style.width = `${seconds > 0 ? (100 * length) / seconds : 100}%`;
        hatch(pauses, length);
        seek((share) => attempt(null, () => listen(telling, share * length)));
        const play = button("Listen", () => listen(telling, 0), `Listen: ${name}`);
        play.className = "quiet";
        const head = make("div", { class: "telling-head" }, make("h3", { text: name }), play);
        return make("div", { class: "telling" }, head, picture);
    });
    const about = `All begin at the left, on one axis of ${secondsWords(seconds)}. Pauses are marked below the sound.`;
    return [...made, make("p", { class: "hint", text: about })];
}

/** @param {Drill} drill */
function table({ tellings, measures }) {
    const names = tellings.map(({ name }) => make("th", { scope: "col", text: name }));
    const lines = measures.map(({ name, values }) => make(
        "tr",
        {},
        make("th", { scope: "row", text: name }),
        ...values.map((value) => make("td", { text: value === null ? "–" : value.toFixed(1) })),
    ));
    const head = make("tr", {}, make("td", {}), ...names);
    return [make("thead", {}, head), make("tbody", {}, ...lines)];
}
