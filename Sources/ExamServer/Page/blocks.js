/**
 * The microphone as numbered blocks of 20 ms, kept until the server has heard them (PROTOCOL.md, "Sound").
 *
 * No socket and no clock: samples in, messages out, so that a check can hold it.
 */

/** 20 ms at 16 kHz. */
export const BLOCK_SAMPLES = 320;
const BLOCK_BYTES = 640;

/** How long a block takes, in seconds. */
export const BLOCK_SECONDS = 0.02;

/** 60 s: 1.9 MB. After a longer absence the exam is paused anyway, and the answer is asked again. */
const KEPT = 3000;

export class Blocks {
    #kept = [];
    /** The first block that can still be sent, and the next one to be recorded; null until the numbering has begun. */
    first = null;
    next = null;

    /** What `hello` says of blocks. */
    get range() {
        return this.next === null ? [0, 0] : [this.first, this.next];
    }

    /**
     * The server wants block `number` next. A page that has just been opened begins there; one that is behind, because another
     * page went on with the exam meanwhile, has nothing of use left.
     */
    begin(number) {
        if (this.next !== null && number <= this.next) return this.heard(number);
        this.#kept = [];
        this.first = this.next = number;
    }

    /** Keeps a block of 320 samples under the next number; before `begin` it is nobody's. @param {Int16Array} samples */
    record(samples) {
        if (this.next === null) return;
        this.#kept.push(samples);
        this.next += 1;
        if (this.#kept.length > KEPT) this.heard(this.first + 1);
    }

    /** Every block before `number` may be forgotten. */
    heard(number) {
        if (this.next === null || number <= this.first) return;
        const forgotten = Math.min(number, this.next) - this.first;
        this.#kept.splice(0, forgotten);
        this.first += forgotten;
    }

    /**
     * One message: the number of its first block in four bytes, then the blocks. Every platform that browsers run on is
     * little-endian, as the protocol is.
     *
     * @param {number} from at least `first`
     * @param {number} count at most what is kept from there
     * @returns {ArrayBuffer}
     */
    message(from, count) {
        const bytes = new ArrayBuffer(4 + count * BLOCK_BYTES);
        new DataView(bytes).setUint32(0, from, true);
        const sound = new Int16Array(bytes, 4);
        for (let index = 0; index < count; index += 1) {
            sound.set(this.#kept[from - this.first + index], index * BLOCK_SAMPLES);
        }
        return bytes;
    }
}
