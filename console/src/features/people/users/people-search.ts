/** What the list of people shows, as encoded in the address. */
export interface PeopleSearch {
  q?: string
  /** The id of a role. */
  role?: string
}

export function readPeopleSearch({ q, role }: Readonly<Record<string, unknown>>): PeopleSearch {
  return {
    ...(q === undefined || q === null || String(q) === "" ? {} : { q: String(q).slice(0, 200) }),
    ...(typeof role === "string" && /^[0-9a-f]{24}$/.test(role) ? { role } : {}),
  }
}
