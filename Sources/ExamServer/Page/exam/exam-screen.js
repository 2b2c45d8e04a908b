/**
 * The screen of an exam with its buttons and keys.
 *
 * Few things are announced, because a screen reader's voice goes into the microphone. Turns, interruptions and warnings
 * are announced, levels and seconds are not.
 */
import { offers } from "./allowed.js";
import { offerSettings } from "./exam-settings.js";
import { levelWord } from "./level.js";
import { NotesField } from "./notes.js";
import { numberOf } from "./numbers.js";
import { Pictures, taskItems } from "./pictures.js";
import {
    announce,
    byId,
    clearProblem,
    clearProblemIf,
    inside,
    isShown,
    make,
    show,
    showLevel,
    showProblem,
    sure,
} from "../kit/screen.js";
import { TimeLeft } from "./time-left.js";
import { troubles } from "../kit/troubles.js";
import { clock, placeWords, sentence, stateWords } from "../kit/words.js";

/** The wishes for each letter key. The first possible one is used. */
const KEYS = {
    r: ["repeat"],
    a: ["first"],
    b: ["second"],
    f: ["finish"],
    t: ["again"],
    s: ["skip"],
    p: ["pause", "continue"],
    q: ["leave"],
};

/** The lag in seconds above which the line is reported as slow, until the lag is half of it. */
const SLOW_LINE = 1;

/** The seconds for which sound is kept while the line is lost. */
const KEPT_FOR = 60;

/** Only limits of at least this many seconds get a warning. On shorter ones it would only startle. */
const WARNED_FROM = 20;

const LEAVING = {
    title: "Leave the exam?",
    text: "What you said is kept, and you can go on later.",
    yes: "Leave",
    no: "Stay",
};
const WITHDRAWING = {
    title: "Withdraw from the exam?",
    text: "The exam is then over, and this cannot be undone. The answers that you gave are kept until you erase them.",
    yes: "Withdraw for good",
    no: "Stay",
};

export class ExamScreen {
    #exam;
    #on;
    #notes;
    #pictures;
    #time = new TimeLeft();
    #passed = 0;
    /** @type {LiveState} */
    #state = { stage: "preparation", activity: "idle" };
    #isOpen = false;
    /**
     * The problem in the latest state. Null if all is well.
     *
     * @type {{title: string, detail: string} | null}
     */
    #problem = null;
    #may = offers({}, false, 0);
    /** The time at which the line was lost, and whether there were too many connections. */
    #lostAt = /** @type {number | null} */ (null);
    #isCrowded = false;
    #wasLost = false;
    #lag = "";
    #wasWarned = false;
    /** The shown task, as text. */
    #task = "";
    #said = "";
    /**
     * The questions that were asked, as far as this page knows.
     *
     * @type {import("./numbers.js").Place[]}
     */
    #asked = [];

    /**
     * @param {Schemas["Exam"]} exam
     * @param {{ask: (wish: string) => void, leave: () => void, notes: (text: string) => void, wake: () => void,
     *     fetchPicture: (url: string) => Promise<string>}} on
     */
    constructor(exam, on) {
        this.#exam = exam;
        this.#on = on;
        this.#notes = new NotesField(on.notes);
        this.#pictures = new Pictures(on.fetchPicture);
        for (const button of buttons()) button.onclick = () => this.#press(button.dataset.ask ?? "");
        byId("wake").onclick = () => on.wake();
        offerSettings(() => {
            this.#drawTime();
            this.#drawQuestion();
        });
        byId("exam-menu").open = false;
        addEventListener("keydown", this.#key);
        byId("place").textContent = exam.title ?? "The exam";
        byId("exam-parts").replaceChildren(...partItems(exam.parts ?? []));
        const { language = "en" } = exam;
        for (const id of /** @type {const} */ (["question", "card", "together", "alternatives"])) {
            byId(id).lang = language;
        }
        this.show(this.#state);
        show("exam", exam.session);
    }

    close() {
        removeEventListener("keydown", this.#key);
        this.#notes.close();
        byId("sure").close();
        clearProblem();
    }

    /** @param {LiveState} state */
    show(state) {
        // A refusal during the previous question is of no interest now.
        if (state.turn !== this.#state.turn) clearProblem();
        this.#state = state;
        const [headline, more] = stateWords(state);
        byId("headline").textContent = headline;
        document.title = `${headline.replace(/[.:…]$/, "")} · Oracy`;
        byId("more").textContent = more;
        byId("exam").dataset.activity = state.activity;
        const turn = turnOf(state);
        byId("exam").dataset.turn = turn;
        byId("turn-word").textContent = TURN_WORDS[turn];
        markPart(state.part);
        this.count(state);
        byId("question").textContent = state.text ?? "";
        this.#drawQuestion();
        byId("practice").hidden = !state.practice || state.purpose === "introduction";
        byId("introduction").hidden = state.purpose !== "introduction";
        this.#showCard(state.card);
        this.#showTask(state);
        this.#notes.show(state);
        this.#time.show(state);
        this.showTime(0);
        this.#offer();
        this.#showProblem(state.problem);
        this.#announce(state, `${headline} ${more}`);
    }

    #drawPlace() {
        const { part = 0, order = 0 } = this.#state;
        const number = order > 0 ? numberOf({ part, order }, this.#asked) : 0;
        const words = placeWords(this.#state, this.#exam.parts, number) || this.#exam.title || "The exam";
        if (byId("place").textContent !== words) byId("place").textContent = words;
    }

    /**
     * Counts a question that was asked, perhaps before this page came.
     *
     * @param {Partial<import("./numbers.js").Place>} question
     */
    count({ part = 0, order = 0 }) {
        const isKnown = this.#asked.some((each) => each.part === part && each.order === order);
        if (order > 0 && !isKnown) this.#asked.push({ part, order });
        this.#drawPlace();
    }

    /**
     * Hides the question while a card contains it and the examiner is silent, or if the candidate only wants to listen.
     */
    #drawQuestion() {
        const { card, together, activity } = this.#state;
        const isTold = Boolean(card || together) && activity !== "examinerSpeaking";
        byId("question").hidden = isTold || !byId("show-words").checked;
    }

    /** @param {string} text */
    restoreNotes(text) {
        this.#notes.restore(text);
    }

    /**
     * Shows the examiner's words, if the format allows it.
     *
     * @param {{text?: string}} event
     */
    showWords({ text }) {
        if (text) byId("question").textContent = text;
    }

    /** @param {number} passed seconds of microphone since the state came */
    showTime(passed) {
        this.#passed = passed;
        this.#drawTime();
        this.#drawLoss();
        if (this.#may.later.size > 0) this.#offer();
    }

    /** @param {number} level */
    showLevel(level) {
        showLevel(byId("exam-meter"), byId("exam-level"), level, levelWord(level));
        // 0 at silence, 1 at full scale. The signal for the candidate's turn grows with the voice.
        byId("exam").style.setProperty("--level", String(Math.max(0, Math.min(1, 1 + level / 60)).toFixed(2)));
    }

    /** @param {number} [code] the code with which the connection was closed */
    showConnection(status, code) {
        this.#isOpen = status === "open";
        const isLost = status === "waiting" || (this.#wasLost && !this.#isOpen);
        if (status === "waiting") this.#isCrowded = code === 4429;
        this.#lostAt = isLost ? (this.#lostAt ?? performance.now()) : null;
        if (this.#wasLost && !isLost) announce("The connection is back.");
        this.#wasLost = isLost;
        byId("connection").hidden = !isLost;
        this.#drawLoss();
        this.#offer();
    }

    #drawLoss() {
        if (this.#lostAt === null) return;
        const isLong = performance.now() - this.#lostAt > KEPT_FOR * 1000;
        const lost = this.#exam.lostLineEndsAnswer ? "lineLostInStrictExam" : isLong ? "lineLostForLong" : "lineLost";
        const cause = this.#isCrowded ? "tooManyConnections" : lost;
        const words = sentence(troubles[cause]);
        if (byId("connection").textContent === words && !byId("connection").hidden) return;
        byId("connection").textContent = words;
        announce(words);
    }

    /** @param {number} seconds recorded and not heard yet */
    showLag(seconds) {
        const words = !this.#wasLost && seconds > SLOW_LINE ? sentence(troubles.lineSlowInAnswer) : "";
        if (words === this.#lag || (this.#lag && seconds > SLOW_LINE / 2)) return;
        this.#lag = words;
        byId("lag").hidden = !words;
        byId("lag").textContent = words;
        if (words) announce(words);
    }

    /**
     * Shows that the browser blocks the loudspeaker or the microphone until a button is pressed.
     *
     * @param {boolean} isMuted
     * @param {boolean} isStopped
     */
    showSoundOff(isMuted, isStopped) {
        const words = sentence(isMuted ? troubles.playerMuted : troubles.microphoneStopped);
        const isOff = isMuted || isStopped;
        if (byId("sound-off").hidden === !isOff && byId("sound-off-words").textContent === words) return;
        byId("sound-off").hidden = !isOff;
        byId("sound-off-words").textContent = words;
        if (isOff) announce(`${words} ${byId("wake").textContent}.`);
    }

    /** @param {{title: string, detail?: string} | null} warning null: the earlier warning no longer applies */
    showWarning(warning) {
        if (warning) showProblem(warning);
        else clearProblem();
    }

    /**
     * Removes a warning that no longer applies.
     *
     * @param {Shown} warning
     */
    takeBack(warning) {
        clearProblemIf(warning);
    }

    #drawTime() {
        const left = byId("show-time").checked ? this.#time.at(this.#passed) : null;
        byId("time-box").hidden = left === null;
        if (left === null) return;
        byId("time-label").textContent = left.isPreparation
            ? "Time left to prepare" : left.isBeforeTalk ? "Your time starts when you speak" : "Time left";
        byId("time").textContent = left.isBeforeTalk ? "" : clock(left.seconds);
        byId("time-bar").value = left.isBeforeTalk ? 1 : left.seconds / left.whole;
    }

    /**
     * Shows a problem as long as it lasts. Then it is removed, unless another message is shown by then.
     *
     * @param {string | undefined} sentence
     */
    #showProblem(sentence) {
        if (this.#problem) clearProblemIf(this.#problem);
        this.#problem = sentence ? { title: "Something is wrong, but the exam goes on.", detail: sentence } : null;
        if (this.#problem) showProblem(this.#problem);
    }

    /** @param {LiveState["card"]} card */
    #showCard(card) {
        byId("card").hidden = !card;
        if (!card || card.topic === byId("card-topic").textContent) return;
        byId("card-topic").textContent = card.topic;
        byId("card-points").replaceChildren(...card.points.map((text) => make("li", { text })));
        byId("card-explain").textContent = card.explain ?? "";
    }

    /**
     * Draws a picture, alternatives or questions prepared together, but only if they changed.
     *
     * @param {LiveState} state
     */
    #showTask({ picture, alternatives, choice, together }) {
        const task = JSON.stringify([picture, alternatives, choice, together]);
        if (task === this.#task) return;
        this.#task = task;
        const items = taskItems({ picture, alternatives, choice, together }, this.#pictures);
        for (const name of /** @type {const} */ (["picture", "together", "alternatives"])) {
            byId(name).hidden = items[name].length === 0;
            byId(name).replaceChildren(...items[name]);
        }
    }

    /** Shows only the buttons for wishes that are granted now or soon, with the seconds until then. */
    #offer() {
        this.#may = offers(this.#state, this.#isOpen, this.#passed);
        for (const button of buttons()) {
            const wish = button.dataset.ask ?? "";
            const isShown = this.#may.shown.has(wish);
            // The keyboard focus must not be lost with a button.
            if (!isShown && button === document.activeElement) byId("place").focus();
            button.hidden = !isShown;
            button.setAttribute("aria-disabled", String(!this.#may.now.has(wish)));
            const seconds = this.#may.now.has(wish) ? undefined : this.#may.later.get(wish);
            inside(button, ".wait").textContent = seconds === undefined ? "" : `in ${Math.ceil(seconds)} s`;
        }
    }

    async askToLeave() {
        byId("exam-menu").open = false;
        if (!byId("sure").open && (await sure(LEAVING))) this.#on.leave();
    }

    /** @param {string} wish */
    async #press(wish) {
        clearProblem();
        if (!this.#may.now.has(wish)) return;
        if (wish === "leave") return this.askToLeave();
        if (wish === "withdraw") {
            byId("exam-menu").open = false;
            if (!(await sure(WITHDRAWING))) return;
        }
        this.#on.ask(wish);
    }

    #key = (event) => {
        if (!isShown("exam") || event.ctrlKey || event.altKey || event.metaKey || event.repeat ||
            byId("sure").open) return;
        if (event.key === "Escape" && event.target === byId("notes")) return byId("place").focus();
        if (event.key === "Escape" && byId("exam-menu").open) {
            byId("exam-menu").open = false;
            return inside(byId("exam-menu"), "summary").focus();
        }
        if (!byId("letter-keys").checked || event.target.matches("textarea, input, select")) return;
        const key = event.key.toLowerCase();
        if (key === "n" && this.#notes.focus()) return event.preventDefault();
        const wish = KEYS[key]?.find((each) => this.#may.now.has(each));
        if (!wish) return;
        event.preventDefault();
        this.#press(wish);
    };

    /**
     * Announces each turn of events once, except pauses within an answer and the examiner, who can be heard.
     *
     * @param {LiveState} state
     * @param {string} words
     */
    #announce(state, words) {
        const isSilent = ["idle", "transition", "speaking", "closing"].includes(state.activity);
        const key = `${state.activity} ${state.part} ${state.order} ${state.trouble}`;
        if (!(state.stage === "testing" && isSilent) && key !== this.#said) {
            this.#said = key;
            announce(words);
        }
        const isWarning = Boolean(state.timeWarning) && this.#time.whole >= WARNED_FROM;
        // While the candidate speaks only the clock and its colour warn, because a voice would be recorded in the
        // answer.
        const isHeard = ["preparing", "waitingForSpeech"].includes(state.activity);
        const { left } = this.#time;
        if (isWarning && !this.#wasWarned && isHeard && left !== null) announce(`${Math.round(left)} seconds left.`);
        byId("time-box").dataset.warning = String(isWarning);
        this.#wasWarned = isWarning;
    }
}

const buttons = () => /** @type {NodeListOf<HTMLButtonElement>} */ (byId("exam").querySelectorAll("[data-ask]"));

/** The words in large letters. The headline says the same in a sentence. */
const TURN_WORDS = { examiner: "Listen", you: "Speak", prepare: "Prepare", wait: "Wait" };

/**
 * Returns whose turn it is.
 *
 * @param {LiveState} state
 * @returns {keyof typeof TURN_WORDS}
 */
export function turnOf({ stage, activity }) {
    if (stage !== "testing") return "wait";
    if (activity === "examinerSpeaking") return "examiner";
    if (activity === "preparing") return "prepare";
    return ["waitingForSpeech", "speaking", "closing"].includes(activity) ? "you" : "wait";
}

/** @param {{number: number, title: string}[]} parts */
const partItems = (parts) => (parts.length > 1
    ? parts.map(({ number, title }) => make("li", { "data-part": number, title }))
    : []);

/** Shows how many parts are over. @param {number | undefined} part the current one */
function markPart(part = 0) {
    for (const item of byId("exam-parts").querySelectorAll("li")) {
        const number = Number(item.dataset.part);
        item.className = number < part ? "over" : number === part ? "current" : "";
    }
}
