import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

interface FontSource {
  package: string
  subset: string
  /** Code points that it is asked for. */
  ranges: readonly (readonly [number, number])[]
}

/**
 * Noto Sans by script, from packages of fonts; the first that covers a character draws it. Noto Sans Arabic builds letters of
 * several glyphs, so that text copied from the document loses its dots: Arabic is drawn with IBM Plex instead.
 */
const sources: Readonly<Record<string, FontSource>> = {
  latin: {
    package: "noto-sans",
    subset: "latin",
    ranges: [
      [0x20, 0xff],
      [0x2000, 0x206f],
      [0x20ac, 0x20ac],
      [0x2122, 0x2122],
    ],
  },
  latinExt: {
    package: "noto-sans",
    subset: "latin-ext",
    ranges: [
      [0x100, 0x2ba],
      [0x20a0, 0x20c0],
    ],
  },
  vietnamese: {
    package: "noto-sans",
    subset: "vietnamese",
    ranges: [
      [0x1ea0, 0x1ef9],
      [0x300, 0x309],
      [0x323, 0x329],
    ],
  },
  latinAdditional: { package: "noto-sans", subset: "latin-ext", ranges: [[0x1e00, 0x1e9f]] },
  greek: { package: "noto-sans", subset: "greek", ranges: [[0x370, 0x3ff]] },
  cyrillic: {
    package: "noto-sans",
    subset: "cyrillic",
    ranges: [
      [0x400, 0x45f],
      [0x490, 0x491],
      [0x4b0, 0x4b1],
    ],
  },
  cyrillicExt: { package: "noto-sans", subset: "cyrillic-ext", ranges: [[0x460, 0x52f]] },
  devanagari: { package: "noto-sans", subset: "devanagari", ranges: [[0x900, 0x97f]] },
  arabic: {
    package: "ibm-plex-sans-arabic",
    subset: "arabic",
    ranges: [
      [0x600, 0x6ff],
      [0x750, 0x77f],
      [0x8a0, 0x8ff],
      [0xfb50, 0xfdff],
      [0xfe70, 0xfeff],
    ],
  },
  hebrew: {
    package: "noto-sans-hebrew",
    subset: "hebrew",
    ranges: [
      [0x590, 0x5ff],
      [0xfb1d, 0xfb4f],
    ],
  },
  thai: { package: "noto-sans-thai", subset: "thai", ranges: [[0xe00, 0xe7f]] },
}

export const fontNames = Object.keys(sources)

export function fontPath(name: string): string {
  const source = sources[name]
  if (!source) throw new Error(`no font ${name}`)
  const folder = dirname(require.resolve(`@fontsource/${source.package}/package.json`))
  return join(folder, "files", `${source.package}-${source.subset}-400-normal.woff`)
}

export function fontOf(codePoint: number): string {
  const found = Object.entries(sources).find(([, { ranges }]) =>
    ranges.some(([from, to]) => codePoint >= from && codePoint <= to),
  )
  return found?.[0] ?? "latin"
}
