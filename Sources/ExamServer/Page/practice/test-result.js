/**
 * A test that was handed in: a message that it will be graded, and then its result with every question, as soon as it
 * is available.
 */
import { followStream } from "../kit/events.js";
import { practice } from "../kit/practice-api.js";
import { answerWords, capital, dayWords, lengthWords, letter, testTitle } from "./practice-words.js";
import { markOption } from "./question.js";
import { announce, asksToSignIn, attempt, byId, isShown, make, show } from "../kit/screen.js";

/** The milliseconds between two checks if no event comes. */
const LOOK_EVERY = 5000;

let stop = () => {};

/**
 * @param {string} id
 * @param {() => Promise<void>} leave
 * @param {{isFresh?: boolean}} options `isFresh`: it was handed in a moment ago
 */
export async function testResult(id, leave, { isFresh = false } = {}) {
    stop();
    byId("result-leave").onclick = (event) =>
        attempt(event.target, async () => {
            stop();
            await leave();
        });
    // The test is handed in even if it cannot be shown now.
    if (!isFresh) draw(await practice.test(id));
    else {
        wait();
        practice.test(id).then(draw, () => {});
    }
    show("test-result", id);
    if (byId("result-waits").hidden) return;
    follow(id);
}

/**
 * Returns a score with its colour and word.
 *
 * @param {NonNullable<Schemas["PracticeTest"]["result"]>} result
 */
export const score = ({ percentage, right, count, grade, word }) =>
    make(
        "p",
        { class: `grade ${grade}` },
        make("b", { text: `${percentage} %` }),
        ` ${right} of ${count} right · `,
        make("span", { class: "word", text: word }),
    );

/**
 * Follows the grading.
 *
 * @param {string} id
 */
function follow(id) {
    let isOver = false;
    const look = async () => {
        try {
            const test = await practice.test(id);
            if (isOver || test.state !== "graded") return;
            stop();
            draw(test);
            if (isShown("test-result")) announce(`Graded: ${test.result?.percentage} %, ${test.result?.word}.`);
        } catch (problem) {
            // The next check finds out.
            if (problem.status === 401 && isShown("test-result")) asksToSignIn(problem);
        }
    };
    const stopEvents = followStream(
        (last, signal) => practice.grading(id, last, signal),
        ({ name }) => name === "graded" && look(),
    );
    const timer = setInterval(() => (isShown("test-result") ? look() : stop()), LOOK_EVERY);
    stop = () => {
        isOver = true;
        stopEvents();
        clearInterval(timer);
    };
    // It may have been graded between the hand-in and now.
    look();
}

function wait() {
    byId("result-waits").hidden = false;
    const parts = /** @type {const} */ (["result-score", "result-parts", "result-questions", "result-about"]);
    for (const id of parts) byId(id).replaceChildren();
    byId("result-all").hidden = true;
}

/** @param {Schemas["PracticeTest"]} test */
export function draw(test) {
    if (test.state !== "graded" || !test.result) return wait();
    const { result, questions = [] } = test;
    byId("result-waits").hidden = true;
    const day = dayWords(test.submittedAt);
    byId("result-about").textContent =
        `${testTitle(test)} · handed in ${day}, after ${lengthWords(result.seconds)} spent on it`;
    byId("result-score").replaceChildren(score(result), make("p", { text: result.advice }));
    byId("result-parts").replaceChildren(
        ...[
            ["By topic", result.byTopic],
            ["By difficulty", result.byDifficulty],
            ["By kind of thinking", result.byBloom],
        ].filter(([, parts]) => parts?.length > 0).map(([title, parts]) => table(title, parts)),
    );
    const items = questions.map((question, place) => item(question, place));
    byId("result-questions").replaceChildren(...items);
    byId("result-all").hidden = false;
    byId("result-open-all").onclick = () => setAll(true);
    byId("result-close-all").onclick = () => setAll(false);
}

/** @param {boolean} isOpen */
function setAll(isOpen) {
    for (const each of byId("result-questions").querySelectorAll("details")) each.open = isOpen;
}

function table(title, parts) {
    const head = make(
        "tr",
        {},
        ...["", "Right", "Time"].map((text, place) => (place === 0 ? make("td") : make("th", { scope: "col", text }))),
    );
    const rows = parts.map(({ name, right, count, seconds }) =>
        make(
            "tr",
            {},
            make("th", { scope: "row", text: capital(name) }),
            make("td", { text: `${right} of ${count}` }),
            make("td", { text: lengthWords(seconds) }),
        ),
    );
    return make(
        "table",
        { class: "figures" },
        make("caption", { text: title }),
        make("thead", {}, head),
        make("tbody", {}, ...rows),
    );
}

/** Returns one question. Closed it shows the verdict, open it shows everything. */
export function item(question, place) {
    const { type, prompt, options, answer, isRight, credit, rightAnswer, explanation } = question;
    const { topic, difficulty, bloom } = question;
    const word = isRight ? "✓ Right" : credit > 0 ? "◐ Partly right" : answer ? "✗ Not right" : "– Not answered";
    const summary = make(
        "summary",
        {},
        make("b", { class: isRight ? "is-right" : "is-wrong", text: `${word}: ` }),
        `${place + 1}. ${prompt}`,
    );
    const made = make("details", { class: "graded" }, summary);
    if (type === "multipleChoice") {
        made.append(make("ul", { class: "options" }, ...options.map((text, index) => {
            const option = make(
                "div",
                { class: "option" },
                make("span", { class: "letter", text: letter(index) }),
                make("span", { text }),
            );
            markOption(option, index, rightAnswer, answer);
            return make("li", {}, option);
        })));
    } else {
        made.append(
            make("p", {}, "Yours: ", make("b", { text: answerWords(answer, question) || "none" })),
            make("p", {}, "Right: ", make("b", { text: answerWords(rightAnswer, question) })),
        );
    }
    made.append(
        make("p", { text: explanation }),
        make("p", { class: "facts", text: [topic, difficulty, bloom].filter(Boolean).map(capital).join(" · ") }),
    );
    return make("li", {}, made);
}
