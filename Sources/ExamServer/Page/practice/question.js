/** A question with its answer: options like radio buttons, each with its letter, or a text field. */
import { checked, make } from "../kit/screen.js";
import { changeableParts, hasParts } from "./parts.js";
import { letter, placeOf } from "./practice-words.js";

/** Returns how to answer a typed question. */
export function howToAnswer({ type, units }) {
    if (type === "fillInTheBlank") return "Type the missing words.";
    return units?.length > 0 ? `Type a number, and ${units.join(" or ")} if you like.` : "Type a number.";
}

/** @param {{type: string}} question @param {string} text @returns {object} the answer in the server's form */
export const typedAnswer = ({ type }, text) =>
    type === "fillInTheBlank" ? { type, textAnswer: text } : { type: "calculation", numericAnswer: text };

export const chosenAnswer = (place) => ({ type: "multipleChoice", selectedOption: place });

/**
 * Returns options that answer when they are pressed, and then show the verdict.
 *
 * @param {{options: string[]}} question
 * @param {(answer: object) => void} answer
 * @returns {{place: HTMLElement, take: Function, lock: Function, mark: Function, unlock: Function}} `take(key)`:
 *     whether a key was an option's; `lock(answer)`; `mark(right, answer)` shows which is right and which was chosen,
 *     in words too
 */
export function optionButtons({ options }, answer) {
    const buttons = options.map((text, place) => {
        const button = make(
            "button",
            { type: "button", class: "option", "aria-keyshortcuts": `${letter(place)} ${place + 1}` },
        );
        button.append(make("span", { class: "letter", text: letter(place) }), make("span", { text }));
        button.onclick = () => !isLocked && answer(chosenAnswer(place));
        return button;
    });
    let isLocked = false;
    const setLocked = (locked, chosen) => {
        isLocked = locked;
        buttons.forEach((button, place) => {
            if (locked) button.setAttribute("aria-disabled", "true");
            else button.removeAttribute("aria-disabled");
            button.classList.toggle("chosen", locked && place === chosen);
        });
    };
    return {
        place: make("ul", { class: "options" }, ...buttons.map((button) => make("li", {}, button))),
        take: (key) => {
            const place = placeOf(key, options.length);
            if (place < 0 || isLocked) return false;
            answer(chosenAnswer(place));
            return true;
        },
        lock: ({ selectedOption }) => setLocked(true, selectedOption),
        unlock: () => setLocked(false),
        mark: (right, given) => {
            buttons.forEach((button, place) => markOption(button, place, right, given));
        },
    };
}

/** Marks an option as right or chosen, with colour and word. */
export function markOption(option, place, right, given) {
    const [isRight, isYours] = [place === right.selectedOption, place === given?.selectedOption];
    if (!isRight && !isYours) return;
    option.classList.add(isRight ? "right" : "wrong");
    const words = [isRight ? "✓ right" : "✗ not right", isYours && "yours"].filter(Boolean).join(", ");
    option.append(make("b", { class: "mark", text: words }));
}

/**
 * Returns a field for a typed answer. The browser neither completes nor corrects what is typed.
 *
 * @param {string} label the id of the question's element
 */
function answerField(label) {
    const field = make("input", {
        type: "text",
        maxlength: "200",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        "aria-labelledby": label,
    });
    field.setAttribute("aria-describedby", "how-to-answer");
    return field;
}

/**
 * Returns a field and a button for answering.
 *
 * @param {string} label the id of the question's element
 * @param {(answer: object) => void} answer
 */
export function typedField(question, label, answer) {
    const field = answerField(label);
    const button = make("button", { class: "main", text: "Answer" });
    const form = make(
        "form",
        { class: "typed" },
        field,
        make("p", { id: "how-to-answer", class: "hint", text: howToAnswer(question) }),
        make("p", { class: "actions" }, button),
    );
    form.onsubmit = (event) => {
        event.preventDefault();
        const text = field.value.trim();
        if (!field.readOnly && text) answer(typedAnswer(question, text));
    };
    const setLocked = (locked) => {
        field.readOnly = locked;
        button.hidden = locked;
    };
    return {
        place: form,
        field,
        take: () => false,
        lock: () => setLocked(true),
        unlock: () => setLocked(false),
        mark: () => {},
    };
}

/**
 * Returns options or a field whose answer can be changed any number of times.
 *
 * @param {any} given the earlier answer
 * @param {(answer: object, isLetter: boolean) => void} answer `isLetter`: by a press or a letter, not while moving with
 *     the arrow keys
 * @returns {{place: HTMLElement, field?: HTMLInputElement, take: Function, end: Function}} `end()` takes the typed text
 */
export function changeable(question, label, given, answer) {
    if (hasParts(question)) return changeableParts(question, label, given, answer);
    if (question.type !== "multipleChoice") return changeableField(question, label, given, answer);
    let isArrow = false;
    const radios = question.options.map((_, place) => make(
        "input",
        { type: "radio", name: "option", value: String(place) },
    ));
    const place = make("div", { class: "options", role: "radiogroup", "aria-labelledby": label });
    place.append(...question.options.map((text, index) => make(
        "label",
        { class: "option" },
        radios[index],
        make("span", { class: "letter", text: letter(index) }),
        make("span", { text }),
    )));
    if (given) radios[given.selectedOption].checked = true;
    place.addEventListener("keydown", ({ key }) => (isArrow = key.startsWith("Arrow")));
    place.addEventListener("pointerdown", () => (isArrow = false));
    place.onchange = () => answer(chosenAnswer(Number(checked(place)[0])), !isArrow);
    const take = (key) => {
        const chosen = placeOf(key, radios.length);
        if (chosen < 0) return false;
        radios[chosen].checked = true;
        radios[chosen].focus();
        answer(chosenAnswer(chosen), true);
        return true;
    };
    return { place, take, end: () => {} };
}

function changeableField(question, label, given, answer) {
    const field = answerField(label);
    let kept = (field.value = given?.textAnswer ?? given?.numericAnswer ?? "");
    const end = () => {
        const text = field.value.trim();
        if (!text || text === kept) return;
        kept = text;
        answer(typedAnswer(question, text), false);
    };
    field.onchange = end;
    return {
        place: make("div", { class: "typed" }, field, make(
            "p",
            { id: "how-to-answer", class: "hint", text: howToAnswer(question) },
        )),
        field,
        take: () => false,
        end,
    };
}
