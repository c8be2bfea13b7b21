import { inflateSync } from "node:zlib"

/** Bytes of pixels that the pictures of one report may have when they are unpacked: a screenshot of a phone has 10,000,000. */
const maxBytes = 100_000_000
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** First column and row, and steps, of the seven passes of an interlaced picture; of another one there is one. */
const interlaced = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const plain = [[0, 0, 1, 1]] as const

/**
 * Guards pdfkit, which unpacks transparent and interlaced PNG pictures as a whole, without a limit and where an error cannot be
 * caught. The function throws for one that is damaged or does not fit into what is left for the report (ISO/IEC 15948).
 */
export function pngBudget(): (picture: Buffer) => void {
  let left = maxBytes
  return (picture) => {
    const png = readPng(picture)
    if (!png?.isUnpacked) return
    const { width, height, bits, rows, data } = png
    if ((width * height * bits) / 8 > left) throw new Error("The picture is too large")
    const pixels = inflateSync(data, { maxOutputLength: left })
    left -= pixels.length
    let at = 0
    for (const [column, row, columnStep, rowStep] of rows) {
      const columns = Math.ceil((width - column) / columnStep)
      if (columns <= 0) continue
      for (let y = row; y < height; y += rowStep) {
        if ((pixels[at] ?? 255) > 4) throw new Error("The picture is damaged")
        at += 1 + Math.ceil((columns * bits) / 8)
      }
    }
    if (at > pixels.length) throw new Error("The picture is damaged")
  }
}

function readPng(picture: Buffer) {
  if (picture.toString("latin1", 1, 4) !== "PNG" || picture.length < 33) return undefined
  const [depth, kind, isInterlaced] = [picture.readUInt8(24), picture.readUInt8(25), picture[28] === 1]
  const data: Buffer[] = []
  let hasTransparency = kind === 4 || kind === 6
  for (let at = 8; at + 12 <= picture.length; ) {
    const length = picture.readUInt32BE(at)
    const name = picture.toString("latin1", at + 4, at + 8)
    if (name === "IDAT") data.push(picture.subarray(at + 8, at + 8 + length))
    if (name === "tRNS") hasTransparency = true
    at += 12 + length
  }
  return {
    width: picture.readUInt32BE(16),
    height: picture.readUInt32BE(20),
    bits: depth * (channelsOf[kind] ?? 4),
    rows: isInterlaced ? interlaced : plain,
    data: Buffer.concat(data),
    isUnpacked: hasTransparency || isInterlaced,
  }
}
