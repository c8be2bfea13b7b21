import { type RowFilter, rowFilterOf } from "#shared/row-filter.ts"

/** What the list of people shows, as encoded in the address. */
export interface PeopleSearch {
  q?: string
  /** The id of a role. */
  role?: string
  /** Conditions over any field. */
  filter?: RowFilter
  /** A column; without one, people are in the order of their names. */
  sort?: string
  order?: "desc"
  /** The column by which rows are grouped. */
  group?: string
}

export function readPeopleSearch(search: Readonly<Record<string, unknown>>): PeopleSearch {
  const { q, role } = search
  const column = (name: "sort" | "group") => {
    const value = search[name]
    return typeof value === "string" && /^[a-zA-Z]{1,40}$/.test(value) ? { [name]: value } : {}
  }
  const filter = rowFilterOf(search.filter)
  return {
    ...(filter ? { filter } : {}),
    ...(q === undefined || q === null || String(q) === "" ? {} : { q: String(q).slice(0, 200) }),
    ...(typeof role === "string" && /^[0-9a-f]{24}$/.test(role) ? { role } : {}),
    ...column("sort"),
    ...column("group"),
    ...(search.order === "desc" ? { order: "desc" as const } : {}),
  }
}
