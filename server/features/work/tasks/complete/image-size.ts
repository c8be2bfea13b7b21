export interface ImageShape {
  type: "jpg" | "png"
  width: number
  height: number
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * What kind of image these bytes are and how many pixels it has, from its own headers; whatever the upload
 * calls itself is not asked. Undefined for anything but a JPEG or PNG that is there to its end.
 */
export function readImageShape(bytes: Buffer): ImageShape | undefined {
  if (bytes.subarray(0, 8).equals(pngSignature)) return readPng(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes)
  return undefined
}

/** PNG (ISO/IEC 15948): the first chunk is IHDR with width and height, the last one IEND. */
function readPng(bytes: Buffer): ImageShape | undefined {
  if (bytes.length < 45 || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined
  let at = 8
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString("latin1", at + 4, at + 8) === "IEND")
      return sized("png", bytes.readUInt32BE(16), bytes.readUInt32BE(20))
    at += 12 + length
  }
  return undefined
}

/** JPEG (ITU-T T.81): marker segments from SOI; a start-of-frame segment carries height and width. */
function readJpeg(bytes: Buffer): ImageShape | undefined {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return undefined
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    if (isBare) {
      at += 2
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return sized("jpg", bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    if (marker === 0xda || marker === 0xd9) return undefined
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function sized(type: ImageShape["type"], width: number, height: number): ImageShape | undefined {
  return width > 0 && height > 0 ? { type, width, height } : undefined
}
