/**
 * The first screen: which exam, which questions, consent; and the exams of before.
 */
import { api } from "./api.js";
import { attempt, byId, make, show, showProblem } from "./screen.js";
import { date, outcomeWords, statusWords } from "./words.js";

/** @param {object} on `begin(wishes)`: what POST /v1/exams takes; `goOn(session)`; `open(session)`: its results */
export async function home(on) {
    const [choices, { sessions }] = await Promise.all([api.choices(), api.sessions()]);
    fill(byId("format"), choices.formats);
    byId("format").onchange = () => offerPapers(choices);
    offerPapers(choices);
    byId("consent-words").textContent = choices.consent;
    byId("sessions").replaceChildren(...sessions.map((session) => item(session, choices.formats, on)));
    byId("earlier").hidden = sessions.length === 0;
    byId("choices").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, () => choose(on));
    };
    show("home");
}

function choose(on) {
    const consent = byId("consent");
    if (!consent.checked) {
        const detail = "Please read what happens with the recordings, and agree to it if you do.";
        showProblem({ title: "An exam is recorded.", detail });
        return consent.focus();
    }
    const wishes = { mode: byId("choices").elements.mode.value, consent: true };
    for (const name of ["format", "paper"]) if (byId(name).value) wishes[name] = byId(name).value;
    on.begin(wishes);
}

/** The papers that go with the chosen format; where the server does not say which do, it may choose. */
function offerPapers({ formats, papers }) {
    const fitting = formats.find(({ id }) => id === byId("format").value)?.papers;
    const any = { id: "", title: "Whichever the server chooses" };
    fill(byId("paper"), fitting ? papers.filter(({ id }) => fitting.includes(id)) : [any, ...papers]);
}

function fill(select, choices) {
    const chosen = select.value;
    select.replaceChildren(...choices.map(({ id, title }) => make("option", { value: id, text: title })));
    if (choices.some(({ id }) => id === chosen)) select.value = chosen;
}

function item(session, formats, on) {
    const title = formats.find(({ id }) => id === session.format)?.title ?? session.name;
    const when = date(session.startedAt);
    const isOpen = session.status === "in_progress";
    const stands = isOpen ? [] : [outcomeWords(session.outcome)];
    const facts = [when, ...stands, statusWords(session.status)].join(" · ");
    const about = make("p", {}, make("b", { text: title }), make("br"), facts);
    const button = (text, action) => {
        const made = make("button", { type: "button", text, "aria-label": `${text}: ${title}, ${when}` });
        made.onclick = () => attempt(made, action);
        return made;
    };
    const actions = make("p", { class: "actions" }, button("Results", () => on.open(session.id)));
    if (isOpen) actions.prepend(button("Go on", () => on.goOn(session.id)));
    return make("li", {}, about, actions);
}
