/** Endings under which recordings are stored; the file routes know their media types. */
export type SoundType = "webm" | "ogg" | "m4a" | "mp3"

/**
 * What kind of recording these bytes are, by how its container begins: EBML (WebM, as most browsers record),
 * Ogg, an ISO media file with an audio brand or that of a browser's recorder, or MP3 with a tag or a frame.
 */
export function soundTypeOf(bytes: Buffer): SoundType | undefined {
  if (bytes.length < 12) return undefined
  if (bytes.readUInt32BE(0) === 0x1a45dfa3) return "webm"
  const start = bytes.toString("latin1", 0, 4)
  if (start === "OggS") return "ogg"
  if (bytes.toString("latin1", 4, 8) === "ftyp")
    return /^(M4A|M4B|mp4|iso|dash|MSNV)/.test(bytes.toString("latin1", 8, 12)) ? "m4a" : undefined
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2
  return start.startsWith("ID3") || isFrame ? "mp3" : undefined
}
