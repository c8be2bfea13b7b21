import { SaxesParser } from "saxes"
import { GeoFileError, type GeoLimits } from "./feature.ts"

/** An element without its namespace prefix. Attributes and children keep the order of the file. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

export interface XmlHandler {
  /** Called at the start of every element that is part of no unit, with the elements around it. */
  open?(name: string, around: readonly string[]): void
  close?(name: string): void
  /** True for an element that is wanted as a whole. */
  isUnit(name: string, around: readonly string[]): boolean
  unit(element: XmlElement, around: readonly string[]): void
}

/**
 * Reads XML and passes on the elements that are wanted, so that memory holds one of them at a time. A document type is
 * refused, because it can declare entities that expand; nothing that the file refers to is loaded.
 */
export function scanXml(text: string, limits: Pick<GeoLimits, "maxDepth">, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false, position: true })
  /** Elements that are part of no unit. */
  const around: string[] = []
  /** The unit that is being read, and the elements in it. */
  const stack: XmlElement[] = []
  parser.on("error", (error) => {
    throw new GeoFileError("damaged", `The file is damaged or incomplete: ${error.message}`, { cause: error })
  })
  parser.on("doctype", () => {
    throw new GeoFileError(
      "entities",
      "The file contains a document type (DOCTYPE), which may declare entities. Remove it and upload the file again",
    )
  })
  parser.on("opentag", ({ name: qualified, attributes }) => {
    const name = withoutPrefix(qualified)
    if (around.length + stack.length >= limits.maxDepth)
      throw new GeoFileError("too-deep", `The file nests more than ${limits.maxDepth} elements`)
    if (stack.length === 0 && !handler.isUnit(name, around)) {
      handler.open?.(name, around)
      around.push(name)
      return
    }
    const element: XmlElement = { name, attributes: { ...attributes }, children: [], text: "" }
    stack.at(-1)?.children.push(element)
    stack.push(element)
  })
  parser.on("closetag", () => {
    const element = stack.pop()
    if (!element) handler.close?.(around.pop() ?? "")
    else if (stack.length === 0) handler.unit(element, around)
  })
  const append = (piece: string) => {
    const element = stack.at(-1)
    if (element) element.text += piece
  }
  parser.on("text", append)
  parser.on("cdata", append)
  parser.write(text).close()
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1)
}

export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name)
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name)
}

/** The trimmed text of a child; empty where there is none. */
export function textOf(element: XmlElement, name: string): string {
  return childOf(element, name)?.text.trim() ?? ""
}
