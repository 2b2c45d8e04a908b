/**
 * A drill: questions one after the other, each with its verdict at once. The server keeps its state. An answer that
 * cannot be sent is kept here and sent again.
 */
import { AUTO_ADVANCE, choice, isOn } from "./practice-settings.js";
import { Draft } from "../kit/drafts.js";
import { practice } from "../kit/practice-api.js";
import {
    answerWords,
    capital,
    doneWords,
    minutesWords,
    roleWords,
    streakWords,
    verdictWords,
} from "./practice-words.js";
import { hasParts, partsForm } from "./parts.js";
import { optionButtons, typedField } from "./question.js";
import {
    announce,
    asksToSignIn,
    attempt,
    button,
    byId,
    clearProblem,
    isShown,
    localButton,
    make,
    show,
    showProblem,
} from "../kit/screen.js";
import { hurry, sendUntilThere, Stopwatch } from "./sending.js";
import { hush, say } from "../kit/voice.js";

/**
 * The drill on the screen, or the previous one, whose answer may still be on its way.
 *
 * @type {DrillView | null}
 */
let current = null;

/**
 * @param {() => Promise<Schemas["Drill"]>} begin returns the drill as the server sends it
 * @param {{leave: () => unknown, again: () => unknown}} on `again()`: another one
 * @throws {Problem}
 */
export async function openDrill(begin, on) {
    if (current?.isSending) {
        hurry();
        return current.look();
    }
    const drill = await begin();
    current?.close();
    current = new DrillView(on);
    byId("drill-settings").replaceChildren(
        choice("drill-goes-on", false, "Continue automatically half a second after a right answer"),
        choice("letters", true, "Use letter and number keys: a to e or 1 to 5 answer, L listens, Enter continues"),
    );
    byId("drill-leave").onclick = (event) => attempt(event.target, () => (current?.close(), on.leave()));
    show("drill");
    current.show(drill);
}

document.addEventListener("keydown", (event) => isShown("drill") && current?.press(event));
document.addEventListener("visibilitychange", () => current?.see(!document.hidden));

class DrillView {
    /** "asking", "sending", "explained", "showing" or "finished". */
    #phase = "finished";
    #drill;
    /**
     * The place for the answer.
     *
     * @type {ReturnType<typeof optionButtons> & {field?: HTMLInputElement} | null}
     */
    #field = null;
    /** @type {HTMLButtonElement | null} */
    #goOnButton = null;
    #watch = new Stopwatch();
    /** @type {number | null} */
    #timer = null;
    /** The answer on its way. */
    #draft = new Draft("drill");

    /** @param {{leave: () => unknown, again: () => unknown}} on */
    constructor(on) {
        this.on = on;
    }

    get isSending() {
        return this.#phase === "sending";
    }

    /** Shows the drill again as it was. */
    look() {
        show("drill");
        byId("drill-prompt").focus();
    }

    close() {
        clearTimeout(this.#timer);
        hush();
    }

    /** @param {boolean} isSeen */
    see(isSeen) {
        if (this.#phase === "asking") this.#watch.see(isSeen);
    }

    /** @param {Schemas["Drill"]} drill */
    show(drill) {
        this.#drill = drill;
        clearTimeout(this.#timer);
        hush();
        this.#tellProgress();
        byId("drill-verdict").replaceChildren();
        byId("drill-sending").hidden = true;
        byId("drill-leave").hidden = drill.phase === "finished";
        if (drill.phase === "finished") return this.#finish();
        const { question } = drill;
        if (!question) return;
        byId("drill-about").textContent = [
            question.packTitle,
            question.topic,
            question.difficulty,
            roleWords[question.role],
        ].filter(Boolean).join(" · ");
        byId("drill-prompt").textContent = question.prompt;
        byId("drill-listen").replaceChildren(...(question.speech ? [button("Listen", () => this.#listen())] : []));
        if (drill.phase === "showing") return this.#show();
        this.#phase = "asking";
        const answer = (given) => this.#answer(given);
        const field = question.type === "multipleChoice"
            ? optionButtons({ options: question.options ?? [] }, answer)
            : (hasParts(question) ? partsForm : typedField)(question, "drill-prompt", answer);
        this.#field = field;
        byId("drill-answer").replaceChildren(field.place);
        byId("drill-after").replaceChildren();
        this.#watch.start();
        this.#focus(this.#field.field ?? byId("drill-prompt"));
        const unsent = this.#draft.get();
        if (unsent?.number === drill.number && unsent.questionId === question.id) this.#send(unsent);
        else this.#draft.drop();
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || byId("sure").open ||
            event.target.matches("input:not([type=checkbox]), textarea")) return;
        if (event.key === "Enter") {
            // The focused element handles its own key.
            if (event.target.closest("a, button, summary, input") || !this.#goOnButton?.isConnected) return;
            event.preventDefault();
            return this.#goOnButton.click();
        }
        if (!isOn("letters", true)) return;
        const listen = event.key.toLowerCase() === "l" ? byId("drill-listen").querySelector("button") : null;
        listen?.click();
        if (listen || (this.#phase === "asking" && this.#field?.take(event.key))) event.preventDefault();
    }

    /** @param {HTMLElement} place */
    #focus(place) {
        if (isShown("drill")) place.focus();
    }

    #tellProgress() {
        const { done, count } = this.#drill;
        byId("drill-done").textContent = `${done} of ${count} done`;
        byId("drill-bar").max = count;
        byId("drill-bar").value = done;
    }

    async #answer(answer) {
        if (this.#phase !== "asking") return;
        const { number, question } = this.#drill;
        await this.#send({ number, questionId: question.id, answer, seconds: this.#watch.lap() });
    }

    /** @param {Asked["answerDrill"]} given also by a page that was closed before the server had it */
    async #send(given) {
        this.#phase = "sending";
        this.#draft.keep(given);
        clearProblem();
        this.#field?.lock(given.answer);
        try {
            const said = await sendUntilThere(() => practice.answer(given), (problem) => this.#tellSending(problem));
            this.#draft.drop();
            this.#explain(said, given.answer);
        } catch (problem) {
            await this.#refused(problem);
        }
    }

    /**
     * Shows that an answer is waiting, with the reason.
     *
     * @param {any} problem
     */
    #tellSending(problem) {
        const place = byId("drill-sending");
        if (problem && asksToSignIn(problem)) return;
        place.hidden = !problem;
        if (!problem) return byId("drill-sending-words").replaceChildren();
        byId("drill-sending-words").textContent =
            `Your answer is not sent yet. It is kept here and sent again automatically. ${problem.title}`;
        byId("drill-send").onclick = hurry;
    }

    /** @param {any} problem */
    async #refused(problem) {
        if (!("status" in problem)) throw problem;
        this.#draft.drop();
        if (problem.code === "not-asked" || problem.status === 404) {
            // Another window continued it.
            this.#phase = "explained";
            await attempt(null, async () => this.show(await practice.drill()));
            return announce("You continued this drill elsewhere. Here is its current question.");
        }
        this.#phase = "asking";
        this.#field?.unlock();
        showProblem(problem);
    }

    /** @param {Schemas["DrillVerdict"]} said @param {any} answer */
    #explain({ verdict, rightAnswer, explanation, drill }, answer) {
        this.#phase = "explained";
        const { question } = this.#drill;
        this.#field?.mark(rightAnswer, answer);
        const right = answerWords(rightAnswer, question);
        const isRight = verdict === "right";
        const words = isRight ? [] : [make("p", {}, "It is: ", make("b", { text: right }))];
        byId("drill-verdict").replaceChildren(
            make(
                "div",
                { class: `verdict-of ${isRight ? "right" : "wrong"}` },
                make("p", { class: "word", text: `${isRight ? "✓" : "✗"} ${verdictWords[verdict]}` }),
                ...words,
                make("p", { text: explanation }),
            ),
        );
        this.#drill = { ...drill, question };
        this.#tellProgress();
        this.#offerToGoOn("Go on", () => this.show(drill));
        announce([verdictWords[verdict], !isRight && `It is: ${right}.`, explanation].filter(Boolean).join(" "));
        // A wrong answer is explained before the next question.
        if (isRight && isOn("drill-goes-on", false)) {
            this.#timer = setTimeout(() => this.show(drill), AUTO_ADVANCE * 1000);
        }
    }

    /** Shows an item that was forgotten before asking it. */
    #show() {
        this.#phase = "showing";
        const { number, question, shown } = this.#drill;
        const right = answerWords(shown?.rightAnswer, question);
        byId("drill-answer").replaceChildren();
        byId("drill-verdict").replaceChildren(
            make(
                "div",
                { class: "verdict-of" },
                make("p", {
                    class: "word",
                    text: "You have not remembered this one yet. Look at it before it is asked again.",
                }),
                make("p", {}, "It is: ", make("b", { text: right })),
                make("p", { text: shown?.explanation ?? "" }),
            ),
        );
        this.#offerToGoOn("Go on", async () => this.show(await practice.next(number)));
        announce(`Look at this before it is asked. ${question.prompt} It is: ${right}.`);
    }

    /** @param {string} text @param {() => unknown} action */
    #offerToGoOn(text, action) {
        const made = (this.#goOnButton = localButton(text, action));
        made.className = "main";
        made.setAttribute("aria-keyshortcuts", "Enter");
        byId("drill-after").replaceChildren(made);
        this.#focus(this.#goOnButton);
        made.scrollIntoView({ block: "nearest" });
    }

    #finish() {
        this.#phase = "finished";
        const words = doneWords(this.#drill);
        const streak = make("p");
        byId("drill-about").textContent = "";
        byId("drill-prompt").textContent = words;
        byId("drill-listen").replaceChildren();
        byId("drill-answer").replaceChildren(streak);
        const another = button("Another drill", () => this.on.again());
        another.className = "main";
        byId("drill-after").replaceChildren(another, button("Practice", () => this.on.leave()));
        this.#focus(byId("drill-prompt"));
        attempt(null, async () => {
            const today = await practice.today();
            streak.textContent = `${streakWords(today)} ${capital(minutesWords(today))}.`;
            if (isShown("drill")) announce(`${words} ${streak.textContent}`);
        });
    }

    #listen() {
        const { question } = this.#drill;
        return say(practice.speech(question.pack, question.id), "drill");
    }
}
