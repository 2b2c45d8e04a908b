/**
 * The microphone on the audio thread. It outputs blocks of 320 samples at 16 kHz with 16 bits, at any rate of the
 * context.
 *
 * It continues while the page is hidden. While the microphone is away it outputs silence, so that time goes on.
 */
import { BLOCK_SAMPLES } from "./blocks.js";
import { RATE, Resampler } from "./resampler.js";

class Capture extends AudioWorkletProcessor {
    #resampler = sampleRate === RATE ? null : new Resampler(sampleRate);
    #block = new Int16Array(BLOCK_SAMPLES);
    #filled = 0;
    #silence = new Float32Array(128);

    process([input]) {
        const sound = input[0] ?? this.#silence;
        for (const sample of this.#resampler?.process(sound) ?? sound) {
            this.#block[this.#filled] = Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
            this.#filled += 1;
            if (this.#filled === BLOCK_SAMPLES) this.#send();
        }
        return true;
    }

    #send() {
        this.port.postMessage(this.#block, [this.#block.buffer]);
        this.#block = new Int16Array(BLOCK_SAMPLES);
        this.#filled = 0;
    }
}

registerProcessor("capture", Capture);
