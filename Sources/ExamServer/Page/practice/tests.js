/** A learner's tests: the current one by its state, those handed in, those to come, and making one. */
import { api } from "../kit/api.js";
import { practice } from "../kit/practice-api.js";
import { agreed } from "../exam/papers.js";
import { dayWords, percent, testStateWords, testTitle } from "./practice-words.js";
import { announce, attempt, button, byId, checked, inside, isShown, make, show, sure } from "../kit/screen.js";
import { score, testResult } from "./test-result.js";
import { takeTest } from "./test.js";
import { of } from "../kit/words.js";

/** The milliseconds between two checks of a test that is being written. */
const LOOK_EVERY = 1000;

/** The number of the current series of checks. A new one ends the earlier ones. */
let looks = 0;

export async function tests() {
    const [board, packs, { writer }] = await Promise.all([practice.tests(), practice.packs(), api.choices()]);
    draw(board);
    offerTests(packs, writer);
    show("tests");
}

/** @param {Schemas["PracticeTests"]} board */
function draw(board) {
    const look = ++looks;
    const redraw = async () => draw(await practice.tests());
    // Drawing replaces the pressed button, so the focus goes to the title.
    const again = async () => {
        await redraw();
        byId("tests-title").focus();
    };
    const { current, scheduled, others } = board;
    // If there is no current test, the last one is shown.
    const [now, recent] = current ? [current, board.recent] : [board.recent[0], board.recent.slice(1)];
    byId("test-now").replaceChildren(...(now ? card(now, again) : []));
    byId("test-now").hidden = !now;
    const isEmpty = [now, ...scheduled, ...others].filter(Boolean).length === 0;
    byId("no-tests").hidden = !isEmpty;
    const first = button("Make your first test", () => offerTest());
    first.className = "main";
    byId("no-tests-actions").replaceChildren(...(isEmpty ? [first] : []));
    const lists = { others, scheduled, recent };
    for (const name of /** @type {const} */ (["others", "scheduled", "recent"])) {
        byId(`tests-${name}`).hidden = lists[name].length === 0;
        byId(`tests-${name}-list`).replaceChildren(...lists[name].map((test) => item(test, again)));
    }
    byId("tests-figures").textContent = boardWords(board);
    for (const test of [now, ...others, ...scheduled]) if (test?.state === "generating") follow(test, look, redraw);
}

/**
 * Returns the figures of all tests. Empty before the first one is graded.
 *
 * @param {Schemas["PracticeTests"]} board
 */
function boardWords({ averageScore, count, questions }) {
    if (averageScore === undefined || averageScore === null) return "";
    return `${of(count, "test")}, ${of(questions, "question")}, ${percent(averageScore)} right on average.`;
}

/**
 * The current test.
 *
 * @param {Schemas["PracticeTest"]} test
 * @param {() => Promise<void>} again
 */
export function card(test, again) {
    /** @type {Node[]} */
    const parts = [
        make("h2", { text: test.submittedAt ? "Your last test" : "Your test" }),
        make("p", {}, make("b", { text: testTitle(test) })),
        make("p", { id: `state-${test.id}`, text: test.result
            ? `Handed in ${dayWords(test.submittedAt)}`
            : testStateWords(test) }),
    ];
    if (test.state === "generating") {
        parts.push(bar(test.count, test.written ?? 0, "How much of the test is written", `bar-${test.id}`));
    }
    if (test.state === "inProgress") parts.push(bar(test.count, test.answered, "How much of the test is answered"));
    const said = [
        test.state === "failed" && test.failure,
        ...(test.state === "ready" ? (test.shortfalls ?? []) : []),
    ].filter(Boolean);
    parts.push(...said.map((text) => make("p", { class: "facts", text })));
    if (test.result) parts.push(score(test.result));
    const made = actions(test, again);
    made.firstElementChild?.classList.add("main");
    return [...parts, made];
}

/** @param {number} max @param {number} value @param {string} label @param {string} id */
const bar = (max, value, label, id = "") => make(
    "progress",
    { max: String(max), value: String(value), "aria-label": label, ...(id && { id }) },
);

/** @param {Schemas["PracticeTest"]} test @param {() => Promise<void>} again */
function actions(test, again) {
    const title = testTitle(test);
    const offer = (text, action) => button(text, action, `${text}: ${title}`);
    const made = make("p", { class: "actions" });
    const leave = () => tests();
    if (test.state === "ready") {
        made.append(offer("Begin the test", async () => takeTest(await practice.startTest(test.id), leave)));
    }
    if (test.state === "inProgress") {
        made.append(offer("Go on", async () => takeTest(await practice.test(test.id), leave)));
    }
    if (test.state === "failed") {
        made.append(offer("Try again", async () => (await practice.retryTest(test.id), again())));
    }
    if (test.state === "graded" || test.state === "submitted") {
        made.append(offer("Look at it", () => testResult(test.id, leave)));
    }
    made.append(offer("Delete…", async () => {
        const text = test.state === "graded"
            ? "Its answers and its result are erased. This cannot be undone."
            : "It is erased with its answers. This cannot be undone.";
        if (!(await sure({ title: "Delete this test?", text, yes: "Delete for good", no: "Keep it" }))) return;
        await practice.deleteTest(test.id);
        await again();
        announce("The test was deleted.");
    }));
    return made;
}

/** @param {Schemas["PracticeTest"]} test @param {() => Promise<void>} again */
function item(test, again) {
    const when = test.submittedAt ?? test.createdAt;
    const about = make(
        "p",
        {},
        make("b", { text: testTitle(test) }),
        make("br"),
        [!test.scheduledFor && dayWords(when), !test.result && testStateWords(test)].filter(Boolean).join(" · "),
    );
    const state = test.state === "generating"
        ? [bar(test.count, test.written ?? 0, `How much of it is written: ${testTitle(test)}`, `bar-${test.id}`)]
        : [];
    return make("li", {}, about, ...(test.result ? [score(test.result)] : []), ...state, actions(test, again));
}

/**
 * Checks a test until it is written, or another screen is shown.
 *
 * @param {Schemas["PracticeTest"]} test
 * @param {number} look
 * @param {() => Promise<void>} redraw
 */
function follow(test, look, redraw) {
    setTimeout(async () => {
        if (look !== looks || !isShown("tests")) return;
        try {
            const now = await practice.test(test.id);
            if (look !== looks || !isShown("tests")) return;
            if (now.state !== "generating") {
                await redraw();
                return announce(
                    now.state === "failed" ? `The test could not be made. ${now.failure ?? ""}` : "Your test is ready.",
                );
            }
            byId(`bar-${test.id}`).value = now.written ?? 0;
            const words = byId(`state-${test.id}`);
            if (words) words.textContent = testStateWords(now);
        } catch {
            // The line is gone. The next check finds out.
        }
        follow(test, look, redraw);
    }, LOOK_EVERY);
}

// Making one.

/** Opens the form for a new one. */
export function offerTest() {
    byId("make-test").open = true;
    inside(byId("make-test"), "summary").focus();
    byId("make-test").scrollIntoView({ block: "start" });
}

/** @param {Answered["practicePacks"]["packs"]} packs @param {Schemas["Choices"]["writer"]} writer */
function offerTests(packs, writer) {
    const names = [...new Set(
        packs.filter(({ lesson }) => !lesson).flatMap(({ topics }) => topics),
    )].sort((one, other) => one.localeCompare(other));
    byId("test-topics").replaceChildren(...names.map((name) => make(
        "label",
        { class: "choice" },
        make("input", { type: "checkbox", value: name }),
        make("span", { text: name }),
    )));
    byId("test-from").hidden = !writer;
    byId("test-from-about").textContent = writer
        ? `${writer.model} writes them. Each must pass the rules for questions. ` +
            "What it cannot write comes from the bank."
        : "";
    const now = new Date();
    byId("test-day").min = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
        .map((part) => String(part).padStart(2, "0"))
        .join("-");
    byId("test-wish").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, () => order(writer));
    };
}

/** @param {Schemas["Choices"]["writer"]} writer */
async function order(writer) {
    const topics = checked(byId("test-topics"));
    const names = /** @type {const} */ (["difficulty", "count", "day"]);
    const [difficulty, count, day] = names.map((name) => byId(`test-${name}`).value);
    /** @type {Asked["makePracticeTest"]} */
    const wish = {
        count: Number(count),
        ...(topics.length > 0 && { topics }),
        ...(difficulty && { difficulty: /** @type {"Easy" | "Medium" | "Hard"} */ (difficulty) }),
        ...(day && { scheduledFor: day }),
    };
    if (writer && new FormData(byId("test-wish")).get("from") === "model") {
        const recipient = await agreed(writer);
        if (recipient === false) return;
        Object.assign(wish, { from: "model" }, recipient && { agreedTo: recipient });
    }
    const made = await practice.makeTest(wish);
    byId("make-test").open = false;
    byId("test-wish").reset();
    draw(await practice.tests());
    byId("tests-title").focus();
    scrollTo(0, 0);
    announce(made.state === "generating"
        ? "The test is being written. You can go on meanwhile."
        : day ? `The test is there for ${dayWords(day)}.` : "The test is ready.");
}
