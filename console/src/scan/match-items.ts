/** Something that is identified by a code: a line of a list, a parcel. */
export interface CodedItem {
  title: string
  content?: string | null
  data?: unknown
}

/** What a code may stand for on a line: its title, its note, or what the planner stored with it. */
function codesOf({ title, content, data }: CodedItem): string[] {
  const stored = typeof data === "object" && data !== null ? Object.values(data) : [data]
  return [title, content, ...stored]
    .filter((text) => typeof text === "string" || typeof text === "number")
    .map((text) => normalized(String(text)))
    .filter((text) => text !== "")
}

function normalized(code: string): string {
  return code.trim().toLowerCase()
}

/** The item that a code belongs to: one that lacks pieces before one that is complete; -1 for an unknown code. */
export function itemOfCode<Item extends CodedItem>(
  items: readonly Item[],
  code: string,
  isComplete: (item: Item) => boolean,
): number {
  const wanted = normalized(code)
  const matching = items.flatMap((item, index) => (codesOf(item).includes(wanted) ? [index] : []))
  return matching.find((index) => !isComplete(items[index] as Item)) ?? matching[0] ?? -1
}
