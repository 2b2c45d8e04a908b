/**
 * The notes for an answer. They can be written while the exam allows it, and later only read. They are sent as they
 * grow.
 */
import { byId } from "../kit/screen.js";

/** The milliseconds between messages: every word of a slow writer, but not every letter. */
const PAUSE = 1000;

export class NotesField {
    #field = byId("notes");
    /**
     * The turn in which the notes were written. Null before the first.
     *
     * @type {number | null}
     */
    #turn = null;
    #send;
    /** @type {number | null} */
    #waiting = null;

    /** @param {(text: string) => void} send sends the complete notes */
    constructor(send) {
        this.#send = send;
        this.#field.value = "";
        this.#field.oninput = () => (this.#waiting ??= setTimeout(() => this.#flush(), PAUSE));
        this.show({});
    }

    /** @param {Partial<LiveState>} state */
    show({ notesOf, notesAllowed = false }) {
        if (notesOf !== undefined && notesOf !== this.#turn) {
            // The notes of another question are useless. Notes restored before the first question belong to it.
            if (this.#turn !== null) this.#field.value = "";
            this.#turn = notesOf;
        }
        if (!notesAllowed) this.#flush();
        this.#field.readOnly = !notesAllowed;
        byId("notes-locked").textContent = notesAllowed ? "" : "(locked)";
        byId("notes-box").hidden = !(notesAllowed || (notesOf !== undefined && this.#field.value));
    }

    /**
     * Restores notes written for this question before the page was reloaded.
     *
     * @param {string} text
     */
    restore(text) {
        if (!this.#field.value) this.#field.value = text;
    }

    /** @returns {boolean} whether there is a field to focus */
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
