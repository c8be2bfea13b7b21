import { type RowFilter, rowFilterOf } from "#shared/row-filter.ts"

/** What the list of vehicles shows, as encoded in the address. */
export interface VehicleSearch {
  q?: string
  tags?: string
  assignee?: string
  /** Conditions over any field. */
  filter?: RowFilter
  sort?: string
  order?: "desc"
  /** The column by which rows are grouped. */
  group?: string
  vehicle?: string
}

export function readVehicleSearch(search: Record<string, unknown>): VehicleSearch {
  const text = (name: string) => {
    const value = search[name]
    return value === undefined || value === "" ? {} : { [name]: String(value) }
  }
  const filter = rowFilterOf(search.filter)
  return {
    ...(filter ? { filter } : {}),
    ...text("q"),
    ...text("tags"),
    ...text("assignee"),
    ...text("sort"),
    ...text("group"),
    ...text("vehicle"),
    ...(search.order === "desc" ? { order: "desc" as const } : {}),
  }
}
