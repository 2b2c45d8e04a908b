/**
 * The microphone as numbered blocks of 20 ms, kept until the server has heard them (PROTOCOL.md, "Sound").
 *
 * It uses no socket and no clock: samples in, messages out, so that it can be tested.
 */

/** 20 ms at 16 kHz. */
export const BLOCK_SAMPLES = 320;
const BLOCK_BYTES = 640;

/** The length of a block in seconds. */
export const BLOCK_SECONDS = 0.02;

/**
 * 3 min: 5.8 MB. A line may be lost for a minute, and be slow before and after. Older sound is lost, and the question
 * is asked again.
 */
const KEPT = 9000;

/** @typedef {{encode: (samples: Int16Array) => void, close: () => void}} BlockEncoder */

export class Blocks {
    /**
     * Samples, or packets. Null while a packet is being encoded.
     *
     * @type {(Int16Array | Uint8Array | null)[]}
     */
    #kept = [];
    /** @type {BlockEncoder | null} */
    #encoder = null;
    /**
     * The first block whose packet is still being encoded. Null if samples are sent.
     *
     * @type {number | null}
     */
    #encoding = null;
    /** The first block that can still be sent. */
    first = 0;
    /**
     * The next block to be recorded. Null until numbering has begun.
     *
     * @type {number | null}
     */
    next = null;

    /**
     * @param {new (onpacket: (packet: Uint8Array) => void) => BlockEncoder} [Encoder] the encoder of blocks into
     *     packets
     */
    constructor(Encoder) {
        if (Encoder) this.#encoder = new Encoder((packet) => this.#encoded(packet));
    }

    /** The form of blocks on the wire, as stated in `hello`. */
    get sound() {
        return this.#encoder ? "opus" : "pcm";
    }

    /** The number below which blocks can be sent now. */
    get ready() {
        return this.#encoding ?? this.next;
    }

    /** The range of blocks, as stated in `hello`. */
    get range() {
        return this.next === null ? [0, 0] : [this.first, this.next];
    }

    /**
     * Begins at the block that the server wants next. A page that was just opened begins there. If this page is behind,
     * because another page continued the exam meanwhile, its older blocks are useless.
     *
     * @param {number} number
     */
    begin(number) {
        if (this.next !== null && number <= this.next) return this.heard(number);
        this.#kept = [];
        // Packets still being encoded have earlier numbers. They arrive first and are discarded.
        if (this.#encoder) this.#encoding = number - (this.next === null ? 0 : this.next - (this.#encoding ?? 0));
        this.first = this.next = number;
    }

    /**
     * Keeps a block of 320 samples under the next number. Before `begin` it is discarded.
     *
     * @param {Int16Array} samples
     */
    record(samples) {
        if (this.next === null) return;
        this.#kept.push(this.#encoder ? null : samples);
        this.next += 1;
        this.#encoder?.encode(samples);
        if (this.#kept.length > KEPT) this.heard(this.first + 1);
    }

    /**
     * Forgets the blocks before `number`.
     *
     * @param {number} number
     */
    heard(number) {
        if (this.next === null || number <= this.first) return;
        const forgotten = Math.min(number, this.next) - this.first;
        this.#kept.splice(0, forgotten);
        this.first += forgotten;
    }

    close() {
        this.#encoder?.close();
    }

    /** @param {Uint8Array} packet */
    #encoded(packet) {
        if (this.#encoding === null) return;
        const place = this.#encoding - this.first;
        if (place >= 0) this.#kept[place] = packet;
        this.#encoding += 1;
    }

    /**
     * Returns one message: the number of its first block in four bytes, then the blocks (PROTOCOL.md, "Up"). All
     * platforms of browsers are little-endian, like the protocol.
     *
     * @param {number} from at least `first`
     * @param {number} count at most the number of ready blocks from there on
     * @returns {ArrayBuffer}
     */
    message(from, count) {
        const blocks = this.#kept.slice(from - this.first, from - this.first + count);
        // All of them are ready.
        return this.#encoder
            ? packets(from, /** @type {Uint8Array[]} */ (blocks))
            : samples(from, /** @type {Int16Array[]} */ (blocks));
    }
}

/** @param {number} from @param {Uint8Array[]} blocks */
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

/** @param {number} from @param {Int16Array[]} blocks */
function samples(from, blocks) {
    const bytes = new ArrayBuffer(4 + blocks.length * BLOCK_BYTES);
    new DataView(bytes).setUint32(0, from, true);
    const sound = new Int16Array(bytes, 4);
    blocks.forEach((block, index) => sound.set(block, index * BLOCK_SAMPLES));
    return bytes;
}
