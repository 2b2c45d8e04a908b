/**
 * The notes for an answer: written while the exam allows it, then only read, and sent as they grow.
 */
import { byId } from "./screen.js";

/** Milliseconds between two messages: a slow writer's every word, not every letter. */
const PAUSE = 1000;

export class NotesField {
    #field = byId("notes");
    /** The turn that the notes were written in; null before the first. */
    #turn = null;
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
    show({ notesOf, notesAllowed = false }) {
        if (notesOf !== undefined && notesOf !== this.#turn) {
            // Another question's notes are of no use; those that came before the first one were brought back for it.
            if (this.#turn !== null) this.#field.value = "";
            this.#turn = notesOf;
        }
        if (!notesAllowed) this.#flush();
        this.#field.readOnly = !notesAllowed;
        byId("notes-locked").textContent = notesAllowed ? "" : "(locked)";
        byId("notes-box").hidden = !(notesAllowed || (notesOf !== undefined && this.#field.value));
    }

    /** What was written for this question before the page was loaded. */
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
