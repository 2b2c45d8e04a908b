/**
 * The results of an exam as they arrive: its marks or why they are missing, the measurements of its sound with
 * suggestions, each answer to see and hear, and a message if the exam is erased.
 */
import { answerItem, fileName } from "./answer.js";
import { AnswerParts } from "./answer-parts.js";
import { api, Problem } from "../kit/api.js";
import { drawDelivery } from "./delivery.js";
import { drawEstimate } from "./estimate.js";
import { follow } from "../kit/events.js";
import { erase, erasedWords } from "./exam-list.js";
import { marksOf } from "./marks.js";
import { numbered } from "./numbers.js";
import { planner } from "../kit/plan-api.js";
import { saveFile } from "../kit/save-file.js";
import { all, announce, attempt, byId, isShown, show, showProblem } from "../kit/screen.js";
import { drawTellings } from "./tellings.js";
import { hush, say } from "../kit/voice.js";
import { answerKey, date, outcomeWords, sealWords, statusWords } from "../kit/words.js";
import { zip } from "../kit/zip.js";

/** The milliseconds for which events are collected before the measurements are fetched again. */
const SOON = 200;

// A folded part would be missing on paper.
addEventListener("beforeprint", () => {
    for (const part of byId("answers").querySelectorAll("details")) if (part.matches(".part")) part.open = true;
});

/**
 * The page being shown. A late answer must not be drawn over another exam's page.
 *
 * @type {ResultsPage | null}
 */
let shown = null;

/** @typedef {(of: {session: string, answer: string}) => unknown} SayAgain */

/**
 * @param {string} session
 * @param {(drill?: string, exam?: string) => Promise<void>} goBack called with the name of the drill, if the session is
 *     one, and with the exam of which an answer was given again
 * @param {{isFresh?: boolean, whose?: string, back?: string, again?: SayAgain}} [options] `isFresh`: the exam has just
 *     ended; `whose`: the candidate, if another person reads it; `back`: the label of the way back; `again` asks a
 *     question again
 */
export async function results(session, goBack, options = {}) {
    const { isFresh = false, whose, back = "Your exams", again } = options;
    shown?.close();
    const page = (shown = new ResultsPage(session, { isFresh, isOwn: whose === undefined, again }));
    const leave = async () => {
        page.close();
        await goBack(page.drill, page.origin?.session);
    };
    byId("results-home").textContent = back;
    byId("results-home").onclick = (event) => attempt(event.target, leave);
    byId("results-again").onclick = (event) =>
        attempt(event.target, () => page.look().then(() => announce("These are the results as they are now.")));
    byId("erase").onclick = (event) => attempt(event.target, async () => {
            if (!(await erase(session, page.drill))) return;
            await leave();
            announce(erasedWords(page.drill));
        });
    byId("tellings-again").onclick = (event) =>
        attempt(event.target, () => page.origin && again ? again(page.origin) : leave());
    byId("tellings-again").hidden = whose !== undefined;
    byId("save").onclick = (event) => attempt(event.target, () => saveRecordings(session));
    byId("save-report").onclick = (event) => attempt(event.target, () => saveReport(session));
    byId("erase").hidden = whose !== undefined;
    byId("results-whose").textContent = whose ?? "";
    show("results", session);
    await attempt(byId("results-again"), () => page.look());
    page.follow();
}

class ResultsPage {
    /**
     * The results as GET …/results sends them.
     *
     * @type {Partial<Schemas["Results"]> & {answers: Schemas["ResultAnswer"][]}}
     */
    #results = { answers: [] };
    /** @type {Schemas["Assessment"] | null} */
    #assessment = null;
    /** The assessors' findings on each answer, by its name. */
    #said = new Map();
    /**
     * The items made by `answerItem`, by the answers' ids, with the numbers of their questions.
     *
     * @type {Map<string, ReturnType<typeof answerItem> & {number: number}>}
     */
    #items = new Map();
    #stop = () => {};
    #isOver = false;
    /** @type {number | null} */
    #soon = null;

    /**
     * @param {string} session
     * @param {{isFresh: boolean, isOwn: boolean, again?: SayAgain}} options
     */
    constructor(session, { isFresh, isOwn, again }) {
        this.session = session;
        this.isFresh = isFresh;
        this.desk = isOwn ? { session, changed: () => this.#measure() } : undefined;
        /** An exam's answers can be given again, a drill's cannot. */
        this.examDesk = this.desk &&
            { ...this.desk, again: again && ((/** @type {string} */ answer) => again({ session, answer })) };
        for (const id of /** @type {const} */ (["results-about", "scores"])) byId(id).replaceChildren();
        this.parts = new AnswerParts();
        byId("tellings").hidden = true;
        const parts = /** @type {const} */ (["no-answers", "estimate", "delivery", "next", "not-assessed", "written"]);
        for (const id of parts) byId(id).hidden = true;
    }

    /** The name of the drill. Undefined for an exam, and until it is known. */
    get drill() {
        return this.#results.session?.drill;
    }

    /** The answer that was given again. Undefined for others. */
    get origin() {
        return this.#assessment?.drill?.again;
    }

    /**
     * Reads the current state.
     *
     * @throws {Problem}
     */
    async look() {
        this.#results = await api.results(this.session);
        this.#draw();
        await this.#measure();
    }

    /** Draws changes from now on. */
    follow() {
        if (!this.#isOver) this.#stop = follow(this.session, (event) => this.#take(event));
    }

    close() {
        this.#isOver = true;
        this.#stop();
        clearTimeout(this.#soon);
    }

    /** @param {import("../kit/events.js").StreamEvent} event */
    #take({ name, data }) {
        if (!isShown("results")) return this.close();
        if (name === "erased") return showProblem({ title: "This exam is no longer there.", detail: "It was erased." });
        if (name === "answer") this.#takeAnswer(data);
        if (name === "said") this.#said.set(data.answer, data);
        if (name === "results") this.#results = { ...data, answers: this.#results.answers };
        this.#draw();
        this.#soon ??= setTimeout(() => {
            this.#soon = null;
            // If the line is lost, more events will come when it is back.
            this.#measure().catch(() => {});
        }, SOON);
    }

    /** @param {Schemas["ResultAnswer"]} answer */
    #takeAnswer(answer) {
        const answers = this.#results.answers.filter(({ id }) => id !== answer.id).concat(answer);
        const place = ({ part, order, attempt }) =>
            [part, order, attempt].map((number) => String(number).padStart(4, "0")).join();
        this.#results.answers = answers.sort((one, other) => place(one).localeCompare(place(other)));
    }

    /** Reads the measurements, findings and typed words of the answers, and the result of the marks. */
    async #measure() {
        if (this.#results.answers.length === 0) return;
        const assessment = await api.assessment(this.session);
        if (this.#isOver) return;
        // A plan may ask for this. The results do not depend on whether it can be recorded.
        // A drill counts once its result is known.
        const isNew = this.drill ? assessment.drill && !this.#assessment?.drill : !this.#assessment;
        if (isNew && this.desk) planner.reviewed(this.session).catch(() => {});
        this.#assessment = assessment;
        this.#draw();
    }

    #draw() {
        if (this.#isOver) return;
        // If many exams end at the same time, encoding takes a while.
        const isStoring = this.isFresh && this.#results.status === "in_progress";
        const answers = numbered(this.#results.answers);
        const results = { ...this.#results, answers, status: isStoring ? "storing" : this.#results.status };
        fill(results, this.#assessment?.marks, Boolean(this.desk));
        // Players and fields in use stay: answers are only added to existing ones, and waveforms to answers.
        for (const answer of results.answers) {
            const { number } = answer;
            const known = this.#items.get(answer.id);
            if (known?.number === number) known.draw(answer);
            else {
                // An earlier answer may arrive later than this one, and changes its number.
                known?.item.remove();
                const made = answerItem(answer, this.drill ? this.desk : this.examDesk);
                this.#items.set(answer.id, { ...made, number });
            }
            const { item } = this.#items.get(answer.id) ?? {};
            const list = this.parts.listOf(answer);
            // Answers are in their order. Those that came before keep their places, and their open parts stay open.
            if (item && !item.isConnected) list.insertBefore(item, this.#after(answer, results.answers, list));
        }
        this.parts.tell(results.answers);
        for (const answer of results.answers) this.#tell(answer);
        const { drill } = this;
        byId("assessed").hidden = Boolean(drill);
        if (drill && this.desk) {
            byId("results-home").textContent = this.origin ? "The exam's results" : "Practise speaking";
        }
        byId("erase").textContent = drill ? "Erase this practice…" : "Erase this exam…";
        if (drill) {
            const title = "Your practice";
            drawTellings(this.#assessment?.drill, title, (telling, at) => this.#hear(telling, at));
        } else if (this.#assessment) {
            const named = new Map(results.answers.map((answer) => [answerKey(answer), answer.id]));
            drawEstimate(this.#assessment);
            drawDelivery(this.#assessment, (name, at) => this.#items.get(named.get(name) ?? "")?.listen(at));
        }
    }

    /**
     * Plays a telling: the learner's answer, the voice, or the answer that was given again.
     *
     * @type {import("./tellings.js").Listen}
     */
    async #hear({ answer, voice }, at) {
        hush();
        if (answer) return this.#items.get(answer)?.listen(at);
        for (const player of all(byId("results"), "audio")) /** @type {HTMLAudioElement} */ (player).pause();
        await say(voice ? api.voice(voice) : this.#recordingBefore(), "results", at);
    }

    /**
     * Returns the recording of the answer that was given again, which belongs to an exam.
     *
     * @returns {Promise<Blob>}
     * @throws {Problem}
     */
    async #recordingBefore() {
        const { origin } = this;
        const { answers } = origin ? await api.results(origin.session) : { answers: [] };
        const before = answers.find((answer) => answerKey(answer) === origin?.answer);
        if (!before?.recording) {
            throw new Problem(404, "This answer is no longer there.", "Its recording was erased.");
        }
        return api.recording(before.recording);
    }

    /**
     * Returns the item before which an answer belongs in its list. Null if it is the last.
     *
     * @param {Schemas["ResultAnswer"]} answer
     * @param {Schemas["ResultAnswer"][]} answers
     * @param {HTMLOListElement} list
     */
    #after(answer, answers, list) {
        const later = answers.slice(answers.indexOf(answer) + 1).map(({ id }) => this.#items.get(id)?.item);
        return later.find((item) => item?.parentElement === list) ?? null;
    }

    /**
     * Shows the findings on one answer.
     *
     * @param {Schemas["ResultAnswer"]} answer
     */
    #tell(answer) {
        const [item, name] = [this.#items.get(answer.id), answerKey(answer)];
        if (!item) return;
        if (this.#said.has(name)) item.hear(this.#said.get(name));
        if (!this.#assessment) return;
        const { answers, transcripts, words, text, comments } = this.#assessment;
        const measured = answers.find(({ id }) => id === answer.id);
        const of = (list) => list.filter((each) => each.answer === name);
        item.tell({
            delivery: measured?.delivery,
            pauses: measured?.pauses,
            words: of(words).map((told) => ({ ...told, text: textOf(told, of(transcripts)) })),
            text: of(text.answers)[0]?.profile,
            comments: of(comments),
        });
    }
}

/**
 * Returns the text of the transcript to which words belong.
 *
 * @param {Schemas["AnswerWords"]} words
 * @param {Schemas["Transcript"][]} transcripts of the same answer
 */
const textOf = ({ source, recogniser }, transcripts) =>
    transcripts.find((each) => each.source === source && each.recogniser?.id === recogniser)?.text ?? "";

/**
 * Saves all recordings as one file.
 *
 * @param {string} session
 */
async function saveRecordings(session) {
    const { session: about, answers } = await api.results(session);
    const files = [];
    for (const answer of numbered(answers)) {
        const sound = await api.recording(answer.recording);
        files.push({ name: fileName(answer, sound.type), bytes: new Uint8Array(await sound.arrayBuffer()) });
    }
    saveFile(zip(files), `exam-${about.startedAt.slice(0, 10)}.zip`);
    announce(`${files.length} recordings were saved.`);
}

/**
 * Saves everything about the exam as one page that needs no server and no network.
 *
 * @param {string} session
 */
async function saveReport(session) {
    const { session: about } = await api.results(session);
    saveFile(await api.report(session), `report-${about.startedAt.slice(0, 10)}.html`);
    announce("The report was saved.");
}

let marksDrawn;

function fill(results, marks, isOwn) {
    const { session, status, notes, answers } = results;
    byId("written").hidden = !notes;
    byId("written-notes").textContent = notes ?? "";
    const parts = [
        date(session?.startedAt),
        session?.outcome && outcomeWords(session.outcome),
        statusWords(status, { isOwn }),
        session && !isOwn && sealWords(session, results.evidence),
    ];
    byId("results-about").textContent = [...new Set(parts)].filter(Boolean).join(" · ");
    const now = JSON.stringify([status, results.assessment, results.scores, results.marking, marks, answers.length]);
    // Opened details stay open.
    if (now !== marksDrawn || byId("scores").childElementCount === 0) {
        byId("scores").replaceChildren(marksOf(results, marks));
    }
    marksDrawn = now;
    byId("no-answers").hidden = answers.length > 0 || status === "storing";
    for (const id of /** @type {const} */ (["save", "save-report"])) byId(id).hidden = answers.length === 0;
}
