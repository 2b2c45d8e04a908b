/** Sounds without a player of their own, such as the examiner's voice: one at a time, while their screen is shown. */
import { isShown, showProblem } from "./screen.js";

/** @type {HTMLAudioElement | null} */
let voice = null;

/**
 * @param {Promise<Blob>} sound
 * @param {PageScreen} screen the screen for which it plays
 * @param {number} at the second from which it plays
 */
export async function say(sound, screen, at = 0) {
    hush();
    const address = URL.createObjectURL(await sound);
    const mine = (voice = new Audio(address));
    mine.currentTime = at;
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
