/**
 * A marker's desk: one exam's answers to hear, the descriptions of the bands, marks by keyboard, and comments on
 * moments. The draft is saved as it grows. Findings of machines and other markers are shown once the marks are saved.
 */
import { AnswerToMark } from "./answer-to-mark.js";
import { numbered } from "../exam/numbers.js";
import { api, Problem } from "../kit/api.js";
import { Draft } from "../kit/drafts.js";
import { marksOf } from "../exam/marks.js";
import { announce, asksToSignIn, attempt, byId, isShown, make, show, showProblem, sure } from "../kit/screen.js";
import { giveBack, taskWords } from "./task.js";
import { mark } from "../kit/words.js";

/** The milliseconds after which changes are saved, and after which a failed attempt is repeated. */
const PAUSE = 1000;
const AGAIN = 5000;
/** Half bands in rising order. Typing 6 selects 6, and then .5 selects 6.5. */
const BANDS = Array.from({ length: 19 }, (_, index) => index / 2);
/** The letters that focus the marks. */
const LETTERS = { fluency: "f", vocabulary: "v", grammar: "g", pronunciation: "n", topicRelevance: "t" };

/** @param {() => Promise<void>} goBack */
export async function openDesk(task, goBack) {
    const desk = new Desk(await api.task(task));
    const leave = async () => {
        await desk.close();
        await goBack();
    };
    byId("desk-back").onclick = (event) => attempt(event.target, leave);
    byId("give-back").onclick = (event) =>
        attempt(event.target, async () => {
            if (!(await giveBack(task))) return;
            desk.forget();
            await goBack();
        });
    byId("save-marks").onclick = (event) =>
        attempt(event.target, async () => {
            if (!(await desk.save())) return;
            await openDesk(task, goBack);
            byId("desk-result-title").scrollIntoView({ block: "nearest" });
            announce("Your marks are saved.");
        });
    byId("desk-next").hidden = !desk.isSaved;
    byId("desk-next").onclick = (event) =>
        attempt(event.target, async () => {
            const next = await api.takeNext();
            if (next) return openDesk(next.task, goBack);
            await leave();
            announce("Nothing waits just now.");
        });
    show("desk", task);
}

class Desk {
    #fields = new Map();
    #comments;
    #answers = [];
    /** The answer that keys refer to. */
    #at = 0;
    /** @type {number | null} */
    #timer = null;
    #keeping = Promise.resolve();
    /** The marks that the server does not have yet. */
    #unsent;

    /** @param {Schemas["MarkingDesk"]} desk */
    constructor({ task, rubric, answers, draft, sheet, result }) {
        this.task = task.task;
        this.isSaved = Boolean(sheet);
        this.#unsent = new Draft("marks", this.task);
        if (sheet) this.#unsent.drop();
        const unsent = this.#unsent.get();
        const given = sheet ?? unsent ?? draft ?? { bands: {}, comments: [] };
        this.#comments = given.comments.map((comment) => ({ ...comment }));
        byId("desk-title").textContent = task.title;
        byId("desk-about").textContent = taskWords(task);
        const topic = { name: "topicRelevance", title: "On the topic (no criterion)", bands: [] };
        const marked = { ...given.bands, topicRelevance: given.topicRelevance };
        byId("desk-criteria").replaceChildren(
            ...[...rubric.criteria, topic].map((each) => this.#criterion(each, marked[each.name])),
        );
        /** @type {AnswerToMark[]} */
        this.#answers = numbered(answers).map((answer) => new AnswerToMark(
            answer,
            this.isSaved,
            this.#comments,
            { changed: () => this.#changed(), ended: () => this.#ended(answer) },
        ));
        this.#hear();
        this.#answers.forEach((answer, index) => answer.item.addEventListener("focusin", () => (this.#at = index)));
        byId("desk-answers").replaceChildren(...this.#answers.map(({ item }) => item));
        byId("draft").textContent = unsent || draft ? "Your draft is here again." : "";
        if (unsent) this.#keepIn(PAUSE);
        for (const id of /** @type {const} */ (["save-marks", "give-back"])) byId(id).hidden = this.isSaved;
        byId("desk-result").hidden = !result;
        if (result) byId("desk-scores").replaceChildren(marksOf({ status: "evaluated", assessment: "done" }, result));
        document.onkeydown = (event) => this.#key(event);
    }

    /** Saves unsaved changes. */
    async close() {
        document.onkeydown = null;
        if (this.#timer !== null) await this.#keep();
        for (const answer of this.#answers) answer.pause();
    }

    /** Discards the draft of an exam that was given back. */
    forget() {
        document.onkeydown = null;
        this.#unsent.drop();
        clearTimeout(this.#timer);
        this.#timer = null;
        for (const answer of this.#answers) answer.pause();
    }

    /**
     * @returns {Promise<boolean>} whether the marks are saved
     * @throws {Problem}
     */
    async save() {
        const marks = this.#marks();
        const given = [...this.#fields].map(([name, { title, field }]) =>
            `${title}: ${field.value === "" ? "no mark" : field.value}`);
        if (Object.keys(marks.bands).length === 0 && marks.topicRelevance === undefined) {
            showProblem({ title: "There is no mark yet.", detail: "Mark one criterion at least." });
            this.#fields.get("fluency").field.focus();
            return false;
        }
        const text =
            `${given.join(" · ")}. Saved marks are final, because you then see the marks of others and of machines.`;
        if (!(await sure({ title: "Save these marks?", text, yes: "Save for good", no: "Go on marking" }))) {
            return false;
        }
        // The server would refuse a draft that came later.
        clearTimeout(this.#timer);
        this.#timer = null;
        await this.#keeping;
        await api.saveMarks(this.task, marks);
        this.forget();
        return true;
    }

    #criterion({ name, title, bands }, given) {
        const [letter, called] = [LETTERS[name], title[0].toUpperCase() + title.slice(1)];
        const field = make(
            "select",
            { id: `mark-${name}`, "aria-keyshortcuts": letter, "aria-describedby": `band-${name}` },
        );
        field.append(
            make("option", { value: "", text: "no mark" }),
            ...BANDS.map((band) => make("option", { value: String(band), text: mark(band) })),
        );
        field.value = given === undefined ? "" : String(given);
        field.disabled = this.isSaved;
        const described = make("div", { id: `band-${name}`, class: "facts" });
        const describe = () => described.replaceChildren(...bandsAround(field.value, bands).map(bandLine));
        field.onchange = () => {
            describe();
            this.#changed();
        };
        describe();
        this.#fields.set(name, { title: called, field });
        const label = make("label", { for: field.id, text: called });
        if (letter) label.append(" ", make("kbd", { text: letter.toUpperCase(), "aria-hidden": "true" }));
        const all = bands.length > 0
            ? [make("details", {}, make("summary", { text: `All bands of ${title}` }), ...bands.map(bandLine))]
            : [];
        return make("div", { class: "criterion" }, label, field, described, ...all);
    }

    #marks() {
        /** @type {{bands: Record<string, number>, comments: Schemas["MarkComment"][], topicRelevance?: number}} */
        const marks = { bands: {}, comments: this.#comments };
        for (const [name, { field }] of this.#fields) {
            if (field.value === "") continue;
            if (name === "topicRelevance") marks.topicRelevance = Number(field.value);
            else marks.bands[name] = Number(field.value);
        }
        return marks;
    }

    // The draft.

    #changed() {
        byId("draft").textContent = "";
        this.#unsent.keep(this.#marks());
        this.#keepIn(PAUSE);
    }

    /** @param {number} pause */
    #keepIn(pause) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#keep(), pause);
    }

    /** Saves one draft after the other, so that the last one sent is the last one stored. */
    #keep() {
        clearTimeout(this.#timer);
        this.#timer = null;
        this.#keeping = this.#keeping.then(async () => {
            try {
                await api.keepDraft(this.task, this.#marks());
                if (this.#timer !== null) return;
                this.#unsent.drop();
                byId("draft").textContent = "The draft is kept.";
            } catch (problem) {
                if (!(problem instanceof Problem)) throw problem;
                if (isShown("desk") && asksToSignIn(problem)) return;
                byId("draft").textContent = `The draft is not kept: ${problem.title} ${problem.detail ?? ""}`;
                // The server would refuse it again.
                if (problem.status === 0 || problem.status >= 500) this.#keepIn(AGAIN);
            }
        });
        return this.#keeping;
    }

    // Listening.

    /** Gives every answer the chosen speed. */
    #hear() {
        const tell = () => {
            for (const answer of this.#answers) answer.speed = Number(byId("desk-speed").value);
        };
        byId("desk-speed").onchange = tell;
        tell();
    }

    /**
     * Plays the next answer, if the marker wants that.
     *
     * @param {Schemas["MarkingDesk"]["answers"][number]} answer the one that was played to its end
     */
    #ended(answer) {
        const next = this.#answers[this.#answers.findIndex((each) => each.answer === answer) + 1];
        if (!byId("desk-goes-on").checked || !next || !isShown("desk")) return;
        next.focus();
        attempt(null, () => next.play());
    }

    // Keys.

    /** @param {KeyboardEvent} event */
    #key(event) {
        if (!isShown("desk") || event.ctrlKey || event.metaKey || event.altKey || byId("sure").open) return;
        const isTyping = event.target instanceof Element &&
            event.target.matches("input:not([type=checkbox]), textarea");
        if (!byId("desk-letters").checked || isTyping) return;
        const key = event.key.toLowerCase();
        const name = Object.keys(LETTERS).find((each) => LETTERS[each] === key);
        const answer = this.#answers[this.#at];
        const actions = {
            j: () => this.#go(1),
            k: () => this.#go(-1),
            p: () => answer?.playOrPause(),
            b: () => answer?.back(),
            c: () => !this.isSaved && answer?.note(),
        };
        const action = name ? () => this.#fields.get(name).field.focus() : actions[key];
        if (!action) return;
        event.preventDefault();
        attempt(null, async () => action());
    }

    /** @param {number} step */
    #go(step) {
        const to = this.#answers[this.#at + step];
        if (!to) return;
        this.#answers[this.#at].pause();
        to.focus();
    }
}

const bandLine = ({ band, text }) => make("p", {}, make("b", { text: `${band} ` }), text);

/** Returns the description of the chosen band, or for a half band those of the band below and the band above. */
export function bandsAround(value, bands) {
    if (value === "") return [];
    const around = [Math.ceil(Number(value)), Math.floor(Number(value))];
    return bands.filter(({ band }) => around.includes(band));
}
