import { spellingsOf } from "../text/words.ts"

/** Control characters, which no name has and PostgreSQL does not store. */
const controls = /\p{Cc}+/gu

export const plainText = (text: string, maxLength: number) =>
  text.slice(0, maxLength).replace(controls, " ").trim()

export type Tags = ReadonlyMap<string, string>

/** The name shown without a choice of language, and all names by tag: `name:ar`, `alt_name` and so on. */
export interface Names {
  readonly name: string
  readonly others: Readonly<Record<string, string>>
}

const otherKeys = ["alt_name", "short_name", "official_name", "loc_name", "old_name", "int_name", "reg_name"]
const languageKey = /^name:[a-z]{2,3}(?:[-_][A-Za-z]{2,8})?$/
const maxLength = 200
const maxOthers = 60
const maxSpellings = 60

export function namesOf(tags: Tags, mainKeys: readonly string[] = ["name", "ref"]): Names | undefined {
  const mainKey = mainKeys.find((key) => tags.get(key))
  const anyName = mainKey ?? [...tags.keys()].find((key) => languageKey.test(key))
  const name = anyName && plainText(tags.get(anyName) ?? "", maxLength)
  if (!name) return undefined
  const others: Record<string, string> = {}
  let count = 0
  for (const [key, value] of tags) {
    const isOther = languageKey.test(key) || otherKeys.includes(key) || (key === "ref" && mainKey === "name")
    if (!isOther || value === "" || count === maxOthers) continue
    others[key] = plainText(value, maxLength)
    count += 1
  }
  return { name, others }
}

/** Keys of which responses show nothing further: names and addresses have fields of their own, sources are for mappers. */
const hiddenTags =
  /^(?:(?:name|addr|alt_name|short_name|official_name|loc_name|old_name|int_name|reg_name|source|created_by|note|fixme|is_in)(?:[:_].*)?|type|ref)$/
const maxTags = 30
const maxKeyLength = 60

/** Further tags of a place, such as its opening hours. */
export function extraTagsOf(tags: Tags, mainKey: string): Readonly<Record<string, string>> | undefined {
  const found: [string, string][] = []
  for (const [key, value] of tags) {
    if (key === mainKey || key.length > maxKeyLength || value === "" || hiddenTags.test(key)) continue
    if (found.push([plainText(key, maxKeyLength), plainText(value, maxLength)]) === maxTags) break
  }
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/** Each way to write a place's names, as words with blanks between them. Several names in one tag have semicolons. */
export function spellingsOfNames({ name, others }: Names): string[] {
  const found = new Set<string>()
  for (const value of [name, ...Object.values(others)])
    for (const part of value.split(";"))
      for (const words of spellingsOf(part)) if (words.length > 0) found.add(words.join(" "))
  return [...found].slice(0, maxSpellings)
}
