import type { DeclaredRoute } from "#core/http/route-table.ts"
import { must } from "../violation.ts"

export type Row = Record<string, unknown>
type Body = Record<string, unknown>

/** A GET that has pages, with what it takes in its query. */
export interface List {
  path: string
  parameters: Record<string, { type?: string; description?: string }>
}

/** Reads a path without faults. */
export type Read = (path: string) => Promise<{ statusCode: number; json(): Body }>

interface Page {
  rows: Row[]
  total: number | undefined
  nextCursor: string | undefined
}

/** Lists of the route table that need no ids in their path. */
export function listsOf(routes: readonly DeclaredRoute[]): List[] {
  return routes.flatMap(({ method, url, schema }) => {
    const { properties = {}, required = [] } = (schema.querystring ?? {}) as {
      properties?: List["parameters"]
      required?: string[]
    }
    const isList = method === "GET" && "page" in properties && "limit" in properties && required.length === 0
    return isList && !url.includes(":") ? [{ path: url.replace("/api/v3", ""), parameters: properties }] : []
  })
}

export class ListReader {
  readonly list: List
  readonly #read: Read

  constructor(list: List, read: Read) {
    this.list = list
    this.#read = read
  }

  has(parameter: string): boolean {
    return parameter in this.list.parameters
  }

  /** Undefined where the list refuses the query. */
  async page(query: Record<string, string | number>): Promise<Page | undefined> {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const reply = await this.#read(`${this.list.path}?${text}`)
    must(reply.statusCode < 500, "no list ends with a server error", [
      this.list.path,
      query,
      reply.statusCode,
    ])
    return reply.statusCode === 200 ? pageOf(reply.json()) : undefined
  }

  /** All rows, of lists that are not longer than one page may be. */
  async whole(more: Record<string, string> = {}): Promise<Page | undefined> {
    const [most, least] = [10_000, 100]
    const page = (await this.page({ ...more, limit: most })) ?? (await this.page({ ...more, limit: least }))
    return page && page.rows.length >= (page.total ?? 0) && page.rows.length < most ? page : undefined
  }

  /** The rows by pages of this size, up to the first page without rows. */
  async byPages(order: Record<string, string>, limit: number): Promise<Row[] | undefined> {
    const rows: Row[] = []
    for (let page = 1; page <= 200; page += 1) {
      const read = await this.page({ ...order, limit, page })
      if (!read) return undefined
      rows.push(...read.rows)
      if (read.rows.length === 0) break
    }
    return rows
  }

  async byCursor(order: Record<string, string>, limit: number): Promise<Row[] | undefined> {
    const rows: Row[] = []
    for (let cursor: string | undefined; ; ) {
      const read = await this.page({ ...order, limit, lazyLoad: 1, ...(cursor ? { cursor } : {}) })
      if (!read) return undefined
      rows.push(...read.rows)
      cursor = read.nextCursor
      if (!cursor || rows.length > 5_000) return rows
    }
  }
}

/** Pages are called `data` and stand in the body or one level below. */
function pageOf(body: Body): Page | undefined {
  const places = [...Object.values(body), body].filter(
    (place): place is Body =>
      typeof place === "object" && place !== null && Array.isArray((place as Body).data),
  )
  const [place] = places
  if (!place) return undefined
  const total = place.total ?? body.total
  return {
    rows: place.data as Row[],
    total: typeof total === "number" ? total : undefined,
    nextCursor: typeof place.nextCursor === "string" ? place.nextCursor : undefined,
  }
}
