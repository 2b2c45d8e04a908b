/**
 * The notes beside a card: written while the exam allows it, then only read, and sent as they grow.
 */
import { byId } from "./screen.js";

/** Milliseconds between two messages: a slow writer's every word, not every letter. */
const PAUSE = 1000;

export class NotesField {
    #field = byId("notes");
    #topic = null;
    #send;
    #waiting = null;

    /** @param {(text: string) => void} send what is written, all of it */
    constructor(send) {
        this.#send = send;
        this.#field.value = "";
        this.#field.oninput = () => (this.#waiting ??= setTimeout(() => this.#flush(), PAUSE));
        this.show({});
    }

    /** @param {object} state of PROTOCOL.md */
    show({ card, notesAllowed = false }) {
        if (card && card.topic !== this.#topic) {
            // Another card's notes are of no use; those that came before the first card were brought back for it.
            if (this.#topic !== null) this.#field.value = "";
            this.#topic = card.topic;
        }
        if (!notesAllowed) this.#flush();
        this.#field.readOnly = !notesAllowed;
        byId("notes-locked").textContent = notesAllowed ? "" : "(locked)";
        byId("notes-box").hidden = !(notesAllowed || (card && this.#field.value));
    }

    /** What was written on this card before the page was loaded. */
    restore(text) {
        if (!this.#field.value) this.#field.value = text;
    }

    /** @returns {boolean} whether there is a field to go to */
    focus() {
        if (byId("notes-box").hidden) return false;
        this.#field.focus();
        return true;
    }

    close() {
        this.#flush();
        this.#field.oninput = null;
    }

    #flush() {
        if (this.#waiting === null) return;
        clearTimeout(this.#waiting);
        this.#waiting = null;
        this.#send(this.#field.value);
    }
}
