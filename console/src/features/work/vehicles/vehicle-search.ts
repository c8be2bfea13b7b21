/** What the list of vehicles shows, as encoded in the address. */
export interface VehicleSearch {
  q?: string
  tags?: string
  assignee?: string
  sort?: string
  order?: "desc"
  vehicle?: string
}

export function readVehicleSearch(search: Record<string, unknown>): VehicleSearch {
  const text = (name: string) => {
    const value = search[name]
    return value === undefined || value === "" ? {} : { [name]: String(value) }
  }
  return {
    ...text("q"),
    ...text("tags"),
    ...text("assignee"),
    ...text("sort"),
    ...text("vehicle"),
    ...(search.order === "desc" ? { order: "desc" as const } : {}),
  }
}
