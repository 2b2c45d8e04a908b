/**
 * Converts sound at a browser's own rate to 16 kHz, for contexts that cannot run at that rate.
 *
 * The filter is a windowed sinc, evaluated at each output sample's exact position (a polyphase bank: rates are whole
 * numbers, so positions repeat). It is flat to 6.8 kHz and 80 dB down from 8 kHz on, so that higher frequencies are
 * removed instead of being aliased, as they would be by dropping samples.
 */

/** The rate of all sound that is sent, in Hz. */
export const RATE = 16000;

/** The attenuation of aliases in dB: 16-bit speech at −26 dBFS is 70 dB above its own rounding. */
const ATTENUATION = 80;

/**
 * The middle and the width of the transition, as parts of the lower of the two rates: 6.8 … 8 kHz if that is 16 kHz.
 */
const MIDDLE = 0.4625;
const WIDTH = 0.075;

export class Resampler {
    #phases;
    #taps;
    #up;
    #down;
    /** The start of the next output sample's window in units of 1/up of an input sample, from the start of `#held`. */
    #place = 0;
    #held;

    /** @param {number} from the input's rate in Hz, a whole number */
    constructor(from, to = RATE) {
        const shared = divisor(from, to);
        this.#up = to / shared;
        this.#down = from / shared;
        const lower = Math.min(from, to);
        // J. F. Kaiser, 1974: the length of a window for an attenuation and a transition, and its shape.
        const transition = (2 * Math.PI * WIDTH * lower) / from;
        this.#taps = 2 * Math.ceil((ATTENUATION - 7.95) / (2.285 * transition) / 2) + 2;
        this.#phases = bank(this.#taps, this.#up, (MIDDLE * lower) / from);
        // Silence before the beginning, so that the first output sample is the first input sample. The delay is half
        // the filter.
        this.#held = new Float32Array(this.#taps / 2 - 1);
    }

    /**
     * @param {Float32Array} input the next samples, full scale ±1; any number
     * @returns {Float32Array} the output computed so far: about `input.length · to / from` samples
     */
    process(input) {
        const sound = new Float32Array(this.#held.length + input.length);
        sound.set(this.#held);
        sound.set(input, this.#held.length);
        const output = [];
        let start = Math.floor(this.#place / this.#up);
        while (start + this.#taps <= sound.length) {
            const phase = this.#phases[this.#place % this.#up];
            let sum = 0;
            for (let tap = 0; tap < this.#taps; tap += 1) sum += phase[tap] * sound[start + tap];
            output.push(sum);
            this.#place += this.#down;
            start = Math.floor(this.#place / this.#up);
        }
        const kept = Math.min(start, sound.length);
        this.#held = sound.slice(kept);
        this.#place -= kept * this.#up;
        return Float32Array.from(output);
    }
}

/**
 * Returns one filter for each position of an output sample between two input samples. Each passes a constant unchanged.
 *
 * @param {number} taps
 * @param {number} places
 * @param {number} cutoff
 */
function bank(taps, places, cutoff) {
    const beta = 0.1102 * (ATTENUATION - 8.7);
    const middle = taps / 2 - 1;
    return Array.from({ length: places }, (_, place) => {
        const filter = new Float64Array(taps);
        let sum = 0;
        for (let tap = 0; tap < taps; tap += 1) {
            const away = tap - middle - place / places;
            filter[tap] = sinc(2 * cutoff * away) * kaiser(away / (taps / 2), beta);
            sum += filter[tap];
        }
        return filter.map((weight) => weight / sum);
    });
}

/** @param {number} x */
const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/**
 * Kaiser's window at −1 … 1.
 *
 * @param {number} x
 * @param {number} beta
 */
const kaiser = (x, beta) => (Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / bessel(beta));

/**
 * The modified Bessel function of order 0, by its series.
 *
 * @param {number} x
 */
function bessel(x) {
    let sum = 1;
    for (let k = 1, term = 1; term > sum * 1e-12; k += 1) {
        term *= (x / (2 * k)) ** 2;
        sum += term;
    }
    return sum;
}

const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
