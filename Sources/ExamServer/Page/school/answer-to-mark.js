/** One answer on a marker's desk: its question, its sound, and the comments on it. */
import { asked, Recording } from "../exam/answer.js";
import { attempt, inside, make } from "../kit/screen.js";
import { waveform, waveformWords } from "../exam/waveform.js";
import { answerTitle, clock, seconds } from "../kit/words.js";

/** The seconds that one press goes back: a phrase. */
const BACK = 3;

export class AnswerToMark {
    /** @type {HTMLAudioElement | null} */
    #player = null;
    /** @type {ReturnType<typeof waveform> | null} */
    #drawn = null;

    #speed = 1;

    /**
     * @param {Schemas["MarkingDesk"]["answers"][number] & {number: number}} answer
     * @param {boolean} isSaved
     * @param {Schemas["MarkComment"][]} comments on all answers: those on this one are drawn, added and removed in it
     * @param {{changed: () => void, ended: () => void}} on `ended()`: the answer was played to its end
     */
    constructor(answer, isSaved, comments, { changed, ended }) {
        this.answer = answer;
        this.isSaved = isSaved;
        this.comments = comments;
        this.changed = changed;
        const name = answerTitle(answer);
        this.sound = new Recording(answer, name, (played) => this.#drawn?.mark(played), (player) => {
            this.#player = player;
            player.playbackRate = this.#speed;
            player.onended = ended;
        });
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
            this.#drawn.seek((share) => attempt(null, () => this.sound.play(share * length)));
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

    /** @param {number} speed 1 is the speed at which it was said */
    set speed(speed) {
        this.#speed = speed;
        if (this.#player) this.#player.playbackRate = speed;
    }

    play() {
        return this.sound.play(0);
    }

    async playOrPause() {
        const player = await this.sound.open();
        if (player.paused) await player.play().catch(() => {});
        else player.pause();
    }

    async back() {
        const player = await this.sound.open();
        player.currentTime = Math.max(0, player.currentTime - BACK);
        await player.play().catch(() => {});
    }

    /** Opens a field for a comment on this moment. */
    async note() {
        const player = await this.sound.open();
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
