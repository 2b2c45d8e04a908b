/** Parts of browsers that the declarations of TypeScript 4.8 lack. */
interface HTMLDialogElement {
    oncancel: ((event: Event) => unknown) | null;
}

interface Navigator {
    readonly wakeLock?: { request(kind: "screen"): Promise<{ release(): Promise<void> }> };
}

// Service workers.
interface ExtendableEvent extends Event {
    waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
    readonly request: Request;
    respondWith(response: Promise<Response>): void;
}
interface WindowEventMap {
    install: ExtendableEvent;
    activate: ExtendableEvent;
    fetch: FetchEvent;
}
declare function skipWaiting(): Promise<void>;

// WebCodecs.
interface AudioDataInit {
    format: "s16";
    sampleRate: number;
    numberOfFrames: number;
    numberOfChannels: number;
    timestamp: number;
    data: BufferSource;
}
declare class AudioData {
    constructor(init: AudioDataInit);
    close(): void;
}
interface EncodedAudioChunk {
    readonly byteLength: number;
    copyTo(destination: BufferSource): void;
}
interface AudioEncoderConfig {
    codec: string;
    sampleRate: number;
    numberOfChannels: number;
    bitrate?: number;
    opus?: { application?: string; frameDuration?: number; complexity?: number; signal?: string };
}
declare class AudioEncoder {
    static isConfigSupported(config: AudioEncoderConfig): Promise<{ supported?: boolean }>;
    constructor(init: { output(chunk: EncodedAudioChunk): void; error(error: Error): void });
    readonly state: "unconfigured" | "configured" | "closed";
    readonly encodeQueueSize: number;
    configure(config: AudioEncoderConfig): void;
    encode(data: AudioData): void;
    flush(): Promise<void>;
    close(): void;
}

// The thread of an audio worklet.
declare const sampleRate: number;
declare class AudioWorkletProcessor {
    readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

// `filter(Boolean)` leaves out everything that is not there.
interface Array<T> {
    filter(predicate: BooleanConstructor): Exclude<T, null | undefined | false | "" | 0>[];
}

// Both also take the null of a timer that does not run.
declare function clearTimeout(timer: number | null): void;
declare function clearInterval(timer: number | null): void;
