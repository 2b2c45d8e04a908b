/** Choices to be on or off, stored in this browser. */
import { make } from "./screen.js";

/** Choices that live only as long as the page if the browser blocks storage. */
const kept = new Map();

/**
 * @param {string} name
 * @param {boolean} otherwise if nothing was chosen
 * @returns {boolean}
 */
export function isChosen(name, otherwise) {
    if (kept.has(name)) return kept.get(name);
    try {
        return (localStorage.getItem(name) ?? String(otherwise)) === "true";
    } catch {
        return otherwise;
    }
}

/**
 * @param {string} name
 * @param {boolean} isOn
 */
export function choose(name, isOn) {
    kept.set(name, isOn);
    try {
        localStorage.setItem(name, String(isOn));
    } catch {
        // The choice holds until the page is closed.
    }
}

/**
 * Returns a check box for a choice.
 *
 * @param {string} name
 * @param {boolean} otherwise
 * @param {string} text
 */
export function choiceBox(name, otherwise, text) {
    const box = make("input", { type: "checkbox" });
    box.checked = isChosen(name, otherwise);
    box.onchange = () => choose(name, box.checked);
    return make("label", { class: "choice" }, box, make("span", { text }));
}
