/**
 * A learner's settings for drills and tests, stored in this browser: whether they continue automatically, and whether
 * letters are keys.
 */
import { make } from "../kit/screen.js";

/** The seconds before the next question comes automatically. */
export const AUTO_ADVANCE = 0.5;

const KEPT = "oracy.practice.";

/** Choices that live only as long as the page if the browser blocks storage. */
const choices = new Map();

/** @param {string} name @param {boolean} otherwise */
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
        // The choice stays in effect until the page is closed.
    }
}

/**
 * A check box.
 *
 * @param {string} name
 * @param {boolean} otherwise
 * @param {string} text
 */
export function choice(name, otherwise, text) {
    const box = make("input", { type: "checkbox" });
    box.checked = isOn(name, otherwise);
    box.onchange = () => keep(name, box.checked);
    return make("label", { class: "choice" }, box, make("span", { text }));
}
