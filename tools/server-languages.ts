import { readFile } from "node:fs/promises"
import { languages } from "#shared/languages.ts"
import { defaultText } from "../server/features/customers/messages/templates/default-texts.ts"
import { triggerNames } from "../server/features/customers/messages/triggers.ts"
import { reportTexts } from "../server/features/customers/reports/texts.ts"
import { requestTextsIn } from "../server/features/customers/request-forms/texts/texts.ts"
import { textsIn as pageTextsIn } from "../server/features/customers/tracking-pages/texts/texts.ts"

const worker = new URL("../console/public/field-worker.js", import.meta.url)
/** One of each plural form of each language. */
const counts = [0, 1, 2, 3, 11, 100, 1_000_000]

type PushTexts = Readonly<Record<string, Readonly<Record<string, string | Readonly<Record<string, string>>>>>>

/**
 * Every text that the server and the push messages show, in every language. Types require the keys of the server's catalogues;
 * this compares what a text is filled with, and the push texts, which have no types.
 */
export async function checkServerLanguages(): Promise<string | undefined> {
  const problems = [...messageProblems(), ...pageProblems(), ...pushProblems(await pushTexts())]
  return problems.length > 0 ? problems.join("\n") : undefined
}

function messageProblems(): string[] {
  return languages.flatMap((language) =>
    triggerNames.flatMap((trigger) => {
      const [english, text] = [defaultText(trigger, "en"), defaultText(trigger, language)]
      const [wanted, found] = [fieldsOf(english), fieldsOf(text)]
      return wanted === found
        ? []
        : [`messages: ${trigger} has {${found}} in ${language}, {${wanted}} in English`]
    }),
  )
}

function fieldsOf({ subject, body }: { subject: string; body: string }): string {
  return [...`${subject}\n${body}`.matchAll(/\{\{([\w.]+)/g)]
    .map(([, name]) => name)
    .sort()
    .join(", ")
}

/** Texts that are empty, or that a count leaves unfilled. */
function pageProblems(): string[] {
  return languages.flatMap((language) =>
    Object.entries({
      page: pageTextsIn(language),
      form: requestTextsIn(language),
      report: reportTexts(language),
    }).flatMap(([catalogue, texts]) =>
      textsOf(texts).flatMap(([key, text]) =>
        text.trim() === "" || /#|undefined|NaN/.test(text)
          ? [`${catalogue}: ${key} in ${language}: "${text}"`]
          : [],
      ),
    ),
  )
}

function textsOf(texts: object): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[key, value]]
    if (typeof value === "function") return counts.map((count) => [key, String(value(count, count))])
    return textsOf(value as object).map(([inner, text]) => [`${key}.${inner}`, text])
  })
}

async function pushTexts(): Promise<PushTexts> {
  const literal = /const pushTexts = (\{.*?\n\})\n/s.exec(await readFile(worker, "utf8"))?.[1]
  if (literal === undefined) throw new Error("the push texts of field-worker.js were not found")
  return new Function(`return ${literal}`)() as PushTexts
}

function pushProblems(texts: PushTexts): string[] {
  const english = Object.keys(texts.en ?? {}).join()
  return languages.flatMap((language) => {
    const own = texts[language] ?? {}
    if (Object.keys(own).join() !== english) return [`push texts: ${language} lacks a text, or has others`]
    const rules = new Intl.PluralRules(language)
    return Object.entries(own).flatMap(([key, forms]) =>
      counts.some(
        (count) => count > 0 && typeof forms === "object" && !(forms[rules.select(count)] ?? forms.other),
      )
        ? [`push texts: ${key} lacks a plural form in ${language}`]
        : [],
    )
  })
}

if (import.meta.main) {
  const problems = await checkServerLanguages()
  process.stdout.write(`${problems ?? "complete"}\n`)
  process.exitCode = problems ? 1 : 0
}
