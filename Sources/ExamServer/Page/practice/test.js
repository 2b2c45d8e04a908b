/**
 * Taking a test: moving between its questions, with each answer saved at once and changeable until the test is handed
 * in.
 */
import { Draft } from "../kit/drafts.js";
import { practice } from "../kit/practice-api.js";
import { AUTO_ADVANCE, choice, isOn } from "./practice-settings.js";
import { handInWords } from "./practice-words.js";
import { changeable } from "./question.js";
import { announce, asksToSignIn, attempt, byId, isShown, make, show, showProblem, sure } from "../kit/screen.js";
import { hurry, Keeper, Stopwatch } from "./sending.js";
import { testResult } from "./test-result.js";
import { of } from "../kit/words.js";

/** The seconds to wait for unsaved answers before they are sent together with the hand-in. */
const PATIENCE = 2;

/**
 * The test on the screen.
 *
 * @type {Sitting | null}
 */
let current = null;
/**
 * Tests that were left with unsent answers, by their ids.
 *
 * @type {Map<string, Sitting>}
 */
const left = new Map();

/**
 * @param {Schemas["PracticeTest"]} test with its questions
 * @param {() => Promise<void>} leave
 */
export function takeTest(test, leave) {
    const known = left.get(test.id);
    // The server does not know unsent answers yet.
    current = known?.isSending ? known : new Sitting(test);
    left.set(test.id, current);
    current.begin(leave);
}

document.addEventListener("keydown", (event) => isShown("test") && current?.press(event));
document.addEventListener("visibilitychange", () => isShown("test") && current?.see(!document.hidden));
addEventListener("pagehide", () => isShown("test") && current?.putDown());

class Sitting {
    #questions;
    #answers;
    #at = 0;
    /** @type {ReturnType<typeof changeable> | null} */
    #field = null;
    #watch = new Stopwatch();
    /** The seconds spent on each question in total. */
    #spent;
    #keeper;
    /** The answers that the server does not have yet, each with its question. */
    #draft;
    /** @type {number | null} */
    #timer = null;
    #leave;

    /** @param {Schemas["PracticeTest"]} test */
    constructor(test) {
        this.test = test;
        const { questions = [] } = test;
        this.#questions = questions;
        this.#answers = new Map(questions.filter(({ answer }) => answer).map(({ id, answer }) => [id, answer]));
        this.#spent = new Map(questions.map(({ id, seconds }) => [id, seconds ?? 0]));
        this.#draft = new Draft("test", test.id);
        this.#keeper = new Keeper((question, given) => practice.keepAnswer(test.id, question, given), {
            changed: (count, problem) => {
                if (count > 0) this.#draft.keep(this.#keeper.unsent);
                else this.#draft.drop();
                this.#tellKept(count, problem);
            },
            refused: (problem) => this.#refused(problem),
        });
        for (const [question, { answer, seconds }] of this.#draft.get() ?? []) {
            if (!this.#spent.has(question)) continue;
            this.#answers.set(question, answer);
            this.#spent.set(question, seconds);
            this.#keeper.keep(question, answer, seconds);
        }
        const open = this.#questions.findIndex(({ id }) => !this.#answers.has(id));
        this.#at = Math.max(0, open);
    }

    get isSending() {
        return this.#keeper.open.length > 0;
    }

    /** @param {() => Promise<void>} leave */
    begin(leave) {
        this.#leave = async () => {
            this.#end();
            await leave();
        };
        byId("test-settings").replaceChildren(
            choice("test-goes-on", false, "Continue automatically half a second after an answer"),
            choice("letters", true, "Use letter and number keys: a to e or 1 to 5 choose, N is next, P is previous"),
        );
        byId("test-previous").onclick = () => this.#go(this.#at - 1);
        byId("test-next").onclick = () => this.#go(this.#at + 1);
        byId("test-leave").onclick = (event) => attempt(event.target, this.#leave);
        byId("hand-in").onclick = (event) => attempt(event.target, () => this.#handIn());
        byId("test-keep-now").onclick = hurry;
        byId("test-kept").textContent = "";
        show("test", this.test.id);
        this.#draw();
    }

    /** @param {boolean} isSeen */
    see(isSeen) {
        this.#watch.see(isSeen);
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || byId("sure").open) return;
        const isTyping = event.target.matches("input[type=text], textarea");
        if (event.key === "Enter" && (isTyping || !event.target.closest("a, button, summary, input"))) {
            event.preventDefault();
            this.#field?.end();
            return this.#go(this.#at + 1);
        }
        if (isTyping || !isOn("letters", true)) return;
        const step = { n: 1, p: -1 }[event.key.toLowerCase()];
        if (step) this.#go(this.#at + step);
        if (step || this.#field?.take(event.key)) event.preventDefault();
    }

    #end() {
        clearTimeout(this.#timer);
        this.#leaveQuestion();
        if (!this.isSending) left.delete(this.test.id);
    }

    /** @param {number} to */
    #go(to) {
        if (to < 0 || to >= this.#questions.length) return;
        clearTimeout(this.#timer);
        this.#leaveQuestion();
        this.#at = to;
        this.#draw();
    }

    /** Keeps what is typed: the page may be closed. */
    putDown() {
        this.#leaveQuestion();
    }

    /** Takes the typed text and the time spent. */
    #leaveQuestion() {
        this.#field?.end();
        const { id } = this.#questions[this.#at];
        const before = this.#spent.get(id) ?? 0;
        const spent = this.#takeTime(id);
        if (this.#answers.has(id) && spent - before >= 1) this.#keeper.keep(id, this.#answers.get(id), spent);
    }

    /** @param {string} id */
    #takeTime(id) {
        const spent = (this.#spent.get(id) ?? 0) + this.#watch.lap();
        this.#spent.set(id, spent);
        return spent;
    }

    #draw() {
        const question = this.#questions[this.#at];
        const about = [question.topic, question.difficulty].filter(Boolean).join(" · ");
        byId("test-about").textContent = `Question ${this.#at + 1} of ${this.#questions.length} · ${about}`;
        byId("test-prompt").textContent = question.prompt;
        const field = changeable(
            question,
            "test-prompt",
            this.#answers.get(question.id),
            (answer, isLetter) => this.#answer(question, answer, isLetter),
        );
        this.#field = field;
        byId("test-answer").replaceChildren(field.place);
        byId("test-previous").setAttribute("aria-disabled", String(this.#at === 0));
        byId("test-next").setAttribute("aria-disabled", String(this.#at === this.#questions.length - 1));
        this.#drawPlaces();
        this.#watch.start();
        (field.field ?? byId("test-prompt")).focus();
    }

    /** Shows which questions are answered, and how many. */
    #drawPlaces() {
        const count = this.#questions.length;
        byId("test-done").textContent = `${this.#answers.size} of ${count} answered`;
        byId("test-bar").max = count;
        byId("test-bar").value = this.#answers.size;
        byId("test-places").replaceChildren(...this.#questions.map(({ id }, place) => {
            const isAnswered = this.#answers.has(id);
            const way = make("button", {
                type: "button",
                text: String(place + 1),
                "aria-label": `Question ${place + 1}, ${isAnswered ? "answered" : "open"}`,
            });
            way.classList.toggle("answered", isAnswered);
            if (place === this.#at) way.setAttribute("aria-current", "step");
            way.onclick = () => this.#go(place);
            return make("li", {}, way);
        }));
    }

    #answer(question, answer, isLetter) {
        this.#answers.set(question.id, answer);
        this.#drawPlaces();
        byId("test-kept").textContent = "";
        this.#keeper.keep(question.id, answer, this.#takeTime(question.id));
        clearTimeout(this.#timer);
        if (isLetter && isOn("test-goes-on", false)) {
            this.#timer = setTimeout(() => this.#go(this.#at + 1), AUTO_ADVANCE * 1000);
        }
    }

    /** @param {number} count @param {any} problem */
    #tellKept(count, problem) {
        if (!isShown("test") || current !== this) return;
        if (problem && asksToSignIn(problem)) return;
        // An answer sent for the first time is saved in a moment.
        if (!problem && count > 0) return;
        byId("test-keep-now").hidden = !problem;
        const unkept = `${of(count, "answer")} not kept yet. This page sends them again while it is open.`;
        const words = problem ? `${unkept} ${problem.title}` : "Your answers are kept.";
        if (byId("test-kept").textContent !== words) byId("test-kept").textContent = words;
    }

    /** @param {any} problem */
    async #refused(problem) {
        if (!("status" in problem)) throw problem;
        this.#draft.drop();
        left.delete(this.test.id);
        if (!isShown("test") || current !== this) return;
        const isOver = problem.code === "not-in-progress" || problem.status === 404;
        if (!isOver) return showProblem({
            title: "The last answer was not kept.",
            detail: `${problem.title} ${problem.detail ?? ""}`.trim(),
        });
        await attempt(null, this.#leave);
        showProblem({
            title: "This test is not in progress any more.",
            detail: "It was handed in or deleted elsewhere.",
        });
    }

    async #handIn() {
        clearTimeout(this.#timer);
        this.#leaveQuestion();
        const open = this.#questions.flatMap(({ id }, place) => (this.#answers.has(id) ? [] : [place + 1]));
        if (!(await sure({
            title: "Hand in this test?",
            text: handInWords(open),
            yes: "Hand in",
            no: "Not yet",
        }))) return;
        await this.#keeper.settle(PATIENCE);
        // Unsaved answers are sent with the hand-in.
        await practice.handIn(this.test.id, this.#keeper.open);
        this.#draft.drop();
        left.delete(this.test.id);
        await testResult(this.test.id, this.#leave, { isFresh: true });
        if (isShown("test-result")) announce("Handed in; it will be graded.");
    }
}
