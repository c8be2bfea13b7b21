import { TrackerFormatError } from "./tracker.ts"

/** Reads a frame from the front. Reading past its end is a format error. */
export class ByteReader {
  readonly #view: DataView
  #offset = 0

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.#view.byteLength - this.#offset
  }

  /** Reserves bytes and returns where they start. */
  #take(count: number): number {
    if (count > this.left) throw new TrackerFormatError("The frame is shorter than its content")
    this.#offset += count
    return this.#offset - count
  }

  skip(count: number): void {
    this.#take(count)
  }

  bytes(count: number): Uint8Array {
    const start = this.#take(count)
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, count)
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1))
  }

  peekU8(): number {
    return this.left > 0 ? this.#view.getUint8(this.#offset) : 0
  }

  u16(isLittleEndian = false): number {
    return this.#view.getUint16(this.#take(2), isLittleEndian)
  }

  i16(isLittleEndian = false): number {
    return this.#view.getInt16(this.#take(2), isLittleEndian)
  }

  u32(isLittleEndian = false): number {
    return this.#view.getUint32(this.#take(4), isLittleEndian)
  }

  i32(isLittleEndian = false): number {
    return this.#view.getInt32(this.#take(4), isLittleEndian)
  }

  /** Values beyond 2^53 lose precision. */
  u64(): number {
    return Number(this.#view.getBigUint64(this.#take(8)))
  }

  ascii(count: number): string {
    return asciiOf(this.bytes(count))
  }
}

/** Each byte as the character with its number. */
export function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")
}

export function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "latin1"))
}

export function u16Bytes(value: number): number[] {
  return [(value >>> 8) & 0xff, value & 0xff]
}

/** Where a byte comes first, from a place on; -1 when it does not. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  return bytes.indexOf(byte, from)
}
