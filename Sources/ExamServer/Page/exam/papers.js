/** Papers that a model writes for a learner: the wish, the progress, and the finished papers. */
import { api } from "../kit/api.js";
import { announce, attempt, button, byId, localButton, make, showProblem, sure } from "../kit/screen.js";
import { date } from "../kit/words.js";

/** The milliseconds between two checks of a paper that is being written. */
const LOOK_EVERY = 1000;

/** The maximum number of topics of a paper. */
const MOST_TOPICS = 10;

/** The number of the current series of checks. A new first screen ends the earlier ones. */
let looks = 0;

/**
 * Fills its parts of the first screen.
 *
 * @param {Schemas["Choices"]} choices
 * @param {(papers: Schemas["OwnPaper"][]) => void} changed called with the papers, now and after each change
 */
export async function drawPapers(choices, changed) {
    const look = ++looks;
    const { papers } = await api.papers();
    const draw = () => {
        byId("own-papers").hidden = papers.length === 0;
        byId("own-papers-list").replaceChildren(...papers.map((paper) => item(paper, again)));
        changed(papers);
    };
    const again = () => drawPapers(choices, changed);
    byId("write-about").textContent = choices.writer ? writerWords(choices.writer) : "";
    byId("write-paper").onclick = () => attempt(byId("write-paper"), () => order(choices, again));
    draw();
    for (const paper of papers.filter(({ state }) => state === "writing")) follow(paper, look, again);
}

/**
 * Offers writing if this server can write for the chosen format.
 *
 * @param {Schemas["Choices"]} choices
 */
export function offerWriting({ writer, formats }) {
    byId("write").hidden = !writer || !formats.find(({ id }) => id === byId("format").value)?.written;
}

/** @param {NonNullable<Schemas["Choices"]["writer"]>} writer */
function writerWords({ model, words }) {
    const how = `${model} writes them. Each must pass the rules for questions. `;
    return `${how}What it cannot write comes from the bank. ${words ?? ""}`.trim();
}

/**
 * @param {Schemas["Choices"]} choices
 * @param {() => Promise<void>} again
 */
async function order({ writer }, again) {
    const difficulty = /** @type {Asked["makePaper"]["difficulty"]} */ (byId("difficulty").value);
    const topics = byId("own-topic").value.split(",").map((topic) => topic.trim()).filter(Boolean).slice(
        0,
        MOST_TOPICS,
    );
    if (topics.length === 0) {
        showProblem({
            title: "What should the questions be about?", detail: "Name at least one subject, each in a word or two.",
        });
        return byId("own-topic").focus();
    }
    /** @type {Asked["makePaper"]} */
    const wish = { format: byId("format").value, from: "model", topics, ...(difficulty && { difficulty }) };
    const recipient = await agreed(writer ?? {});
    if (recipient === false) return;
    if (recipient) wish.agreedTo = recipient;
    await api.makePaper(wish);
    byId("own-topic").value = "";
    announce("Your questions are being written. You can go on meanwhile.");
    await again();
}

/**
 * Asks whether a wish may be sent to the operator of the model.
 *
 * @param {{recipient?: string, words?: string}} writer
 * @returns {Promise<string | undefined | false>} the recipient; undefined if nothing is sent; false if the learner
 *     refuses
 */
export async function agreed({ recipient, words = "" }) {
    if (!recipient) return undefined;
    return (await sure({
        title: `Do you agree for ${recipient}?`,
        text: words,
        yes: "I agree",
        no: "No",
    })) && recipient;
}

/**
 * Checks a paper until it is written, or its first screen is gone.
 *
 * @param {Schemas["OwnPaper"]} paper
 * @param {number} look
 * @param {() => Promise<void>} again
 */
function follow(paper, look, again) {
    setTimeout(async () => {
        if (look !== looks) return;
        try {
            const now = await api.paper(paper.id);
            if (look !== looks) return;
            if (now.state === "writing") {
                byId(`bar-${paper.id}`).value = now.written ?? 0;
                byId(`state-${paper.id}`).textContent = stateWords(now);
                return follow(now, look, again);
            }
            announce(now.state === "ready"
                ? `Your questions are ready: ${now.title}.`
                : `Your questions could not be written. ${now.failure}`);
            await again();
        } catch {
            // The line or the paper is gone. The next check finds out.
            follow(paper, look, again);
        }
    }, LOOK_EVERY);
}

/**
 * @param {Schemas["OwnPaper"]} paper
 * @param {() => Promise<void>} again
 */
function item(paper, again) {
    const { id, title, state, createdAt, written, wanted, failure, shortfalls } = paper;
    const stands = make("span", { id: `state-${id}`, text: stateWords(paper) });
    const about = make("p", {}, make("b", { text: title }), make("br"), `${date(createdAt)} · `, stands);
    /** @type {Node[]} */
    const parts = [about];
    if (state === "writing") {
        parts.push(make(
            "progress",
            { id: `bar-${id}`, max: wanted, value: written, "aria-label": `How much of “${title}” is written` },
        ));
    }
    const said = [failure, ...shortfalls].filter(Boolean);
    parts.push(...said.map((text) => make("p", { class: "facts", text })));
    const actions = make("p", { class: "actions" });
    if (state === "ready") actions.append(localButton("Choose it", () => choose(paper), `Choose it: ${title}`));
    if (state === "failed") {
        actions.append(button("Try again", async () => (await api.retryPaper(id), again()), `Try again: ${title}`));
    }
    actions.append(button("Erase…", async () => {
        if (!(await sure({
            title: "Erase these questions?",
            text: "Exams that you already took with them do not change.",
            yes: "Erase",
            no: "Keep them",
        }))) return;
        await api.erasePaper(id);
        announce("The questions were erased.");
        await again();
    }, `Erase: ${title}`));
    return make("li", {}, ...parts, actions);
}

/** @param {Schemas["OwnPaper"]} paper */
function stateWords({ state, written, wanted }) {
    if (state === "ready") return wanted ? "Written by a model, and not yet checked by a person" : "Drawn for you";
    return state === "failed" ? "Not written" : `Being written: ${written} of ${wanted}`;
}

/**
 * Chooses the paper in the form above, with its format.
 *
 * @param {Schemas["OwnPaper"]} paper
 */
function choose({ id, format, title }) {
    byId("format").value = format;
    byId("format").dispatchEvent(new Event("change"));
    byId("paper").value = id;
    byId("paper").dispatchEvent(new Event("change"));
    byId("paper").focus();
    announce(`Chosen: ${title}.`);
}
