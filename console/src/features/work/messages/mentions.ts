import { queryOptions } from "@tanstack/react-query"
import { server } from "../../../api/server.ts"
import { type ConversationKey, conversationKey } from "./messages.queries.ts"

/** Somebody whom a message can name. */
export interface Mentionable {
  id: string
  name: string
}

/** Active people who see what a conversation is about, by a part of their names. */
export function mentionableQuery(conversation: ConversationKey, part: string) {
  const q = part.trim()
  const query = { ...conversationKey(conversation), ...(q ? { q } : {}) }
  return queryOptions({
    queryKey: ["messages", "people", query],
    queryFn: async ({ signal }): Promise<Mentionable[]> => {
      const { data } = await server.get("/api/v3/messages/people", { query, signal })
      return data.map(({ _id, name }) => ({ id: _id, name }))
    },
    staleTime: 60_000,
  })
}

const maxTypedNames = 5

/** The words after an @ that name nobody who was chosen: the beginnings of names that were typed. */
export function typedNames(text: string, chosen: readonly Mentionable[]): string[] {
  const rest = chosen.reduce((left, { name }) => left.replaceAll(`@${name}`, ""), text)
  return [...rest.matchAll(/(?:^|\s)@([\p{L}\p{N}]+)/gu)].map(([, word = ""]) => word).slice(0, maxTypedNames)
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
