/**
 * Detects that a microphone was switched off at the device itself, for example by a headset's own button, which
 * browsers do not report.
 *
 * An open microphone delivers at least a little noise, and one that is switched off delivers zeros. Programs that cut
 * pauses also produce zeros. So zeros count only after a time in which even the quietest blocks had none. The tool has
 * the same rule (SilencedMicrophone.swift).
 */

/**
 * Blocks of 20 ms with noise and without a voice: two seconds. Programs that cut pauses let a tenth of a second of each
 * through.
 */
const NOISE = 100;

/** Blocks of zeros: a second. */
const ZEROS = 50;

/** The sum of squares of 320 samples at −40 dB of full scale. Above it may be a voice. */
const QUIET = 320 * (0.01 * 32768) ** 2;

export class Silenced {
    #quiet = 0;
    #zeros = 0;
    #makesZeros = false;

    /**
     * @param {Int16Array} block 20 ms
     * @returns {boolean} whether the microphone is switched off
     */
    hear(block) {
        const power = block.reduce((sum, sample) => sum + sample * sample, 0);
        if (power > 0) {
            this.#zeros = 0;
            if (power < QUIET) this.#quiet += 1;
            return false;
        }
        this.#zeros += 1;
        // One or two lost blocks prove nothing.
        if (this.#zeros > 2 && this.#quiet < NOISE) this.#makesZeros = true;
        return this.#zeros >= ZEROS && !this.#makesZeros;
    }
}
