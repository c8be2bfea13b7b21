import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useSession } from "../../../session/session.ts"
import { usersQuery } from "../../people/users/users.queries.ts"

/** Somebody whom a message can name. */
export interface Mentionable {
  id: string
  name: string
}

/** The active people, except oneself; empty for a role that may not see people. */
export function useMentionable(): readonly Mentionable[] {
  const { user, may } = useSession()
  const { data } = useQuery({ ...usersQuery, enabled: may("view/user") })
  return useMemo(
    () =>
      (data ?? [])
        .filter(({ _id, status }) => status === "active" && _id !== user._id)
        .map(({ _id, name }) => ({ id: _id, name })),
    [data, user._id],
  )
}

const maxMentions = 20

/** Ids of the people whose names follow an @ in a text; of two names that begin alike, the longer one. */
export function mentionsIn(text: string, people: readonly Mentionable[]): string[] {
  if (!text.includes("@")) return []
  const found = new Set<string>()
  let rest = text
  for (const { id, name } of people.toSorted((one, other) => other.name.length - one.name.length)) {
    if (!rest.includes(`@${name}`)) continue
    found.add(id)
    rest = rest.replaceAll(`@${name}`, "")
  }
  return [...found].slice(0, maxMentions)
}

/** A text with a person's name at its end. It takes the place of an @ there and of the letters that were typed after it. */
export function withMention(text: string, name: string): string {
  const start = text.replace(/(^|\s)@\S*$/, "$1")
  return `${start}${/\S$/.test(start) ? " " : ""}@${name} `
}
