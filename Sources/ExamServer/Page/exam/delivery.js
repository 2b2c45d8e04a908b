/**
 * The measurements of the answers' sound: what they are based on, every measure with its sentence, and suggestions.
 * They give no band.
 */
import { byId, make } from "../kit/screen.js";

/**
 * Returns measures in an expandable list.
 *
 * @param {string} title
 * @param {{name: string, value: string, sentence: string}[]} [lines]
 */
export function measures(title, lines) {
    if (!lines?.length) return null;
    const list = make("dl", { class: "measures" });
    for (const { name, value, sentence } of lines) {
        const words = make("dd", {}, make("b", { text: value }), ` ${sentence}`);
        list.append(make("dt", { text: name }), words);
    }
    return make("details", {}, make("summary", { text: title }), list);
}

/**
 * Fills the part of the results about all answers together.
 *
 * @param {Schemas["Assessment"]} assessment
 * @param {(answer: string, at: number) => void} listen plays an answer from a second on
 */
export function drawDelivery({ delivery, text, next, notAssessed }, listen) {
    byId("delivery").hidden = !delivery;
    byId("delivery-evidence").textContent = delivery?.evidence ?? "";
    // Opened details stay open: only changed parts are drawn again.
    redraw(byId("delivery-measures"), [delivery?.lines, text.exam?.lines], () => [
        measures("What was measured in the sound", delivery?.lines),
        measures("What was counted in your transcripts", text.exam?.lines),
    ]);
    byId("next").hidden = next.length === 0;
    redraw(byId("steps"), next, () => next.map((step) => stepItem(step, listen)));
    const missing = byId("not-assessed");
    missing.hidden = notAssessed.length === 0;
    redraw(
        byId("not-assessed-list"),
        notAssessed,
        () => notAssessed.map(({ what, why }) => make("li", {}, make("b", { text: what }), `: ${why}`)),
    );
}

/**
 * @param {Schemas["Assessment"]["next"][number]} step
 * @param {(answer: string, at: number) => void} listen
 */
function stepItem({ advice, evidence, answer, at }, listen) {
    const item = make("li", {}, make("p", {}, make("b", { text: advice })), make(
        "p",
        { class: "facts", text: evidence },
    ));
    if (answer === undefined || at === undefined) return item;
    const button = make("button", { type: "button", text: "Listen there", "aria-label": `Listen there: ${advice}` });
    button.onclick = () => listen(answer, at);
    item.append(button);
    return item;
}

const drawn = new WeakMap();

/** @param {HTMLElement} place @param {unknown} what @param {() => (Node | string | null)[]} make */
export function redraw(place, what, make) {
    const now = JSON.stringify(what ?? null);
    if (drawn.get(place) === now) return;
    drawn.set(place, now);
    place.replaceChildren(...make().filter(Boolean));
}
