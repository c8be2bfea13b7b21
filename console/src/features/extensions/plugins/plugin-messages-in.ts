/**
 * What plugins send, checked piece by piece: a plugin can send anything. What does not fit is rejected with
 * a sentence for its author.
 */
export type Tone = "good" | "warning" | "bad" | "quiet"

export type Block =
  | { type: "text"; text: string; tone: Tone | undefined }
  | { type: "facts"; facts: { name: string; value: string }[] }
  | { type: "progress"; value: number; label: string }
  | { type: "table"; columns: string[]; rows: string[][] }
  | { type: "button"; id: string; title: string }

export interface Panel {
  place: "task" | "page"
  /** The task that it is about; only for panels of tasks. */
  task: string | undefined
  title: string
  blocks: Block[]
}

export interface TaskAction {
  id: string
  title: string
}

export class BadMessage extends Error {}

const idPattern = /^[0-9a-f]{24}$/
const tones: readonly unknown[] = ["good", "warning", "bad", "quiet"]

export function readPanel(value: unknown): Panel {
  const { place, task, title, blocks } = readObject(value, "a panel")
  if (place !== "task" && place !== "page") throw new BadMessage('place must be "task" or "page"')
  if (place === "task" && !(typeof task === "string" && idPattern.test(task)))
    throw new BadMessage("a panel of a task names its task by id")
  if (!Array.isArray(blocks) || blocks.length > 50)
    throw new BadMessage("blocks must be a list of at most 50")
  return {
    place,
    task: place === "task" ? String(task) : undefined,
    title: readText(title, "title", 80),
    blocks: blocks.map(readBlock),
  }
}

export function readPlace(value: unknown): Panel["place"] {
  const { place } = readObject(value, "parameters")
  if (place !== "task" && place !== "page") throw new BadMessage('place must be "task" or "page"')
  return place
}

export function readAction(value: unknown): TaskAction {
  const { id, title } = readObject(value, "an action")
  return { id: readText(id, "id", 40), title: readText(title, "title", 40) }
}

export function readMenuTitle(value: unknown): string {
  return readText(readObject(value, "a menu entry").title, "title", 40)
}

/** Path and query of a read; paths outside the API are rejected. */
export function readAddress(value: unknown, origin: string): URL {
  const { path, query } = readObject(value, "parameters")
  if (typeof path !== "string" || !path.startsWith("/")) throw new BadMessage("path must start with /")
  const url = new URL(`/api/v3${path}`, origin)
  // The parser has resolved dots by now, so what is left is where the call would go.
  if (url.origin !== origin || !url.pathname.startsWith("/api/v3/"))
    throw new BadMessage("path must stay inside the API")
  for (const [name, parameter] of Object.entries(query === undefined ? {} : readObject(query, "query")))
    if (parameter !== undefined && parameter !== null) url.searchParams.set(name, String(parameter))
  return url
}

function readBlock(value: unknown): Block {
  const block = readObject(value, "a block")
  switch (block.type) {
    case "text":
      return {
        type: "text",
        text: readText(block.text, "text", 2000),
        tone: tones.includes(block.tone) ? (block.tone as Tone) : undefined,
      }
    case "facts":
      return {
        type: "facts",
        facts: readList(block.facts, "facts", 100).map((fact) => {
          const { name, value: content } = readObject(fact, "a fact")
          return { name: readText(name, "name", 80), value: readText(content, "value", 500) }
        }),
      }
    case "progress": {
      const part = Number(block.value)
      if (!(part >= 0 && part <= 1)) throw new BadMessage("value of a progress is 0 to 1")
      return { type: "progress", value: part, label: readText(block.label, "label", 80) }
    }
    case "table":
      return {
        type: "table",
        columns: readList(block.columns, "columns", 12).map((column) => readText(column, "column", 80)),
        rows: readList(block.rows, "rows", 200).map((row) =>
          readList(row, "row", 12).map((cell) => readText(cell, "cell", 200)),
        ),
      }
    case "button":
      return {
        type: "button",
        id: readText(block.id, "id", 40),
        title: readText(block.title, "title", 40),
      }
    default:
      throw new BadMessage("type of a block is text, facts, progress, table or button")
  }
}

function readObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadMessage(`${what} must be an object`)
  return value as Record<string, unknown>
}

function readList(value: unknown, what: string, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most)
    throw new BadMessage(`${what} must be a list of at most ${most}`)
  return value
}

/** Numbers are texts too: they are only shown. */
function readText(value: unknown, what: string, most: number): string {
  const text = typeof value === "number" ? String(value) : value
  if (typeof text !== "string" || text.length > most)
    throw new BadMessage(`${what} must be a text of at most ${most} characters`)
  return text
}
