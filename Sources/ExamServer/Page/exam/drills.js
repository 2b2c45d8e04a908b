/** The screen for spoken practice: the choice of a drill or of one part of an exam, and what was practised before. */
import { api } from "../kit/api.js";
import { sessionItem } from "./exam-list.js";
import { offer } from "./home.js";
import { refusalOf } from "./ready.js";
import { announce, attempt, byId, inside, make, show, showProblem } from "../kit/screen.js";
import { of } from "../kit/words.js";

/** The drill that is chosen at first: the shortest one without headphones. */
const FIRST = "repeat";

/** The choice of a part instead of a drill. */
const PART = {
    name: "",
    title: "One part of an exam",
    summary: "The examiner holds only this part, with new questions.",
};

/**
 * @param {{begin: (wishes: Asked["makeExam"], length: string) => unknown, goOn: (session: string) => unknown,
 *     open: (session: string) => unknown}} on the same as for `home`; `length` is a sentence, or empty
 * @param {string} [wanted] the name of the drill to choose
 */
export async function drills(on, wanted = FIRST) {
    const [choices, page] = await Promise.all([api.choices(), api.sessions({ kind: "drill" })]);
    const kinds = [...choices.drills, PART];
    const first = kinds.some(({ name }) => name === wanted) ? wanted : FIRST;
    byId("drill-kinds").replaceChildren(...kinds.map((kind) => card(kind, kind.name === first)));
    byId("drill-kinds").onchange = tellPart;
    tellPart();
    offer(byId("part-format"), choices.formats);
    byId("part-format").onchange = () => offerParts(choices);
    offerParts(choices);
    byId("drill-consent-words").textContent = choices.consent;
    byId("drill-consent").checked = false;
    byId("spoken-before").hidden = page.sessions.length === 0;
    byId("spoken-sessions").replaceChildren();
    list(page, choices, on);
    byId("drill-choice").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, () => choose(choices, on));
    };
    const refusal = refusalOf(globalThis);
    byId("drill-choice").hidden = Boolean(refusal);
    show("drills");
    if (refusal) showProblem(refusal);
}

/**
 * @param {{name: string, title: string, summary: string, seconds?: number}} kind
 * @param {boolean} isChosen
 */
function card({ name, title, summary, seconds }, isChosen) {
    const input = make("input", { type: "radio", name: "drill", value: name });
    input.checked = isChosen;
    const about = seconds ? [" ", make("span", { class: "facts", text: aboutWords(seconds) })] : [];
    const words = [make("b", { text: title }), ...about, make("br"), summary];
    return make("label", { class: "option" }, input, make("span", {}, ...words));
}

/**
 * "about 3 minutes"
 *
 * @param {number} seconds
 */
function aboutWords(seconds) {
    const minutes = Math.max(1, Math.round(seconds / 60));
    return `about ${of(minutes, "minute")}`;
}

const chosen = () => /** @type {HTMLInputElement} */ (inside(byId("drill-kinds"), ":checked")).value;

/** Shows the choice of a part if there is one to choose. */
const tellPart = () => (byId("one-part").hidden = chosen() !== PART.name);

/** @param {Schemas["Choices"]} choices */
function offerParts({ formats }) {
    const parts = formats.find(({ id }) => id === byId("part-format").value)?.parts ?? [];
    offer(byId("part-number"), parts.map(({ number, title }) => ({ id: `${number}`, title: `${number}: ${title}` })));
}

/** @param {Schemas["Choices"]} choices @param {Parameters<typeof drills>[0]} on */
function choose({ drills }, on) {
    if (!byId("drill-consent").checked) {
        const detail = "Please read what happens with the recordings, and agree to it if you do.";
        showProblem({ title: "Practice aloud is recorded.", detail });
        return byId("drill-consent").focus();
    }
    const drill = drills.find(({ name }) => name === chosen());
    if (drill) return on.begin({ drill: drill.name, consent: true }, `It takes ${aboutWords(drill.seconds)}.`);
    const part = Number(byId("part-number").value);
    on.begin({ format: byId("part-format").value, part, mode: "practice", consent: true }, "");
}

/**
 * Adds a page of drills to the list, and offers the next.
 *
 * @param {Schemas["Sessions"]} page
 * @param {Schemas["Choices"]} choices
 * @param {Parameters<typeof drills>[0]} on
 */
function list({ sessions, next }, choices, on) {
    byId("spoken-sessions").append(...sessions.map((session) => sessionItem(session, choices, on)));
    const older = byId("spoken-older");
    older.hidden = !next;
    older.onclick = () =>
        attempt(older, async () => {
            const page = await api.sessions({ kind: "drill", before: next });
            list(page, choices, on);
            announce(`${page.sessions.length} older drills are listed.`);
        });
}
