import { glob, readdir, readFile } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { isLanguage, type Language, languageNames, languages, localeOf } from "#shared/languages.ts"
import { planWarnings } from "#shared/plan-warnings.ts"
import { fieldTitle } from "#shared/task-field-titles/titles.ts"
import { taskFields } from "#shared/task-fields.ts"

/** `node tools/console-languages.ts [language]` lists what one language or all of them lack. */
const console = fileURLToPath(new URL("../console/src/", import.meta.url))
const translations = `${console}i18n/translations/`

type Texts = Readonly<Record<string, string>>
type Catalogues = Readonly<Record<string, Texts>>

/** Every text of the console in every language: the same keys and parameters, every plural form, nothing empty. */
export async function checkConsoleLanguages(): Promise<string | undefined> {
  const english = await englishTexts()
  const problems = [...english.problems]
  for (const language of languages)
    if (language !== "en") problems.push(...(await problemsOf(language, english.catalogues)))
  if (english.catalogues.size === 0) problems.push("no texts were found")
  return problems.length > 0 ? problems.join("\n") : undefined
}

/** The path is computed: the console's modules have a configuration of their own for types. */
async function moduleAt<Module>(path: string): Promise<Module> {
  return (await import(`${console}${path}`)) as Module
}

const { pluralForms } = await moduleAt<{ pluralForms(text: string): ReadonlyMap<string, string> }>(
  "i18n/messages.ts",
)

async function problemsOf(language: Language, english: ReadonlyMap<string, Texts>): Promise<string[]> {
  const folder = `translations/${language}`
  const { default: bundle } = await moduleAt<{ default: Readonly<Record<string, Catalogues>> }>(
    `i18n/${folder}/bundle.ts`,
  )
  const problems: string[] = []
  for (const file of await readdir(`${translations}${language}`)) {
    const domain = basename(file, ".json")
    if (file.endsWith(".json") && !Object.hasOwn(bundle, domain))
      problems.push(`${folder}/bundle.ts does not contain ${file}`)
  }
  const found = new Map<string, Texts>(
    Object.entries(bundle).flatMap(([domain, catalogues]) =>
      Object.entries(catalogues).map(([name, texts]) => [`${domain}.${name}`, texts] as const),
    ),
  )
  for (const name of new Set([...english.keys(), ...found.keys()])) {
    const [wanted = {}, translated = {}] = [english.get(name), found.get(name)]
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(translated)])) {
      const problem = judge(wanted[key], translated[key], language)
      if (problem) problems.push(`${folder}: ${name}.${key} ${problem}`)
    }
  }
  return problems
}

function judge(
  english: string | undefined,
  text: string | undefined,
  language: Language,
): string | undefined {
  if (english === undefined) return "does not exist in English"
  if (text === undefined) return `is missing: ${JSON.stringify(english)}`
  if (text.trim() === "" && english.trim() !== "") return "is empty"
  const [wanted, found] = [parametersOf(english), parametersOf(text)]
  if (wanted !== found) return `takes {${wanted}} in English, {${found}} in ${languageNames[language]}`
  const categories = new Intl.PluralRules(localeOf(language)).resolvedOptions().pluralCategories
  if (!isPlural(english)) return isPlural(text) ? "has plural forms, but not in English" : undefined
  return judgeForms(text, categories)
}

function isPlural(text: string): boolean {
  return pluralForms(text).size > 1
}

/** A language whose forms are all the same needs no names. */
function judgeForms(text: string, wanted: readonly string[]): string | undefined {
  if (!isPlural(text) && wanted.length === 1) return undefined
  const found = [...pluralForms(text).keys()]
  const missing = wanted.filter((name) => !found.includes(name))
  if (missing.length > 0) return `lacks the plural forms ${missing.join(", ")}`
  const superfluous = found.filter((name) => !wanted.includes(name))
  return superfluous.length > 0 ? `has superfluous plural forms: ${superfluous.join(", ")}` : undefined
}

function parametersOf(text: string): string {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort().join("}, {")
}

/** The catalogues by name, read from the source: their texts stand in it as literals. */
async function englishTexts(): Promise<{ catalogues: Map<string, Texts>; problems: string[] }> {
  const titles = Object.keys(taskFields).map((name) => [name, fieldTitle(name, "en")])
  const catalogues = new Map<string, Texts>([
    ["taskFields.titles", Object.fromEntries(titles)],
    ["planning.planWarnings", planWarnings],
  ])
  const problems: string[] = []
  for await (const path of glob("**/*.{ts,tsx}", { cwd: console })) {
    const source = await readFile(`${console}${path}`, "utf8")
    for (const { index, 0: call, 1: name = "" } of source.matchAll(
      /\bdefineMessages\(\s*"([\w.-]+)",\s*(?=\{)/g,
    )) {
      const start = index + call.length
      const texts = new Function(`return ${source.slice(start, endOfObject(source, start))}`)() as Texts
      if (!/^[a-z][\w-]*\.\w+$/.test(name)) problems.push(`${path}: "${name}" is not domain.catalogue`)
      if (catalogues.has(name)) problems.push(`${path}: there is another catalogue named ${name}`)
      for (const [key, text] of Object.entries(texts)) {
        const problem = isPlural(text) ? judgeForms(text, ["one", "other"]) : undefined
        if (text.trim() === "" || problem) problems.push(`${path}: ${key} ${problem ?? "is empty"}`)
      }
      catalogues.set(name, texts)
    }
  }
  return { catalogues, problems }
}

/** After the brace that closes the one at `start`; braces inside texts and comments are skipped. */
function endOfObject(source: string, start: number): number {
  let depth = 0
  let quote = ""
  for (let at = start; at < source.length; at++) {
    const letter = source[at] ?? ""
    if (quote !== "") {
      if (letter === "\\") at += 1
      else if (letter === quote) quote = ""
    } else if (source.startsWith("//", at)) at = source.indexOf("\n", at)
    else if (source.startsWith("/*", at)) at = source.indexOf("*/", at) + 1
    else if (letter === '"' || letter === "'" || letter === "`") quote = letter
    else if (letter === "{") depth += 1
    else if (letter === "}" && --depth === 0) return at + 1
  }
  throw new Error("an object of texts does not end")
}

if (import.meta.main) {
  const [, , language] = process.argv
  const problems = isLanguage(language)
    ? (await problemsOf(language, (await englishTexts()).catalogues)).join("\n")
    : await checkConsoleLanguages()
  process.stdout.write(problems ? `${problems}\n` : "complete\n")
  process.exitCode = problems ? 1 : 0
}
