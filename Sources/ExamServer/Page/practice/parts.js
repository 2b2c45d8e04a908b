/** Questions whose answers have several parts: options to choose, to bring into an order, or to match with premises. */
import { make } from "../kit/screen.js";
import { letter, placeOf } from "./practice-words.js";

/**
 * @typedef {object} Question
 * @property {string} type
 * @property {string[]} options
 * @property {string[]} [premises]
 *
 * @typedef {object} Given an answer in the server's form
 * @property {string} type
 * @property {number[]} [selectedOptions]
 * @property {number[]} [order]
 * @property {number[]} [matches]
 *
 * @typedef {object} Controls
 * @property {HTMLElement} place
 * @property {HTMLElement[]} rows the parts in the order in which they are shown
 * @property {() => Given | null} value null until the answer is complete
 * @property {(locked: boolean) => void} setLocked
 * @property {(key: string) => boolean} take whether a key was an option's
 */

/** @type {Record<string, string>} */
const howToAnswer = {
    multipleResponse: "Choose every right answer.",
    ordering: "Move the answers into the right order.",
    matching: "Choose an answer for each line.",
};

/** @param {{type: string}} question */
export const hasParts = ({ type }) => type in howToAnswer;

/**
 * Returns the controls of a question with their current answer.
 *
 * @param {Question} question
 * @param {Given | null} given the earlier answer
 * @param {() => void} changed
 * @returns {Controls}
 */
function controls(question, given, changed) {
    switch (question.type) {
        case "multipleResponse":
            return checkboxes(question, given, changed);
        case "ordering":
            return orderable(question, given, changed);
        default:
            return selects(question, given, changed);
    }
}

/** @param {Question} question @param {Given | null} given @param {() => void} changed @returns {Controls} */
function checkboxes({ options }, given, changed) {
    const boxes = options.map((_, place) => make("input", { type: "checkbox", value: String(place) }));
    for (const place of given?.selectedOptions ?? []) boxes[place].checked = true;
    const rows = options.map((text, place) => make(
        "label",
        { class: "option" },
        boxes[place],
        make("span", { class: "letter", text: letter(place) }),
        make("span", { text }),
    ));
    const place = make("div", { class: "options" }, ...rows);
    place.onchange = changed;
    return {
        place,
        rows,
        value: () => {
            const chosen = boxes.flatMap((box, place) => (box.checked ? [place] : []));
            return chosen.length > 0 ? { type: "multipleResponse", selectedOptions: chosen } : null;
        },
        setLocked: (locked) => boxes.forEach((box) => (box.disabled = locked)),
        take: (/** @type {string} */ key) => {
            const chosen = boxes[placeOf(key, boxes.length)];
            if (!chosen || chosen.disabled) return false;
            chosen.click();
            return true;
        },
    };
}

/** @param {Question} question @param {Given | null} given @param {() => void} changed @returns {Controls} */
function orderable({ options }, given, changed) {
    const order = given?.order?.slice() ?? options.map((_, place) => place);
    const place = make("ol", { class: "options" });
    /** @type {HTMLButtonElement[]} */
    const buttons = [];
    let isLocked = false;
    const rows = options.map((text, option) => {
        const ways = /** @type {const} */ ([["↑", "up", -1], ["↓", "down", 1]]).map(([sign, word, step]) => {
            const way = make("button", { type: "button", text: sign, "aria-label": `Move ${word}: ${text}` });
            way.onclick = () => move(option, step, way);
            buttons.push(way);
            return way;
        });
        const row = make("div", { class: "option" }, make("span", { text }), ...ways);
        return make("li", {}, row);
    });
    const draw = () => place.replaceChildren(...order.map((option) => rows[option]));
    /** @param {number} option @param {number} step @param {HTMLElement} way */
    const move = (option, step, way) => {
        const [from, to] = [order.indexOf(option), order.indexOf(option) + step];
        if (isLocked || to < 0 || to >= order.length) return;
        [order[from], order[to]] = [order[to], order[from]];
        draw();
        way.focus();
        changed();
    };
    draw();
    return {
        place,
        get rows() {
            return order.map((option) => /** @type {HTMLElement} */ (rows[option].firstElementChild));
        },
        value: () => ({ type: "ordering", order: order.slice() }),
        setLocked: (locked) => {
            isLocked = locked;
            for (const button of buttons) button.setAttribute("aria-disabled", String(locked));
        },
        take: () => false,
    };
}

/** @param {Question} question @param {Given | null} given @param {() => void} changed @returns {Controls} */
function selects({ premises = [], options }, given, changed) {
    const fields = premises.map((premise, place) => {
        const field = make(
            "select",
            { "aria-label": premise },
            make("option", { value: "", text: "Choose …" }),
            ...options.map((text, option) => make("option", { value: String(option), text })),
        );
        if (given?.matches) field.value = String(given.matches[place]);
        return field;
    });
    const rows = premises.map((text, place) => make("div", { class: "option" }, make("span", { text }), fields[place]));
    const place = make("div", { class: "options" }, ...rows);
    place.onchange = changed;
    return {
        place,
        rows,
        value: () =>
            fields.every(({ value }) => value !== "")
                ? { type: "matching", matches: fields.map(({ value }) => Number(value)) }
                : null,
        setLocked: (locked) => fields.forEach((field) => (field.disabled = locked)),
        take: () => false,
    };
}

/** @param {Question} question */
const hint = (question) => make("p", { id: "how-to-answer", class: "hint", text: howToAnswer[question.type] });

/**
 * Returns the controls with a button for answering.
 *
 * @param {Question} question
 * @param {string} label the id of the question's element
 * @param {(answer: Given) => void} answer
 */
export function partsForm(question, label, answer) {
    const button = make("button", { class: "main", text: "Answer" });
    const tell = () => button.setAttribute("aria-disabled", String(parts.value() === null));
    const parts = controls(question, null, () => tell());
    tell();
    const form = make(
        "form",
        { class: "parts-of", "aria-labelledby": label, "aria-describedby": "how-to-answer" },
        hint(question),
        parts.place,
        make("p", { class: "actions" }, button),
    );
    form.onsubmit = (/** @type {Event} */ event) => {
        event.preventDefault();
        const given = parts.value();
        if (given && !button.hidden) answer(given);
    };
    const setLocked = (/** @type {boolean} */ locked) => {
        parts.setLocked(locked);
        button.hidden = locked;
    };
    return {
        place: form,
        take: parts.take,
        lock: () => setLocked(true),
        unlock: () => setLocked(false),
        mark: (/** @type {Given} */ right, /** @type {Given | null} */ given) =>
            parts.rows.forEach((row, place) => markPart(row, place, right, given)),
    };
}

/**
 * Marks a part of an answer as right or wrong, with colour and word.
 *
 * @param {HTMLElement} row
 * @param {number} place
 * @param {Given} right
 * @param {Given | null} given
 */
function markPart(row, place, right, given) {
    const isYours = given?.selectedOptions?.includes(place);
    const isRight = right.selectedOptions?.includes(place)
        ?? (right.order ?? right.matches)?.[place] === (given?.order ?? given?.matches)?.[place];
    if (right.selectedOptions && !isRight && !isYours) return;
    row.classList.add(isRight ? "right" : "wrong");
    const words = [isRight ? "✓ right" : "✗ not right", isYours && "yours"].filter(Boolean).join(", ");
    row.append(make("b", { class: "mark", text: words }));
}

/**
 * Returns the controls of an answer that can be changed any number of times.
 *
 * @param {Question} question
 * @param {string} label
 * @param {Given | null} given
 * @param {(answer: Given, isLetter: boolean) => void} answer
 */
export function changeableParts(question, label, given, answer) {
    const parts = controls(question, given, () => {
        const value = parts.value();
        if (value) answer(value, false);
    });
    return {
        place: make(
            "div",
            { class: "parts-of", role: "group", "aria-labelledby": label, "aria-describedby": "how-to-answer" },
            hint(question),
            parts.place,
        ),
        take: parts.take,
        end: () => {},
    };
}
