/** The screen for speaking: choosing an exam and questions, giving consent, and earlier exams. */
import { api } from "../kit/api.js";
import { drawConsents } from "./consents.js";
import { drawExams } from "./exam-list.js";
import { drawPapers, offerWriting } from "./papers.js";
import { offerReadings } from "./readings.js";
import { checkReady } from "./ready.js";
import { attempt, byId, make, show, showProblem } from "../kit/screen.js";
import { of } from "../kit/words.js";

/**
 * The voices by their names in the protocol.
 *
 * @type {Record<string, string>}
 */
const VOICES = {
    hibari: "American, a woman",
    pico: "British, a woman, old-fashioned",
    "espeak-ng": "British, a robot",
};

/**
 * @param {any} on `begin(wishes, length)` with the body of POST /v1/exams and a sentence about the length;
 *     `goOn(session)`; `open(session)`: shows its results
 * @param {{format: string, topic?: string, words: string}} [wanted] the exam that a plan asks for
 */
export async function home(on, wanted) {
    planned = wanted;
    const [choices, page] = await Promise.all([api.choices(), api.sessions(), drawConsents()]);
    offerReadings();
    offer(byId("format"), choices.formats);
    if (choices.formats.some(({ id }) => id === planned?.format)) byId("format").value = planned?.format ?? "";
    offerVoices(choices);
    byId("for-plan").textContent = planned?.words ?? "";
    byId("for-plan").hidden = !planned;
    let own = [];
    byId("format").onchange = () => offerPapers(choices, own);
    byId("paper").onchange = () => tellPaper(choices, own);
    byId("topic").onchange = byId("difficulty").onchange = tellChoice;
    await drawPapers(choices, (papers) => {
        own = papers.filter(({ state }) => state === "ready");
        offerPapers(choices, own);
    });
    if (planned?.topic && byId("format").value === planned.format) {
        [byId("paper").value, byId("topic").value] = ["", planned.topic];
        tellPaper(choices, own);
    }
    byId("consent-words").textContent = choices.consent;
    // A page restored by going back keeps its choices, but consent is given anew each time.
    byId("consent").checked = false;
    drawExams(page, choices, on);
    byId("choices").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, () => choose(choices, on));
    };
    show("home");
    checkReady();
}

/** The exam that a plan asks for. Undefined if the learner did not come from a plan. */
let planned;

/** @param {Schemas["Choices"]} choices @param {any} on */
function choose({ formats }, on) {
    const consent = byId("consent");
    if (!consent.checked) {
        const detail = "Please read what happens with the recordings, and agree to it if you do.";
        showProblem({ title: "An exam is recorded.", detail });
        return consent.focus();
    }
    const mode = new FormData(byId("choices")).get("mode") === "practice" ? "practice" : "test";
    /** @type {Asked["makeExam"]} */
    const wishes = { mode, consent: true };
    for (const name of /** @type {const} */ (["format", "paper", "voice"])) {
        if (byId(name).value) wishes[name] = byId(name).value;
    }
    if (!byId("drawn").hidden) Object.assign(wishes, drawWishes());
    const minutes = Math.round((formats.find(({ id }) => id === wishes.format)?.seconds ?? 0) / 60);
    on.begin(wishes, minutes > 0 ? `The exam takes at most ${of(minutes, "minute")}.` : "");
}

/**
 * Offers the examiner's voices, if there are several.
 *
 * @param {Schemas["Choices"]} choices
 */
export function offerVoices({ voices }) {
    byId("voices").hidden = voices.length < 2;
    const named = voices.map((id) => ({ id, title: VOICES[id] ?? id }));
    offer(byId("voice"), [{ id: "", title: "As usual" }, ...named]);
}

/**
 * Returns the wishes for a drawn paper. It avoids the items of the learner's last exams as long as there are others.
 */
function drawWishes() {
    const [topic, difficulty] = [byId("topic").value, byId("difficulty").value];
    return {
        seed: Math.floor(Math.random() * 2 ** 32),
        ...(topic && { topics: [topic] }),
        ...(difficulty && { difficulty }),
    };
}

/**
 * Offers drawn questions, if the chosen format has any, and the papers that fit it.
 *
 * @param {Schemas["Choices"]} choices
 * @param {Schemas["OwnPaper"][]} own
 */
function offerPapers(choices, own) {
    const { formats, papers, topics } = choices;
    const format = formats.find(({ id }) => id === byId("format").value);
    const fresh = { id: "", title: "New ones, drawn for you" };
    offer(byId("paper"), [
        ...(format?.drawn ? [fresh] : []),
        ...papers.filter(({ id }) => format?.papers.includes(id)),
        ...yours(own, format),
    ]);
    const asked = planned?.topic && planned.format === format?.id
        ? [{ id: planned.topic, title: `Your plan: ${planned.topic}` }]
        : [];
    offer(byId("topic"), [
        ...asked,
        { id: "", title: "Anything: surprise me" },
        ...topics.filter(({ formats }) => formats.includes(format?.id ?? "")),
    ]);
    offerWriting(choices);
    tellPaper(choices, own);
}

/**
 * The learner's own papers for a format.
 *
 * @param {Schemas["OwnPaper"][]} own
 * @param {{id: string} | undefined} format
 */
function yours(own, format) {
    return own.filter((paper) => paper.format === format?.id).map(({ id, title }) => ({
        id,
        title: `Yours: ${title}`,
    }));
}

/**
 * Shows the topic and difficulty of the chosen paper, if it states any.
 *
 * @param {Pick<Schemas["Choices"], "papers">} choices
 * @param {Schemas["OwnPaper"][]} own
 */
export function tellPaper({ papers }, own = []) {
    const chosen = byId("paper").value;
    const isWritten = own.some(({ id, wanted }) => id === chosen && wanted);
    /** @type {{description: string, difficulty?: string}} */
    const written = { description: "A model wrote some of these questions, and no person has checked them yet." };
    const { description, difficulty } = (isWritten ? written : papers.find(({ id }) => id === chosen)) ?? {};
    byId("drawn").hidden = byId("paper").value !== "";
    const about = byId("paper-about");
    about.textContent = [difficulty && `${difficulty}.`, description].filter(Boolean).join(" ");
    about.hidden = about.textContent === "";
    tellChoice();
}

/** Says what is chosen while the choice is folded. */
function tellChoice() {
    const chosen = byId("paper").value === "" ? [byId("paper"), byId("topic"), byId("difficulty")] : [byId("paper")];
    // A wish that was not made is left out.
    const words = chosen.filter((field, place) => place === 0 || field.value).map((field) =>
        field.selectedOptions[0]?.textContent ?? "");
    byId("which-words").textContent = words.filter(Boolean).join(", ");
}

/**
 * Offers choices. The one that was chosen before stays, if it is among them.
 *
 * @param {HTMLSelectElement} select @param {{id: string, title: string, difficulty?: string}[]} choices */
export function offer(select, choices) {
    const chosen = select.value;
    select.replaceChildren(...choices.map(({ id, title, difficulty }) => make(
        "option",
        { value: id, text: difficulty ? `${title} (${difficulty})` : title },
    )));
    if (choices.some(({ id }) => id === chosen)) select.value = chosen;
}
