/** Saves a file on the learner's computer. */
import { make } from "./screen.js";

/** @param {Blob} bytes @param {string} name */
export function saveFile(bytes, name) {
    const address = URL.createObjectURL(bytes);
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
