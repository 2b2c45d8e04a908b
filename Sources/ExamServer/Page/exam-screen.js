/**
 * What a candidate sees during an exam, and the buttons and keys.
 *
 * Little is said by itself: a screen reader's voice goes into the microphone. Turns, interruptions and warnings are; levels and
 * seconds are not.
 */
import { offers } from "./allowed.js";
import { levelWord } from "./level.js";
import { NotesField } from "./notes.js";
import { Pictures, taskItems } from "./pictures.js";
import { announce, byId, clearProblem, clearProblemIf, isShown, make, show, showLevel, showProblem, sure } from "./screen.js";
import { TimeLeft } from "./time-left.js";
import { troubles } from "./troubles.js";
import { clock, placeWords, sentence, stateWords } from "./words.js";

/** What letters do: the first wish that is possible. */
const KEYS = { r: ["repeat"], a: ["first"], b: ["second"], f: ["finish"], t: ["again"], s: ["skip"], p: ["pause", "continue"], q: ["leave"] };

/** Seconds of lag from which on the line is said to be slow; half of it, and it is no more. */
const SLOW_LINE = 1;

/** Seconds for which what is said over a lost line is kept. */
const KEPT_FOR = 60;

/** Seconds of a whole limit from which on its end is warned of: five of eight would only startle. */
const WARNED_FROM = 20;

const LEAVING = {
    title: "Leave the exam?",
    text: "What you said is kept, and you can go on later where you are now. The question you are at is then asked again.",
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
    #state = { stage: "preparation", activity: "idle" };
    #isOpen = false;
    /** What the latest state says is wrong; null where nothing is. */
    #problem = null;
    #may = offers({}, false, 0);
    /** When the line was lost, and whether for having too many. */
    #lostAt = null;
    #isCrowded = false;
    #wasLost = false;
    #lag = "";
    #wasWarned = false;
    /** What is shown of a task, as text. */
    #task = "";
    #said = "";

    /** @param {object} on `ask(wish)`, `leave()`, `notes(text)`, `wake()`, `fetchPicture(url)` */
    constructor(exam, on) {
        this.#exam = exam;
        this.#on = on;
        this.#notes = new NotesField(on.notes);
        this.#pictures = new Pictures(on.fetchPicture);
        for (const button of buttons()) button.onclick = () => this.#press(button.dataset.ask);
        byId("wake").onclick = () => on.wake();
        byId("show-time").onchange = () => this.#drawTime();
        addEventListener("keydown", this.#key);
        byId("place").textContent = exam.title ?? "The exam";
        for (const name of ["question", "card", "together", "alternatives"]) byId(name).lang = exam.language ?? "en";
        this.show(this.#state);
        show("exam");
    }

    close() {
        removeEventListener("keydown", this.#key);
        this.#notes.close();
        byId("sure").close();
        clearProblem();
    }

    show(state) {
        // What was refused to the question before is of no interest now.
        if (state.turn !== this.#state.turn) clearProblem();
        this.#state = state;
        const [headline, more] = stateWords(state);
        byId("headline").textContent = headline;
        document.title = `${headline.replace(/[.:…]$/, "")} · Speaking exam`;
        byId("more").textContent = more;
        byId("exam").dataset.activity = state.activity;
        byId("place").textContent = placeWords(state, this.#exam.parts) || this.#exam.title || "The exam";
        byId("question").textContent = state.text ?? "";
        // The card says it all, unless the examiner says something else just now.
        byId("question").hidden = Boolean(state.card || state.together) && state.activity !== "examinerSpeaking";
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

    restoreNotes(text) {
        this.#notes.restore(text);
    }

    /** The examiner's words, where they may be read. */
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

    showLevel(level) {
        showLevel(byId("exam-meter"), byId("exam-level"), level, levelWord(level));
    }

    /** @param {number} [code] that the connection was closed with */
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

    /** @param {number} seconds that were said and not heard yet */
    showLag(seconds) {
        const words = !this.#wasLost && seconds > SLOW_LINE ? sentence(troubles.lineSlowInAnswer) : "";
        if (words === this.#lag || (this.#lag && seconds > SLOW_LINE / 2)) return;
        this.#lag = words;
        byId("lag").hidden = !words;
        byId("lag").textContent = words;
        if (words) announce(words);
    }

    /** The browser keeps the examiner silent, or the microphone, and wants a press of a button. */
    showSoundOff(isMuted, isStopped) {
        const words = sentence(isMuted ? troubles.playerMuted : troubles.microphoneStopped);
        const isOff = isMuted || isStopped;
        if (byId("sound-off").hidden === !isOff && byId("sound-off-words").textContent === words) return;
        byId("sound-off").hidden = !isOff;
        byId("sound-off-words").textContent = words;
        if (isOff) announce(`${words} ${byId("wake").textContent}.`);
    }

    /** @param {{title: string, detail?: string} | null} warning null: what was warned of is over */
    showWarning(warning) {
        if (warning) showProblem(warning);
        else clearProblem();
    }

    /** What was warned of is over. */
    takeBack(warning) {
        clearProblemIf(warning);
    }

    #drawTime() {
        const left = byId("show-time").checked ? this.#time.at(this.#passed) : null;
        byId("time-box").hidden = left === null;
        if (left === null) return;
        byId("time-label").textContent = left.isPreparation ? "Time left to prepare" : "Time left";
        byId("time").textContent = clock(left.seconds);
        byId("time-bar").value = left.seconds / left.whole;
    }

    /** What is wrong is said as long as it is; when it has passed it goes, unless something else is said by then. */
    #showProblem(sentence) {
        if (this.#problem) clearProblemIf(this.#problem);
        this.#problem = sentence ? { title: "Something is wrong, but the exam goes on.", detail: sentence } : null;
        if (this.#problem) showProblem(this.#problem);
    }

    #showCard(card) {
        byId("card").hidden = !card;
        if (!card || card.topic === byId("card-topic").textContent) return;
        byId("card-topic").textContent = card.topic;
        byId("card-points").replaceChildren(...card.points.map((text) => make("li", { text })));
        byId("card-explain").textContent = card.explain ?? "";
    }

    /** A picture, two alternatives, questions that are prepared together: drawn again only where they change. */
    #showTask({ picture, alternatives, choice, together }) {
        const task = JSON.stringify([picture, alternatives, choice, together]);
        if (task === this.#task) return;
        this.#task = task;
        const items = taskItems({ picture, alternatives, choice, together }, this.#pictures);
        for (const name of ["picture", "together", "alternatives"]) {
            byId(name).hidden = items[name].length === 0;
            byId(name).replaceChildren(...items[name]);
        }
    }

    /** Only what is granted now, or soon, is there: with the seconds until then. */
    #offer() {
        this.#may = offers(this.#state, this.#isOpen, this.#passed);
        for (const button of buttons()) {
            const wish = button.dataset.ask;
            const isShown = this.#may.shown.has(wish);
            // The keyboard's place is not lost with a button.
            if (!isShown && button === document.activeElement) byId("place").focus();
            button.hidden = !isShown;
            button.setAttribute("aria-disabled", String(!this.#may.now.has(wish)));
            const seconds = this.#may.now.has(wish) ? undefined : this.#may.later.get(wish);
            button.querySelector(".wait").textContent = seconds === undefined ? "" : `in ${Math.ceil(seconds)} s`;
        }
    }

    async #press(wish) {
        clearProblem();
        if (!this.#may.now.has(wish)) return;
        if (wish === "leave") return (await sure(LEAVING)) && this.#on.leave();
        if (wish === "withdraw" && !(await sure(WITHDRAWING))) return;
        this.#on.ask(wish);
    }

    #key = (event) => {
        if (!isShown("exam") || event.ctrlKey || event.altKey || event.metaKey || event.repeat || byId("sure").open) return;
        if (event.key === "Escape" && event.target === byId("notes")) return byId("place").focus();
        if (!byId("letter-keys").checked || event.target.matches("textarea, input, select")) return;
        const key = event.key.toLowerCase();
        if (key === "n" && this.#notes.focus()) return event.preventDefault();
        const wish = KEYS[key]?.find((each) => this.#may.now.has(each));
        if (!wish) return;
        event.preventDefault();
        this.#press(wish);
    };

    /** Each turn of events once: not the pauses within an answer, and not the examiner, who is heard. */
    #announce(state, words) {
        const isSilent = ["idle", "transition", "speaking", "closing"].includes(state.activity);
        const key = `${state.activity} ${state.part} ${state.order} ${state.trouble}`;
        if (!(state.stage === "testing" && isSilent) && key !== this.#said) {
            this.#said = key;
            announce(words);
        }
        const isWarning = Boolean(state.timeWarning) && this.#time.whole >= WARNED_FROM;
        // While somebody speaks the clock says it, and its colour: a voice would go into the answer.
        const isHeard = ["preparing", "waitingForSpeech"].includes(state.activity);
        if (isWarning && !this.#wasWarned && isHeard) announce(`${Math.round(this.#time.left)} seconds left.`);
        byId("time-box").dataset.warning = String(isWarning);
        this.#wasWarned = isWarning;
    }
}

const buttons = () => byId("exam-actions").querySelectorAll("button");
