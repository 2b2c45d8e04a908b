/** The learner's exams, newest first: each to be continued, looked at or erased, with a search through all of them. */
import { api } from "../kit/api.js";
import { announce, attempt, button, byId, inside, make, sure } from "../kit/screen.js";
import { date, examTitle, modeWords, outcomeWords, seconds, statusWords } from "../kit/words.js";

/** The maximum number of pages of older exams that a search reads. */
const MOST_PAGES = 20;
/** The number of exams at which a search is offered. */
const SEARCHED_FROM = 4;

/**
 * @param {Schemas["Sessions"]} page the newest exams
 * @param {Schemas["Choices"]} choices
 * @param {any} on `goOn(session)`; `open(session)`: shows its results
 */
export function drawExams(page, choices, on) {
    byId("earlier").hidden = page.sessions.length === 0;
    byId("sessions").replaceChildren();
    list(page, choices, on);
    offerSearch(page, choices, on);
}

/**
 * Adds a page of exams to the list, and offers the next.
 *
 * @param {Schemas["Sessions"]} page
 * @param {Schemas["Choices"]} choices
 * @param {any} on
 */
function list({ sessions, next }, choices, on) {
    byId("sessions").append(...sessions.map((session) => sessionItem(session, choices, on)));
    const older = byId("older");
    older.hidden = !next;
    older.onclick = () =>
        attempt(older, async () => {
            const page = await api.sessions({ before: next });
            list(page, choices, on);
            announce(`${page.sessions.length} older exams are listed.`);
        });
}

/**
 * "The exam was erased."
 *
 * @param {string} [drill] the session's drill
 */
export const erasedWords = (drill) => drill ? "The practice was erased." : "The exam was erased.";

/**
 * Asks for confirmation, then erases.
 *
 * @param {string} session
 * @param {string} [drill] the session's drill
 * @returns {Promise<boolean>} whether it was erased
 */
export async function erase(session, drill) {
    const isSure = await sure({
        title: drill ? "Erase this practice?" : "Erase this exam?",
        text: "Its recordings, notes and results are erased from the server. This cannot be undone.",
        yes: "Erase for good",
        no: "Keep it",
    });
    if (!isSure) return false;
    await api.erase(session);
    return true;
}

/** @param {Schemas["Session"]} session */
function facts(session) {
    const stands = session.status === "in_progress" ? "" : outcomeWords(session.outcome);
    const length = (Date.parse(session.completedAt ?? "") - Date.parse(session.startedAt)) / 1000;
    return [date(session.startedAt), modeWords(session.mode), seconds(length), stands, statusWords(session.status)]
        .filter(Boolean)
        .join(" · ");
}

/** @param {Schemas["Session"]} session @param {Schemas["Choices"]} choices @param {any} on */
export function sessionItem(session, choices, on) {
    const title = examTitle(session, choices);
    const when = date(session.startedAt);
    const about = make("p", {}, make("b", { text: title }), make("br"), make(
        "span",
        { class: "facts", text: facts(session) },
    ));
    /** @param {string} text @param {() => unknown} action */
    const offer = (text, action) => button(text, action, `${text}: ${title}, ${when}`);
    const actions = make("p", { class: "actions" }, offer("Results", () => on.open(session.id)));
    if (session.status === "in_progress") {
        const goOn = offer("Go on", () => on.goOn(session.id));
        goOn.className = "main";
        actions.prepend(goOn);
    }
    const made = make("li", {}, about, actions);
    const remove = offer("Erase…", async () => {
        if (!(await erase(session.id, session.drill))) return;
        const screen = /** @type {HTMLElement} */ (made.closest(".screen"));
        made.remove();
        inside(screen, "h1").focus();
        announce(erasedWords(session.drill));
    });
    remove.className = "quiet";
    actions.append(remove);
    return made;
}

// Searching.

/** @param {Schemas["Sessions"]} page @param {Schemas["Choices"]} choices @param {any} on */
function offerSearch(page, choices, on) {
    const place = byId("exam-find");
    place.hidden = page.sessions.length < SEARCHED_FROM;
    place.open = false;
    byId("exam-search").value = "";
    byId("exam-list").replaceChildren();
    /** @type {Schemas["Session"][] | null} */
    let known = null;
    place.ontoggle = async () => {
        if (!place.open || known) return;
        known = page.sessions;
        const list = () => found(known ?? [], choices, on);
        byId("exam-search").oninput = list;
        list();
        known = await everything(page);
        list();
    };
}

/**
 * Returns all pages of exams, or those read before the line was lost.
 *
 * @param {Schemas["Sessions"]} page
 */
async function everything({ sessions, next }) {
    const all = [...sessions];
    for (let pages = 0; next && pages < MOST_PAGES; pages += 1) {
        const page = await api.sessions({ before: next }).catch(() => ({ sessions: [], next: undefined }));
        all.push(...page.sessions);
        next = page.next;
    }
    return all;
}

/**
 * Returns the exams that contain all words of a search. Pure.
 *
 * @param {Schemas["Session"][]} sessions
 * @param {Schemas["Choices"]} choices
 * @param {string} search
 */
export function matching(sessions, choices, search) {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return sessions.filter((session) => {
        const text =
            `${examTitle(session, choices)} ${facts(session)} ${String(session.startedAt).slice(0, 10)}`.toLowerCase();
        return words.every((word) => text.includes(word));
    });
}

/** @param {Schemas["Session"][]} sessions @param {Schemas["Choices"]} choices @param {any} on */
function found(sessions, choices, on) {
    const search = byId("exam-search").value;
    const some = matching(sessions, choices, search);
    const count = (/** @type {number} */ number) => `${number} exam${number === 1 ? "" : "s"}`;
    byId("exam-found").textContent = search.trim()
        ? `${count(some.length)} of ${sessions.length} found`
        : count(some.length);
    byId("exam-list").replaceChildren(...some.map((session) => sessionItem(session, choices, on)));
}
