/** The screens, of which one is shown at a time, the current problem, and confirmations before irreversible actions. */
import { hashOf, replaceNext, settle } from "./address.js";
import { Problem } from "./api.js";
import { markArea } from "./areas.js";
import { isOff, markButton, OFFLINE } from "./offline.js";
import { troubles } from "./troubles.js";

export const byId = /** @type {ElementById} */ ((/** @type {string} */ id) => document.getElementById(id));

/**
 * Returns the elements in a place that match a selector.
 *
 * @param {ParentNode} place
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const all = (place, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(selector))];

/**
 * Returns the first element in a place that matches a selector, and that is always there.
 *
 * @param {ParentNode} place
 * @param {string} selector
 * @returns {HTMLElement}
 */
export const inside = (place, selector) => /** @type {HTMLElement} */ (place.querySelector(selector));

/**
 * Returns the values of the ticked boxes in a place.
 *
 * @param {HTMLElement} place
 */
export const checked = (place) =>
    [.../** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll(":checked"))].map(({ value }) => value);

/**
 * Shows one of the page's screens, and focuses its title for the keyboard and screen readers. The address becomes that
 * of the screen, if it has one.
 *
 * @param {PageScreen} name
 * @param {string} at what the screen shows, as the last part of its address: an exam's or a lesson's id
 */
export function show(name, at = "") {
    // Back does not lead to a check or an exam that is over.
    if (all(document, ".screen[data-passing]").some((screen) => !screen.hidden && screen.id !== name)) replaceNext();
    for (const screen of all(document, ".screen")) screen.hidden = screen.id !== name;
    document.body.dataset.screen = name;
    const { dataset } = byId(name);
    if (dataset.path) settle(hashOf(dataset.path, ...(at ? [at] : [])));
    markArea(dataset, at);
    clearProblem();
    announce("");
    const title = inside(byId(name), "h1");
    document.title = `${title.textContent} · Oracy`;
    title.focus();
    scrollTo(0, 0);
}

/** @type {((problem: Problem) => void) | null} */
let signedOut = null;

/**
 * Sets the action for an expired token while a screen is shown that can continue after another sign-in.
 *
 * @param {(problem: Problem) => void} action
 */
export const whenSignedOut = (action) => (signedOut = action);

/** @param {Problem} problem @returns {boolean} whether signing in was requested */
export function asksToSignIn(problem) {
    const asksAlready = isShown("sign-in") || isShown("join");
    if (problem.status !== 401 || asksAlready || !signedOut) return false;
    signedOut(problem);
    return true;
}

/** @param {PageScreen} name */
export const isShown = (name) => !byId(name).hidden;

/**
 * Shows a problem above everything.
 *
 * @param {{title: string, detail?: string}} problem
 */
export function showProblem({ title, detail }) {
    const place = byId("problem");
    const said = detail ? `${title} ${detail}` : title;
    if (place.textContent === said) return; // A screen reader would say it again.
    const words = make("strong", { text: title });
    place.replaceChildren(words, said.slice(title.length));
    place.hidden = false;
    place.scrollIntoView({ block: "nearest" });
}

export function clearProblem() {
    byId("problem").hidden = true;
    byId("problem").replaceChildren();
}

/**
 * Removes a problem that is over. Another message that is shown by then stays.
 *
 * @param {{title: string, detail?: string}} problem
 */
export function clearProblemIf({ title, detail }) {
    if (byId("problem").textContent === (detail ? `${title} ${detail}` : title)) clearProblem();
}

/**
 * Lets a screen reader say something when it is idle. Only for things that cannot be heard otherwise, and rarely.
 *
 * @param {string} words
 */
export function announce(words) {
    byId("announcer").textContent = words;
}

/**
 * Carries out a button's action. The button is disabled meanwhile, and a problem is shown. Programming errors go to the
 * console.
 *
 * @param {EventTarget | null} pressed
 * @param {() => unknown} action
 */
export async function attempt(pressed, action) {
    const button = pressed instanceof Element ? pressed : null;
    if (isOff(button)) return showProblem(OFFLINE);
    if (button?.getAttribute("aria-disabled") === "true") return;
    clearProblem();
    button?.setAttribute("aria-disabled", "true");
    try {
        await action();
    } catch (problem) {
        if (problem instanceof Problem) return asksToSignIn(problem) || showProblem(problem);
        showProblem(troubles.pageBroken);
        throw problem;
    } finally {
        button?.removeAttribute("aria-disabled");
        markButton(button);
    }
}

/**
 * Asks for confirmation. The safe answer has the focus, and Escape means it.
 *
 * @param {{title: string, text: string, yes: string, no: string}} question
 * @returns {Promise<boolean>}
 */
export function sure({ title, text, yes, no }) {
    const dialog = byId("sure");
    byId("sure-title").textContent = title;
    byId("sure-text").textContent = text;
    byId("sure-yes").textContent = yes;
    byId("sure-no").textContent = no;
    return new Promise((resolve) => {
        const answer = (/** @type {boolean} */ isSure) => {
            dialog.close();
            resolve(isSure);
        };
        byId("sure-yes").onclick = () => answer(true);
        byId("sure-no").onclick = () => answer(false);
        dialog.oncancel = () => answer(false);
        // Only for a dialog that other code closed. The answers don't wait for this event: it comes late, and until
        // then a press of the button that asked would be lost.
        dialog.onclose = () => dialog.open || resolve(false);
        dialog.showModal();
        byId("sure-no").focus();
    });
}

/**
 * Returns an element with text, attributes and children, with which this page makes its lists.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{text?: string, [attribute: string]: string | number | undefined}} about
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, { text, ...attributes } = {}, ...children) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
}

/**
 * Fills a list. Hides it with its title if it is empty.
 *
 * @param {keyof PageElements} list
 * @param {keyof PageElements} section
 * @param {Node[]} items
 */
export function fill(list, section, items) {
    byId(section).hidden = items.length === 0;
    byId(list).replaceChildren(...items);
}

/**
 * Returns a button that carries out an action and is disabled meanwhile. Its action needs the network.
 *
 * @param {string} text
 * @param {() => unknown} action
 * @param {string} [label] the text for screen readers, if it differs
 */
export function button(text, action, label) {
    const made = localButton(text, action, label);
    made.dataset.online = "";
    return made;
}

/**
 * Returns a button like `button`, whose action does not need the network, or waits for it by itself.
 *
 * @param {string} text
 * @param {() => unknown} action
 * @param {string} [label]
 */
export function localButton(text, action, label) {
    const made = make("button", { type: "button", text, ...(label && { "aria-label": label }) });
    made.onclick = () => attempt(made, action);
    return made;
}

/**
 * Shows a level on a meter. A screen reader gets the word when asked, and nothing is announced.
 *
 * @param {HTMLElement} meter
 * @param {HTMLElement} words
 * @param {number} level in dBFS
 * @param {string} word
 */
export function showLevel(meter, words, level, word) {
    const shown = Math.max(-70, Math.min(0, level));
    inside(meter, "*").style.width = `${((shown + 70) / 70) * 100}%`;
    meter.setAttribute("aria-valuenow", shown.toFixed(0));
    if (words.textContent === word) return;
    words.textContent = word;
    meter.dataset.word = word;
    meter.setAttribute("aria-valuetext", word);
}
