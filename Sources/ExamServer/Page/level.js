/**
 * How loud a microphone is: the needle of a meter, a word for it, and what a few seconds of it say about the microphone.
 *
 * Levels are in dB of full scale (0 is the loudest there is).
 */

/** The level of one block. @param {Int16Array} samples */
export function levelOf(samples) {
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    return 10 * Math.log10(Math.max(sum / samples.length / 32768 ** 2, 1e-10));
}

/**
 * Speech is meant to be at −26 dB of full scale (ITU-T P.56, active level). 12 dB below it is still far over a room's noise; 14
 * dB above it the peaks of speech, 12 dB over its mean, are cut off. The same limits as in the terminal.
 */
export function levelWord(level) {
    if (level < -50) return "silent";
    if (level < -38) return "quiet";
    if (level < -12) return "good";
    return "too loud";
}

/** Up at once and down by 20 dB a second, as a needle falls: words do not flicker between syllables. */
export class Needle {
    level = -100;

    /** @param {Int16Array} block 20 ms */
    hear(block) {
        this.level = Math.max(levelOf(block), this.level - 0.4);
        return this.level;
    }
}

/** What the last five seconds say about a microphone: "waiting", "too quiet", "fine" or "too loud". */
export class Verdict {
    #levels = [];
    #clipped = [];

    /** @param {Int16Array} block 20 ms */
    hear(block) {
        this.#levels.push(levelOf(block));
        this.#clipped.push(block.some((sample) => sample >= 32700 || sample <= -32700));
        if (this.#levels.length > 250) {
            this.#levels.shift();
            this.#clipped.shift();
        }
    }

    get word() {
        // Three blocks may clip where somebody touches the microphone; a tenth of a second of it is a voice that is cut off.
        if (this.#clipped.filter(Boolean).length >= 5) return "too loud";
        const voice = this.#levels.filter((level) => level > -50).sort((a, b) => a - b);
        // Half a second of sound, or nobody has spoken yet.
        if (voice.length < 25) return "waiting";
        const loud = levelWord(voice[Math.floor(voice.length * 0.75)]);
        return { silent: "too quiet", quiet: "too quiet", good: "fine" }[loud] ?? loud;
    }
}
