/**
 * A marker's desk: one exam's answers to hear, the descriptions of the bands, marks by keyboard, and comments on
 * moments. The draft is saved as it grows. Findings of machines and other markers are shown once the marks are saved.
 */
import { asked, Recording } from "../exam/answer.js";
import { api, Problem } from "../kit/api.js";
import { marksOf } from "../exam/marks.js";
import { announce, attempt, byId, inside, isShown, make, show, showProblem, sure } from "../kit/screen.js";
import { giveBack, taskWords } from "./task.js";
import { waveform, waveformWords } from "../exam/waveform.js";
import { answerTitle, clock, mark, seconds } from "../kit/words.js";

/** The milliseconds after which changes are saved, and after which a failed attempt is repeated. */
const PAUSE = 1000;
const AGAIN = 5000;
/** The seconds that one press goes back: a phrase. */
const BACK = 3;
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

    /** @param {Schemas["MarkingDesk"]} desk */
    constructor({ task, rubric, answers, draft, sheet, result }) {
        this.task = task.task;
        this.isSaved = Boolean(sheet);
        const given = sheet ?? draft ?? { bands: {}, comments: [] };
        this.#comments = given.comments.map((comment) => ({ ...comment }));
        byId("desk-title").textContent = task.title;
        byId("desk-about").textContent = taskWords(task);
        const topic = { name: "topicRelevance", title: "On the topic (no criterion)", bands: [] };
        const marked = { ...given.bands, topicRelevance: given.topicRelevance };
        byId("desk-criteria").replaceChildren(
            ...[...rubric.criteria, topic].map((each) => this.#criterion(each, marked[each.name])),
        );
        this.#answers = answers.map((answer) => new AnswerToMark(
            answer,
            this.isSaved,
            this.#comments,
            () => this.#changed(),
        ));
        this.#answers.forEach((answer, index) => answer.item.addEventListener("focusin", () => (this.#at = index)));
        byId("desk-answers").replaceChildren(...this.#answers.map(({ item }) => item));
        byId("draft").textContent = draft ? "Your draft is here again." : "";
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
                if (this.#timer === null) byId("draft").textContent = "The draft is kept.";
            } catch (problem) {
                if (!(problem instanceof Problem)) throw problem;
                byId("draft").textContent = `The draft is not kept: ${problem.title} ${problem.detail ?? ""}`;
                // The server would refuse it again.
                if (problem.status === 0 || problem.status >= 500) this.#keepIn(AGAIN);
            }
        });
        return this.#keeping;
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

/** One answer on the desk: its question, its sound, and the comments on it. */
class AnswerToMark {
    /** @type {HTMLAudioElement | null} */
    #player = null;
    /** @type {ReturnType<typeof waveform> | null} */
    #drawn = null;

    /**
     * @param {Schemas["MarkingDesk"]["answers"][number]} answer
     * @param {boolean} isSaved
     * @param {Schemas["MarkComment"][]} comments on all answers: those on this one are drawn, added and removed in it
     * @param {() => void} changed
     */
    constructor(answer, isSaved, comments, changed) {
        this.answer = answer;
        this.isSaved = isSaved;
        this.comments = comments;
        this.changed = changed;
        const name = answerTitle(answer);
        this.sound = new Recording(answer, name, (played) => this.#drawn?.mark(played));
        this.list = make("ul", { class: "comments" });
        this.place = make("div");
        this.item = make(
            "li",
            { class: "answer" },
            make("h3", { text: name, tabindex: "-1" }),
            ...asked({ ...answer, text: answer.question }),
        );
        const { peaks, speech = -1, seconds: length = 0 } = answer;
        const facts = [seconds(answer.seconds ?? -1), speech >= 0 ? `${seconds(speech)} of it speech` : ""];
        this.item.append(make("p", { class: "facts", text: facts.filter(Boolean).join(" · ") }));
        if (peaks.length > 0) {
            this.#drawn = waveform(peaks, waveformWords(peaks, length, speech));
            this.item.append(this.#drawn.picture);
        }
        this.item.append(this.sound.place, this.list, this.place);
        if (!isSaved) {
            const button = make("button", {
                type: "button",
                text: "Note something here",
                "aria-label": `Note something at this moment of ${name}`,
            });
            button.onclick = () => attempt(button, () => this.note());
            this.item.append(make("p", { class: "actions" }, button));
        }
        this.#draw();
    }

    focus() {
        inside(this.item, "h3").focus();
        this.item.scrollIntoView({ block: "nearest" });
    }

    pause() {
        this.#player?.pause();
    }

    async playOrPause() {
        const player = await this.#opened();
        if (player.paused) await player.play().catch(() => {});
        else player.pause();
    }

    async back() {
        const player = await this.#opened();
        player.currentTime = Math.max(0, player.currentTime - BACK);
        await player.play().catch(() => {});
    }

    /** Opens a field for a comment on this moment. */
    async note() {
        const player = await this.#opened();
        player.pause();
        const at = Math.round(Math.min(player.currentTime, this.answer.seconds ?? Infinity) * 10) / 10;
        const field = make("input", {
            type: "text",
            maxlength: "1000",
            lang: "en",
            "aria-label": `What you note at ${clock(at)} of ${answerTitle(this.answer)}`,
        });
        const end = () => {
            this.place.replaceChildren();
            this.focus();
        };
        const keep = () => {
            const text = field.value.trim();
            if (text) this.#add({ answer: this.answer.answer, at, text });
            end();
        };
        field.onkeydown = (event) => {
            if (event.key === "Enter") keep();
            if (event.key === "Escape") end();
        };
        const [yes, no] = [
            make("button", { type: "button", text: "Keep the note" }),
            make("button", { type: "button", text: "Forget it" }),
        ];
        [yes.onclick, no.onclick] = [keep, end];
        this.place.replaceChildren(
            make("p", { text: `At ${clock(at)}:` }),
            field,
            make("p", { class: "actions" }, yes, no),
        );
        field.focus();
    }

    async #opened() {
        return (this.#player = await this.sound.open());
    }

    /** @param {Schemas["MarkComment"]} comment */
    #add(comment) {
        this.comments.push(comment);
        this.comments.sort((one, other) => one.at - other.at);
        this.#draw();
        this.changed();
    }

    #draw() {
        const own = this.comments.filter(({ answer }) => answer === this.answer.answer);
        this.list.replaceChildren(...own.map((comment) => this.#line(comment)));
    }

    /** @param {Schemas["MarkComment"]} comment */
    #line(comment) {
        const listen = make("button", {
            type: "button",
            text: clock(comment.at),
            "aria-label": `Listen at ${clock(comment.at)}: ${comment.text}`,
        });
        listen.onclick = () => attempt(listen, () => this.sound.play(comment.at));
        const line = make("li", {}, listen, ` ${comment.text} `);
        if (this.isSaved) return line;
        const remove = make("button", {
            type: "button",
            class: "quiet",
            text: "Remove",
            "aria-label": `Remove the note at ${clock(comment.at)}: ${comment.text}`,
        });
        remove.onclick = () => {
            this.comments.splice(this.comments.indexOf(comment), 1);
            this.#draw();
            this.focus();
            this.changed();
        };
        line.append(remove);
        return line;
    }
}
