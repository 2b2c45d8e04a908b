/**
 * What a learner likes on drills and tests, kept in this browser: whether they go on by themselves, and whether letters are keys.
 */
import { make } from "./screen.js";

/** Seconds until the next question, where it comes by itself. */
export const AUTO_ADVANCE = 0.5;

const KEPT = "oracy.practice.";

/** Where the browser blocks storage, a choice lives as long as the page. */
const choices = new Map();

export function isOn(name, otherwise) {
    if (choices.has(name)) return choices.get(name);
    try {
        return (localStorage.getItem(KEPT + name) ?? String(otherwise)) === "true";
    } catch {
        return otherwise;
    }
}

function keep(name, value) {
    choices.set(name, value);
    try {
        localStorage.setItem(KEPT + name, String(value));
    } catch {
        // It holds until the page is closed.
    }
}

/** A box to be ticked. */
export function choice(name, otherwise, text) {
    const box = make("input", { type: "checkbox" });
    box.checked = isOn(name, otherwise);
    box.onchange = () => keep(name, box.checked);
    return make("label", { class: "choice" }, box, make("span", { text }));
}
