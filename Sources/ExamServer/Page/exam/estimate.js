/** The estimate of an exam: a range for each aspect, what it rests on, and one thing that was good. */
import { redraw } from "./delivery.js";
import { byId, make } from "../kit/screen.js";
import { CRITERIA } from "../kit/words.js";

/** @typedef {Schemas["Assessment"]["estimate"][number]} Estimate */

/** The names of the aspects: the criteria, and parts of the criterion pronunciation. */
const ASPECTS = { ...CRITERIA, prosody: "Rhythm and intonation", accuracy: "Accuracy of sounds" };

/** @param {Estimate["counted"]} range */
const inWords = ({ low, high }) => `about ${low} to ${high}`;

/** @param {Estimate["counted"]} range */
function basisOf({ seconds, words, sources }) {
    const amount = [`${Math.round(seconds)} s of speech`, words && `${words} words`].filter(Boolean).join(", ");
    // The measurements of the sound have no marker's name.
    const names = sources.map((source) => (source === "delivery" ? "the sound" : source));
    return `from ${amount}, by ${names.join(" and ")}`;
}

/** @param {Estimate} estimate */
function line(estimate) {
    const { scale, counted, beside } = estimate;
    const facts = [scale === "listeners" && "of 10", basisOf(counted), beside && `machines: ${inWords(beside)}`];
    const words = make("dd", { text: inWords(counted) });
    words.append(" ", make("span", { class: "facts", text: facts.filter(Boolean).join("; ") }));
    return [make("dt", { text: ASPECTS[estimate.aspect] }), words];
}

/** @param {Estimate[]} estimates */
function reasons(estimates) {
    const sentences = new Set(estimates.flatMap(({ counted, narrower }) => [counted.width, narrower]));
    const list = make("ul", {}, ...[...sentences].map((text) => make("li", { text })));
    return make("details", {}, make("summary", { text: "How wide the ranges are, and why" }), list);
}

/**
 * Fills the estimate, or hides it if nothing was judged.
 *
 * @param {Schemas["Assessment"]} assessment
 */
export function drawEstimate({ estimate, strength }) {
    byId("estimate").hidden = estimate.length === 0;
    redraw(byId("estimate-ranges"), [estimate, strength], () => [
        make("dl", { class: "scores" }, ...estimate.flatMap(line)),
        strength ? make("p", {}, make("b", { text: "Good: " }), strength.sentence) : null,
        reasons(estimate),
    ]);
}
