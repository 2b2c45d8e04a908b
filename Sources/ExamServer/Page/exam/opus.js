/** The microphone as Opus packets, one for each block of 20 ms, with an eighth of the bytes of samples. */
import { BLOCK_SAMPLES } from "./blocks.js";
import { RATE } from "./resampler.js";

/** Complexity 5 keeps Opus's codec CELT, which keeps the waveform, and costs a sixth of complexity 10. */
const CONFIG = {
    codec: "opus",
    sampleRate: RATE,
    numberOfChannels: 1,
    bitrate: 32_000,
    opus: { frameDuration: 20_000, complexity: 5, application: "audio" },
};

/** Whether this browser can encode Opus. */
export const canEncode =
    typeof AudioEncoder === "function" &&
    (await AudioEncoder.isConfigSupported(CONFIG).then(
        ({ supported }) => supported,
        () => false,
    ));

export class OpusEncoder {
    #encoder;
    #count = 0;

    /** @param {(packet: Uint8Array) => void} onpacket called in order, once for each block, some milliseconds later */
    constructor(onpacket) {
        this.#encoder = new AudioEncoder({
            output: (chunk) => {
                const packet = new Uint8Array(chunk.byteLength);
                chunk.copyTo(packet);
                onpacket(packet);
            },
            error: (problem) => console.error(problem),
        });
        this.#encoder.configure(CONFIG);
    }

    /** @param {Int16Array} samples a block */
    encode(samples) {
        const timestamp = (this.#count * BLOCK_SAMPLES * 1e6) / RATE;
        this.#count += 1;
        const data = new AudioData({
            format: "s16",
            sampleRate: RATE,
            numberOfFrames: samples.length,
            numberOfChannels: 1,
            timestamp,
            data: samples,
        });
        this.#encoder.encode(data);
        data.close();
    }

    close() {
        if (this.#encoder.state !== "closed") this.#encoder.close();
    }
}
