import { crc32, deflateSync } from "node:zlib"

type Colour = readonly [number, number, number]
type Subject = "door" | "parcel" | "signature"

const width = 320
const height = 240

/** A small picture as a phone might send it: a door, a parcel before it, a name written by hand. */
export function picturePng(subject: Subject): Uint8Array<ArrayBuffer> {
  const colourAt = painters[subject]
  const rows = new Uint8Array(height * (1 + width * 3))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * (1 + width * 3) + 1 + x * 3)
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  // Eight bits for each of red, green and blue.
  header.setUint8(8, 8)
  header.setUint8(9, 2)
  const signature = [137, 80, 78, 71, 13, 10, 26, 10]
  return new Uint8Array([
    ...signature,
    ...chunk("IHDR", new Uint8Array(header.buffer)),
    ...chunk("IDAT", deflateSync(rows)),
    ...chunk("IEND", new Uint8Array()),
  ])
}

const isIn = (x: number, y: number, [left, top, right, bottom]: readonly [number, number, number, number]) =>
  x >= left && x < right && y >= top && y < bottom

const painters: Readonly<Record<Subject, (x: number, y: number) => Colour>> = {
  door(x, y) {
    if (isIn(x, y, [210, 120, 218, 136])) return [214, 178, 94]
    if (isIn(x, y, [110, 40, 226, 206])) return isIn(x, y, [124, 56, 212, 112]) ? [58, 92, 84] : [31, 76, 66]
    if (y >= 206) return [150, 146, 140]
    const isJoint = y % 22 === 0 || (x + (Math.floor(y / 22) % 2) * 24) % 48 === 0
    return isJoint ? [196, 178, 160] : [178, 116, 92]
  },
  parcel(x, y) {
    if (isIn(x, y, [90, 92, 236, 208])) {
      if (Math.abs(x - 163) < 10) return [214, 190, 140]
      return isIn(x, y, [180, 150, 226, 184]) ? [244, 242, 236] : [176, 132, 82]
    }
    return y >= 190 ? [142, 138, 132] : [206, 204, 198]
  },
  signature(x, y) {
    const along = (x - 40) / 240
    if (along < 0 || along > 1) return [255, 255, 255]
    const line = 120 + Math.sin(along * 26) * 46 * (1 - along) + Math.sin(along * 7) * 18
    return Math.abs(y - line) < 3 + 4 * Math.abs(Math.cos(along * 26)) ? [24, 32, 64] : [255, 255, 255]
  },
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const named = new Uint8Array([...new TextEncoder().encode(name), ...content])
  const framed = new Uint8Array(named.length + 8)
  const view = new DataView(framed.buffer)
  view.setUint32(0, content.length)
  framed.set(named, 4)
  view.setUint32(named.length + 4, crc32(named))
  return framed
}
