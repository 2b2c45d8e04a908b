/**
 * What a candidate sees during an exam, and the buttons and keys.
 *
 * Little is said by itself: a screen reader's voice goes into the microphone. Turns, interruptions and warnings are; levels and
 * seconds are not.
 */
import { Offers } from "./allowed.js";
import { levelWord } from "./level.js";
import { NotesField } from "./notes.js";
import { announce, byId, clearProblem, clearProblemIf, isShown, make, show, showLevel, showProblem, sure } from "./screen.js";
import { TimeLeft } from "./time-left.js";
import { clock, placeWords, stateWords } from "./words.js";

/** What letters do: the first wish that is possible. */
const KEYS = { r: ["repeat"], f: ["finish"], s: ["skip"], p: ["pause", "continue"], q: ["leave"] };

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
    #time = new TimeLeft();
    #passed = 0;
    #state = { stage: "preparation", activity: "idle" };
    #isOpen = false;
    /** What the latest state says is wrong; null where nothing is. */
    #problem = null;
    #offers = new Offers();
    #may = this.#offers.of({}, false);
    #wasLost = false;
    #wasWarned = false;
    #said = "";

    /** @param {object} on `ask(wish)`, `leave()`, `notes(text)`, `wake()` */
    constructor(exam, on) {
        this.#exam = exam;
        this.#on = on;
        this.#notes = new NotesField(on.notes);
        for (const button of buttons()) button.onclick = () => this.#press(button.dataset.ask);
        byId("wake").onclick = () => on.wake();
        byId("show-time").onchange = () => this.#drawTime();
        addEventListener("keydown", this.#key);
        byId("place").textContent = exam.title ?? "The exam";
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
        this.#state = state;
        const [headline, more] = stateWords(state);
        byId("headline").textContent = headline;
        byId("more").textContent = more;
        byId("exam").dataset.activity = state.activity;
        byId("place").textContent = placeWords(state, this.#exam.parts) || this.#exam.title || "The exam";
        byId("question").textContent = state.text ?? "";
        // The card says it all, unless the examiner says something else just now.
        byId("question").hidden = Boolean(state.card) && state.activity !== "examinerSpeaking";
        this.#showCard(state.card);
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
    }

    showLevel(level) {
        showLevel(byId("exam-meter"), byId("exam-level"), level, levelWord(level));
    }

    showConnection(status) {
        this.#isOpen = status === "open";
        const isLost = status === "waiting" || (this.#wasLost && !this.#isOpen);
        byId("connection").hidden = !isLost;
        byId("connection").textContent = "The connection is lost; trying again. What you say is kept meanwhile.";
        if (isLost !== this.#wasLost) announce(isLost ? byId("connection").textContent : "The connection is back.");
        this.#wasLost = isLost;
        this.#offer();
    }

    showSoundOff(isOff) {
        byId("sound-off").hidden = !isOff;
        if (isOff) announce("The browser keeps the examiner silent. Press: Turn the sound on.");
    }

    /** @param {{title: string, detail?: string} | null} warning null: what was warned of is over */
    showWarning(warning) {
        if (warning) showProblem(warning);
        else clearProblem();
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

    /** Buttons stay where they are, so that the keyboard's place is not lost; those that were never of use are not there at all. */
    #offer() {
        this.#may = this.#offers.of(this.#state, this.#isOpen);
        for (const button of buttons()) {
            const wish = button.dataset.ask;
            button.hidden = !this.#may.shown.has(wish);
            button.setAttribute("aria-disabled", String(!this.#may.now.has(wish)));
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
        const isSilent = ["idle", "transition", "examinerSpeaking", "speaking", "closing"].includes(state.activity);
        const key = `${state.activity} ${state.part} ${state.order} ${state.trouble}`;
        if (!(state.stage === "testing" && isSilent) && key !== this.#said) {
            this.#said = key;
            announce(words);
        }
        if (state.timeWarning && !this.#wasWarned) announce("Five seconds left.");
        this.#wasWarned = Boolean(state.timeWarning);
    }
}

const buttons = () => byId("exam-actions").querySelectorAll("button");
