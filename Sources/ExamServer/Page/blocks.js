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

/** 3 min: 5.8 MB. A line may be lost for a minute, and be slow before and after; what is older is lost, and the answer is asked again. */
const KEPT = 9000;

export class Blocks {
    /** Samples, or packets; null where a packet is still being made. */
    #kept = [];
    #encoder = null;
    /** The first block whose packet is still being made; null where samples are sent. */
    #encoding = null;
    /** The first block that can still be sent, and the next one to be recorded; null until the numbering has begun. */
    first = null;
    next = null;

    /** @param {new (onpacket: Function) => object} [Encoder] makes packets of blocks */
    constructor(Encoder) {
        if (Encoder) this.#encoder = new Encoder((packet) => this.#encoded(packet));
    }

    /** How blocks go over the wire, as `hello` says it. */
    get sound() {
        return this.#encoder ? "opus" : "pcm";
    }

    /** Blocks before this one can be sent now. */
    get ready() {
        return this.#encoding ?? this.next;
    }

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
        // Packets that are still being made were numbered before: they come out first, for nobody.
        if (this.#encoder) this.#encoding = number - (this.next === null ? 0 : this.next - this.#encoding);
        this.first = this.next = number;
    }

    /** Keeps a block of 320 samples under the next number; before `begin` it is nobody's. @param {Int16Array} samples */
    record(samples) {
        if (this.next === null) return;
        this.#kept.push(this.#encoder ? null : samples);
        this.next += 1;
        this.#encoder?.encode(samples);
        if (this.#kept.length > KEPT) this.heard(this.first + 1);
    }

    /** Every block before `number` may be forgotten. */
    heard(number) {
        if (this.next === null || number <= this.first) return;
        const forgotten = Math.min(number, this.next) - this.first;
        this.#kept.splice(0, forgotten);
        this.first += forgotten;
    }

    close() {
        this.#encoder?.close();
    }

    #encoded(packet) {
        const place = this.#encoding - this.first;
        if (place >= 0) this.#kept[place] = packet;
        this.#encoding += 1;
    }

    /**
     * One message: the number of its first block in four bytes, then the blocks (PROTOCOL.md, "Up"). Every platform that browsers
     * run on is little-endian, as the protocol is.
     *
     * @param {number} from at least `first`
     * @param {number} count at most what is ready from there
     * @returns {ArrayBuffer}
     */
    message(from, count) {
        const blocks = this.#kept.slice(from - this.first, from - this.first + count);
        return this.#encoder ? packets(from, blocks) : samples(from, blocks);
    }
}

function packets(from, blocks) {
    const bytes = new Uint8Array(4 + blocks.reduce((sum, packet) => sum + 2 + packet.length, 0));
    const view = new DataView(bytes.buffer);
    view.setUint32(0, from, true);
    let place = 4;
    for (const packet of blocks) {
        view.setUint16(place, packet.length, true);
        bytes.set(packet, place + 2);
        place += 2 + packet.length;
    }
    return bytes.buffer;
}

function samples(from, blocks) {
    const bytes = new ArrayBuffer(4 + blocks.length * BLOCK_BYTES);
    new DataView(bytes).setUint32(0, from, true);
    const sound = new Int16Array(bytes, 4);
    blocks.forEach((block, index) => sound.set(block, index * BLOCK_SAMPLES));
    return bytes;
}
