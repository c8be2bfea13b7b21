/** CRC-16/ARC ("CRC-16/IBM" in Teltonika's documents). */
export function crc16Ibm(bytes: Uint8Array): number {
  return reflectedCrc(bytes, 0xa001, 0)
}

/** CRC-16/X-25 ("CRC-ITU" in the documents of GT06). */
export function crcItu(bytes: Uint8Array): number {
  return reflectedCrc(bytes, 0x8408, 0xffff) ^ 0xffff
}

function reflectedCrc(bytes: Uint8Array, polynomial: number, initial: number): number {
  let crc = initial
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
  }
  return crc
}

/** The sum of all bytes as two hexadecimal digits. */
export function sumOf(bytes: Uint8Array): string {
  let sum = 0
  for (const byte of bytes) sum = (sum + byte) & 0xff
  return sum.toString(16).toUpperCase().padStart(2, "0")
}
