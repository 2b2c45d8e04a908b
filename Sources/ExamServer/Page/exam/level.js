/**
 * The loudness of a microphone: a meter's needle, a word, and a verdict on the microphone after a few seconds.
 *
 * Levels are in dB of full scale (0 is the maximum).
 */

/**
 * Returns the level of one block.
 *
 * @param {Int16Array} samples
 */
export function levelOf(samples) {
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    return 10 * Math.log10(Math.max(sum / samples.length / 32768 ** 2, 1e-10));
}

/**
 * Returns a word for a level. Speech should be at −26 dB of full scale (ITU-T P.56, active level). 12 dB below it is
 * still far above a room's noise. 14 dB above it the peaks of speech, which are 12 dB above its mean, are cut off. The
 * limits are the same as in the terminal.
 *
 * @param {number} level
 */
export function levelWord(level) {
    if (level < -50) return "silent";
    if (level < -38) return "quiet";
    if (level < -12) return "good";
    return "too loud";
}

/** A needle that rises at once and falls by 20 dB a second, so that words do not flicker between syllables. */
export class Needle {
    level = -100;

    /** @param {Int16Array} block 20 ms */
    hear(block) {
        this.level = Math.max(levelOf(block), this.level - 0.4);
        return this.level;
    }
}

/**
 * The decibels by which syllables rise and fall. The levels of a steady sound differ by at most 3. A second of speech
 * has several syllables.
 */
const SYLLABLE = 6;
const SYLLABLES = 3;

/**
 * Returns how often levels rise by this much after falling by this much.
 *
 * @param {number[]} levels
 */
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

/** The verdict on a microphone from the last five seconds: "waiting", "too quiet", "fine" or "too loud". */
export class Verdict {
    #levels = [];
    #clipped = [];
    /** The latest verdict on a voice. Silence afterwards does not change it. */
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
        // Three blocks may clip when the microphone is touched. A tenth of a second means that a voice is cut off.
        if (this.#clipped.filter(Boolean).length >= 5) return "too loud";
        const voice = this.#levels.filter((level) => level > -50).sort((a, b) => a - b);
        // Less than half a second of sound: the learner has not spoken yet.
        if (voice.length < 25) return "waiting";
        // A hum, a fan or a tone begins once and stays constant, but syllables rise and fall.
        if (rises(this.#levels) < SYLLABLES) return "waiting";
        const loud = levelWord(voice[Math.floor(voice.length * 0.75)]);
        return { silent: "too quiet", quiet: "too quiet", good: "fine", "too loud": "too loud" }[loud];
    }
}
