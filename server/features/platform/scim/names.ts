import { valuesAt } from "./filter.ts"

type Members = Record<string, unknown>

/**
 * The parts of a name as a directory sent them. A person has one name, so they hold while it is `of`: a name that was
 * changed in Fieldway is split at its first space.
 */
export interface SentNames {
  of: string
  givenName?: string
  familyName?: string
  formatted?: string
  displayName?: string
}

const maxText = 200

const text = (body: Members, path: string): string | undefined => {
  const [value] = valuesAt(body, path)
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, maxText) : undefined
}

const joinedOf = (body: Members) =>
  [text(body, "name.givenName"), text(body, "name.familyName")].filter(Boolean).join(" ")

/** The name in one text: that which is complete, else its parts. */
export function readName(body: Members, before?: Members): string | undefined {
  const changed = (path: string) => {
    const value = text(body, path)
    return before === undefined || value !== text(before, path) ? value : undefined
  }
  const parts = changed("name.givenName") ?? changed("name.familyName")
  const name =
    changed("name.formatted") ??
    (parts && joinedOf(body)) ??
    changed("displayName") ??
    (before ? undefined : joinedOf(body))
  return name?.slice(0, maxText)
}

/** What is kept of a name. A complete name that its changed parts contradict is not. */
export function sentNames(body: Members, of: string, before?: Members): SentNames {
  const formatted = text(body, "name.formatted")
  const isStale =
    before !== undefined &&
    formatted === text(before, "name.formatted") &&
    joinedOf(body) !== joinedOf(before)
  const parts = {
    givenName: text(body, "name.givenName"),
    familyName: text(body, "name.familyName"),
    formatted: isStale ? undefined : formatted,
    displayName: text(body, "displayName"),
  }
  return { of, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) }
}

/** `name` and `displayName` of a person. Okta imports nobody without a family name. */
export function namesOf(name: string, sent: SentNames | null | undefined) {
  if (sent?.of === name) {
    const { givenName, familyName, formatted, displayName } = sent
    const parts = { ...(givenName && { givenName }), ...(familyName && { familyName }) }
    if (Object.keys(parts).length > 0 || formatted)
      return { name: { formatted: formatted ?? name, ...parts }, displayName: displayName ?? name }
  }
  const [first = "", ...rest] = name.split(" ")
  return {
    name: { formatted: name, givenName: first, familyName: rest.join(" ") || first },
    displayName: name,
  }
}
