/** The examiner's voice in practice: one sound at a time, as long as its screen is shown. */
import { isShown, showProblem } from "../kit/screen.js";

/** @type {HTMLAudioElement | null} */
let voice = null;

/** @param {Promise<Blob>} sound @param {PageScreen} screen the screen for which it plays */
export async function say(sound, screen) {
    hush();
    const address = URL.createObjectURL(await sound);
    const mine = (voice = new Audio(address));
    mine.onended = mine.onerror = () => URL.revokeObjectURL(address);
    mine.ontimeupdate = () => isShown(screen) || mine.pause();
    await mine.play().catch(({ name }) => {
        // Stopped by the next sound.
        if (name !== "AbortError") {
            showProblem({ title: "The voice cannot be played.", detail: "You can go on without it." });
        }
    });
}

export function hush() {
    voice?.pause();
    voice = null;
}
