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

/** Decibels by which syllables rise and fall; those of a steady sound differ by 3 at most. A second of speech has several. */
const SYLLABLE = 6;
const SYLLABLES = 3;

/** How often levels rise by so much after they fell by so much. */
function rises(levels) {
    let [count, isHigh, extreme] = [0, false, Infinity];
    for (const level of levels) {
        extreme = isHigh ? Math.max(extreme, level) : Math.min(extreme, level);
        if (Math.abs(level - extreme) < SYLLABLE) continue;
        if (!isHigh) count += 1;
        isHigh = !isHigh;
        extreme = level;
    }
    return count;
}

/** What the last five seconds say about a microphone: "waiting", "too quiet", "fine" or "too loud". */
export class Verdict {
    #levels = [];
    #clipped = [];
    /** The latest verdict about a voice: silence after it takes nothing back. */
    #latest = "waiting";

    /** @param {Int16Array} block 20 ms */
    hear(block) {
        this.#levels.push(levelOf(block));
        this.#clipped.push(block.some((sample) => sample >= 32700 || sample <= -32700));
        if (this.#levels.length > 250) {
            this.#levels.shift();
            this.#clipped.shift();
        }
        const word = this.#judge();
        if (word !== "waiting") this.#latest = word;
    }

    get word() {
        return this.#latest;
    }

    #judge() {
        // Three blocks may clip where somebody touches the microphone; a tenth of a second of it is a voice that is cut off.
        if (this.#clipped.filter(Boolean).length >= 5) return "too loud";
        const voice = this.#levels.filter((level) => level > -50).sort((a, b) => a - b);
        // Half a second of sound, or nobody has spoken yet.
        if (voice.length < 25) return "waiting";
        // A hum, a fan or a tone begins once and goes on as it is; syllables rise and fall.
        if (rises(this.#levels) < SYLLABLES) return "waiting";
        const loud = levelWord(voice[Math.floor(voice.length * 0.75)]);
        return { silent: "too quiet", quiet: "too quiet", good: "fine" }[loud] ?? loud;
    }
}
