/** Makes a ZIP file (APPNOTE.TXT 6.3.3) with uncompressed contents, because recordings do not get smaller. */

const encoder = new TextEncoder();

/**
 * @param {{name: string, bytes: Uint8Array}[]} files fewer than 65,536, in total less than 4 GiB
 * @returns {Blob}
 */
export function zip(files) {
    const parts = [];
    const directory = [];
    let place = 0;
    for (const { name, bytes } of files) {
        const written = encoder.encode(name);
        const facts = fields(
            [2, 20],
            [2, NAMES_ARE_UTF8],
            [2, 0],
            [4, FIRST_DAY],
            [4, crc32(bytes)],
            [4, bytes.length],
            [4, bytes.length],
            [2, written.length],
            [2, 0],
        );
        const local = [fields([4, 0x04034b50]), facts, written, bytes];
        directory.push(
            fields([4, 0x02014b50], [2, 20]),
            facts,
            fields([2, 0], [2, 0], [2, 0], [4, 0], [4, place]),
            written,
        );
        parts.push(...local);
        place += size(local);
    }
    const length = size(directory);
    const end = fields(
        [4, 0x06054b50],
        [2, 0],
        [2, 0],
        [2, files.length],
        [2, files.length],
        [4, length],
        [4, place],
        [2, 0],
    );
    return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

const NAMES_ARE_UTF8 = 1 << 11;
/** 1 January 1980, midnight, because the format has no "unknown". */
const FIRST_DAY = 0x00210000;

/** @param {Uint8Array[]} parts */
const size = (parts) => parts.reduce((sum, part) => sum + part.length, 0);

/**
 * Returns numbers with this many bytes each, little-endian.
 *
 * @param {[width: number, number: number][]} numbers
 */
function fields(...numbers) {
    const bytes = new Uint8Array(numbers.reduce((sum, [width]) => sum + width, 0));
    const view = new DataView(bytes.buffer);
    let place = 0;
    for (const [width, number] of numbers) {
        if (width === 2) view.setUint16(place, number, true);
        else view.setUint32(place, number, true);
        place += width;
    }
    return bytes;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
    let value = 0xffffffff;
    for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
    return (value ^ 0xffffffff) >>> 0;
}
