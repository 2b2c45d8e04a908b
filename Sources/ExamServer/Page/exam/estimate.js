/** The estimate of an exam: a range for each aspect, what it rests on, and one thing that was good. */
import { redraw } from "./delivery.js";
import { byId, make } from "../kit/screen.js";
import { CRITERIA } from "../kit/words.js";

/** @typedef {Schemas["Assessment"]["estimate"][number]} Estimate */

/** The names of the aspects: the criteria, and parts of the criterion pronunciation. */
const ASPECTS = { ...CRITERIA, prosody: "Rhythm and intonation", accuracy: "Accuracy of sounds" };

/** @param {Estimate["counted"]} range */
const inWords = ({ low, high }) => `about ${low} to ${high}`;

/** @param {Estimate} estimate */
const title = ({ aspect }) => make("dt", { text: ASPECTS[aspect] });

/** @param {Estimate} estimate */
function line(estimate) {
    const { scale, counted, beside } = estimate;
    const facts = [scale === "listeners" && "of 10", beside && `machines: ${inWords(beside)}`].filter(Boolean);
    const words = make("dd", { text: inWords(counted) });
    if (facts.length > 0) words.append(" ", make("span", { class: "facts", text: facts.join("; ") }));
    return [title(estimate), words];
}

/** @param {Estimate[]} estimates */
function reasons(estimates) {
    const lines = estimates
        .filter(({ sentences }) => sentences.length > 0)
        .flatMap((estimate) => [title(estimate), make("dd", { text: estimate.sentences.join(" ") })]);
    return make("details", {}, make("summary", { text: "What the ranges rest on" }), make("dl", {}, ...lines));
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
