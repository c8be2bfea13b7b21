import { SuspectFileError } from "../suspect-file.ts"

/** Receives the tags and texts of an XML part. Names come without their namespace prefix. */
export interface XmlHandler {
  /** `attributes` is the raw text behind the name, for attributeOf. A `<a/>` is followed by its close. */
  open(name: string, attributes: string): void
  close(name: string): void
  /** Raw text, entities not yet resolved (decodeXmlText); may come in pieces. */
  text(raw: string): void
}

// Tags of a workbook take a few hundred characters; a tag without an end must not fill memory.
const maxTagLength = 1_000_000

/**
 * A scanner that is fed an XML part piece by piece. Not a general parser, on purpose: no document type, hence
 * no entities to expand (SuspectFileError `xml-entities`), no validation beyond what keeps it from being misled.
 */
export function xmlScanner(handler: XmlHandler): { push(piece: string): void; end(): void } {
  let rest = ""

  function push(piece: string): void {
    const xml = rest === "" ? piece : rest + piece
    let at = 0
    for (;;) {
      const tagStart = xml.indexOf("<", at)
      if (tagStart === -1) {
        at = flushText(xml, at)
        break
      }
      if (tagStart > at) handler.text(xml.slice(at, tagStart))
      at = tagStart
      const next = scanMarkup(xml, tagStart)
      if (next === -1) break
      at = next
    }
    rest = xml.slice(at)
    if (rest.length > maxTagLength) throw new SuspectFileError("damaged")
  }

  /** Hands out text whose end is not known yet, but never half an entity. Returns where the rest begins. */
  function flushText(xml: string, from: number): number {
    const ampersand = xml.lastIndexOf("&")
    const end = ampersand >= from && ampersand > xml.length - 12 ? ampersand : xml.length
    if (end > from) handler.text(xml.slice(from, end))
    return end
  }

  /** Reads one tag, comment, CDATA or declaration at `start`. Returns its end, or -1 when it is not all there. */
  function scanMarkup(xml: string, start: number): number {
    const first = xml.charCodeAt(start + 1)
    if (first === 0x21 /* ! */) return scanDeclaration(xml, start)
    if (first === 0x3f /* ? */) return endOf(xml, "?>", start)
    const end = tagEnd(xml, start)
    if (end === -1) return -1
    if (first === 0x2f /* / */) {
      handler.close(localName(xml, start + 2, end))
      return end + 1
    }
    const selfClosing = xml.charCodeAt(end - 1) === 0x2f
    let nameEnd = start + 1
    while (nameEnd < end && !isNameEnd(xml.charCodeAt(nameEnd))) nameEnd++
    const name = localName(xml, start + 1, nameEnd)
    handler.open(name, nameEnd === end ? "" : xml.slice(nameEnd, selfClosing ? end - 1 : end))
    if (selfClosing) handler.close(name)
    return end + 1
  }

  function scanDeclaration(xml: string, start: number): number {
    if (xml.startsWith("<!--", start)) return endOf(xml, "-->", start)
    if (xml.startsWith("<![CDATA[", start)) {
      const end = xml.indexOf("]]>", start)
      if (end === -1) return -1
      handler.text(xml.slice(start + 9, end).replaceAll("&", "&amp;"))
      return end + 3
    }
    if (xml.length - start < 9) return -1
    throw new SuspectFileError("xml-entities")
  }

  function end(): void {
    if (rest.trim() !== "") throw new SuspectFileError("damaged")
  }
  return { push, end }
}

function endOf(xml: string, mark: string, start: number): number {
  const at = xml.indexOf(mark, start)
  return at === -1 ? -1 : at + mark.length
}

function isNameEnd(code: number): boolean {
  return code <= 0x20 || code === 0x2f
}

function localName(xml: string, start: number, end: number): string {
  let from = start
  let to = end
  for (let at = start; at < end; at++) {
    const code = xml.charCodeAt(at)
    if (code === 0x3a /* : */) from = at + 1
    else if (code <= 0x20) {
      to = at
      break
    }
  }
  return xml.slice(from, to)
}

/** The `>` that ends the tag. One inside an attribute value is recognised by what stands before it. */
function tagEnd(xml: string, start: number): number {
  for (let end = xml.indexOf(">", start); end !== -1; end = xml.indexOf(">", end + 1)) {
    let before = end - 1
    if (xml.charCodeAt(before) === 0x2f) before--
    while (xml.charCodeAt(before) <= 0x20) before--
    const code = xml.charCodeAt(before)
    if (code === 0x22 || code === 0x27) return end
    if (!hasAttribute(xml, start, end)) return end
  }
  return -1
}

function hasAttribute(xml: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (xml.charCodeAt(at) === 0x3d) return true
  return false
}

const fallbacks = new Map<string, RegExp>()

/** The value of an attribute in the raw text of a tag, or undefined. `name` may carry a prefix (`r:id`). */
export function attributeOf(attributes: string, name: string): string | undefined {
  const start = attributes.indexOf(` ${name}="`)
  if (start !== -1) {
    const from = start + name.length + 3
    return decodeXmlText(attributes.slice(from, attributes.indexOf('"', from)))
  }
  if (attributes.indexOf(name) === -1) return undefined
  let pattern = fallbacks.get(name)
  if (!pattern) {
    pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    fallbacks.set(name, pattern)
  }
  const match = pattern.exec(attributes)
  return match ? decodeXmlText(match[1] ?? match[2] ?? "") : undefined
}

const namedEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** Resolves the five named entities and character references; anything else stays as it is. */
export function decodeXmlText(raw: string): string {
  if (!raw.includes("&")) return raw
  return raw.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return namedEntities[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
