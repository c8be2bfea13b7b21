import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { formInFrame } from "./framed-form.ts"
import { moveInCalendar, moveOnBoard, saveGrouping, useKeyboard, useToken } from "./hands.ts"
import { fillUp, manyRows, scrollThrough } from "./long-lists.ts"
import { fieldPages, mapPages, plainPages, plannersPages, publicPages } from "./pages.ts"
import { sampleOperation } from "./sample/operation.ts"
import {
  aPage,
  desktopSize as desktop,
  enterAs,
  openStage,
  type Person,
  phoneSize as phone,
} from "./stage.ts"
import { open, settled } from "./visit.ts"

/**
 * Every page, opened by an owner, a field user and without a session, on a desktop and on a phone, light and dark; a long run
 * adds a planner and all pages in the other theme.
 */
const stage = await openStage()
const sample = await sampleOperation(stage)
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const isLong = process.env.FIELDWAY_LONG !== undefined
const allRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
const colourRules = ["color-contrast"]

interface Visitor {
  who: string
  /** Without one there is no session. */
  person?: Person
  theme: "light" | "dark"
  /** At which size axe looks at what the visitor sees; a long run looks at both. */
  looksAt: typeof desktop
  /** What axe looks for: all of WCAG 2.2 AA, or the colours alone, of which alone another theme has others. */
  rules?: typeof allRules | typeof colourRules
  /** At which other size pages have to fit, too. */
  fitsAt?: typeof desktop
}

test("every page works, fits and is accessible, for an owner by day and a field user by night", async () => {
  const everything = { ...plainPages(sample), ...fieldPages(sample) }
  const { owner } = stage
  const found = await Promise.all([
    visit({ who: "owner", person: owner, theme: "light", looksAt: desktop, fitsAt: phone }, everything),
    visit({ who: "field user", person: sample.fieldUser, theme: "dark", looksAt: phone }, everything).then(
      async (defects) => [
        ...defects,
        ...(await visit({ who: "nobody", theme: "light", looksAt: desktop }, publicPages(sample))),
      ],
    ),
  ])
  assert.deepEqual(found.flat(), [])
})

test("the other theme has colours that can be read, and planners are offered what they may do", {
  skip: !isLong,
}, async () => {
  const everything = { ...plainPages(sample), ...fieldPages(sample) }
  const dark = { theme: "dark", rules: colourRules } as const
  const found = [
    await visit({ who: "owner", person: stage.owner, looksAt: phone, ...dark }, everything),
    await visit({ who: "planner", person: sample.planner, theme: "dark", looksAt: desktop }, plannersPages),
    await visit({ who: "nobody", looksAt: phone, ...dark }, publicPages(sample)),
  ]
  assert.deepEqual(found.flat(), [])
})

test("pages with a map are accessible", async () => {
  const maps = mapPages(sample)
  const shown = isLong ? maps : pick(maps, ["tasks-map", "tracking"])
  assert.deepEqual(
    await visit({ who: "owner", person: stage.owner, theme: "dark", looksAt: desktop }, shown),
    [],
  )
})

test("the keyboard reaches everything, a card goes where it is dropped, and a saved view groups as it did", async () => {
  const page = await ownersPage("/vehicles")
  await useKeyboard(page)
  await open(page, "/tasks?view=board")
  await moveOnBoard(page)
  await open(page, "/people")
  await saveGrouping(page)
  await page.context().close()
})

test("a token has the permissions that were ticked, until it is revoked", { skip: !isLong }, async () => {
  const page = await ownersPage("/settings/tokens")
  assert.deepEqual(await useToken(page, stage.address), { hubs: 200, tasks: 403, revoked: 401 })
  await page.context().close()
})

test("a task of the calendar goes where it is dropped, or where keys send it", {
  skip: !isLong,
}, async () => {
  const page = await ownersPage("/tasks?view=calendar")
  await moveInCalendar(page)
  await page.context().close()
})

test("lists of ten thousand rows scroll past at once, and only their rows in sight exist", {
  skip: !isLong,
}, async (context) => {
  await fillUp(stage, sample.dataTypeId)
  const page = await ownersPage("/tasks")
  for (const address of ["/tasks", `/data/${sample.dataTypeId}`]) {
    await open(page, address)
    await page.locator(`[role=grid][aria-rowcount="${manyRows + 1}"]`).waitFor()
    const scrolled = await scrollThrough(stage.browser, page)
    context.diagnostic(`${address}: ${JSON.stringify(scrolled)}`)
    assert.ok(scrolled.pieces > 1_000, "the page's work was seen")
    // A screen and a half for each frame is faster than people scroll.
    assert.ok(scrolled.longPieces < scrolled.frames / 20, JSON.stringify(scrolled))
    assert.ok(scrolled.maxRows < 80 && scrolled.maxElements < 5_000, JSON.stringify(scrolled))
  }
  await page.context().close()
})

test("a request form is filled inside the page of another site, and on no site that it does not list", async () => {
  const { shown, requests, cookies, refusedInShop, refusedElsewhere, elsewhere } = await formInFrame(stage)
  assert.deepEqual([shown, requests, cookies, refusedInShop], ["We have received your request", 1, [], []])
  assert.ok(refusedElsewhere > 0 && !elsewhere.includes("Name"), elsewhere)
})

test("the console is read in the browser's language before signing in, in the account's afterwards", async () => {
  const { context, page } = await aPage(stage, { locale: "fr-CA" })
  await page.goto(`${stage.address}/sign-in`)
  await page.getByRole("button", { name: "Se connecter", exact: true }).waitFor()
  const { email, password } = stage.owner
  const token = await stage.tokenOf(email, password)
  await stage.call(token, "PATCH", "/user", { language: "ar" })
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Mot de passe", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Se connecter", exact: true }).click()
  await page.locator("html[lang=ar][dir=rtl]").waitFor()
  await stage.call(token, "PATCH", "/user", { language: "en" })
  await page.reload()
  await page.locator("html[lang=en][dir=ltr]").waitFor()
  await context.close()
})

async function ownersPage(address: string): Promise<Page> {
  const { context, page } = await aPage(stage, { reducedMotion: "no-preference" })
  await enterAs(context, stage, stage.owner)
  await page.goto(stage.address + address)
  await settled(page)
  return page
}

function pick(pages: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(pages).filter(([name]) => names.includes(name)))
}

/** Goes through the pages as a person does, without reloading the console; reports the problems of each. */
async function visit(visitor: Visitor, pages: Readonly<Record<string, string>>): Promise<string[]> {
  const { who, person, theme, looksAt, fitsAt, rules = allRules } = visitor
  const defects: string[] = []
  const seen = new Set<string>()
  const { context, page } = await aPage(stage, { viewport: looksAt, colorScheme: theme })
  let name = ""
  page.on("pageerror", (error) => defects.push(`${who}, ${name}: ${error}`))
  if (person) await enterAs(context, stage, person)
  await page.goto(stage.address + (person ? "/settings/outbox" : "/none"))
  await settled(page)
  await page.evaluate(axe)
  for (const [pageName, address] of Object.entries(pages)) {
    name = pageName
    await open(page, address).catch((error: unknown) => {
      defects.push(`${who}, ${name}: did not open: ${String(error)}`)
    })
    for (const size of isLong ? [desktop, phone] : [looksAt, ...(fitsAt ? [fitsAt] : [])]) {
      await page.setViewportSize(size)
      const where = `${who}, ${name}, ${size.width} px`
      const overflow = await overflowOf(page)
      if (overflow > 0) defects.push(`${where}: ${overflow} px too wide`)
      if (!isLong && size !== looksAt) continue
      // The same elements in the same colours at the same size have the same problems: most pages that a role
      // may not open are built alike, and so is what is empty.
      const shape = await page.evaluate(shapeOfPage)
      if (!isLong && seen.has(`${size.width} ${shape}`)) continue
      seen.add(`${size.width} ${shape}`)
      // A page may still be changing as its responses arrive: a real problem occurs twice.
      const isClean = (await seriousProblems(page, rules)).length === 0
      const problems = isClean ? [] : await seriousProblems(page, rules)
      for (const problem of problems) defects.push(`${where}: ${problem}`)
    }
    if (fitsAt) await page.setViewportSize(looksAt)
  }
  await context.close()
  return defects
}

/** The elements of the page with everything but the words: which words there are changes no rule, whether there are does. */
function shapeOfPage(): string {
  const shapeOf = (element: Element): string => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      /^(id|for|href|src|title|alt|value|placeholder|aria-(label|labelledby|describedby|controls))$/.test(
        name,
      )
        ? `${name}${value === "" ? "=" : ""}`
        : `${name}=${value.replaceAll(/__m__-\S+/g, "")}`,
    )
    const inside = [...element.childNodes].map((node) =>
      node instanceof Element ? shapeOf(node) : node.textContent?.trim() ? "words" : "",
    )
    return `<${element.localName} ${attributes.join(" ")}>${inside.join("")}`
  }
  return shapeOf(document.body)
}

const layoutMilliseconds = 2_000

/** Pixels by which a page is too wide once it has laid itself out for a new size, which may take it some frames. */
async function overflowOf(page: Page): Promise<number> {
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  await page
    .waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      undefined,
      { timeout: layoutMilliseconds },
    )
    .catch(() => undefined)
  return page.evaluate(overflow)
}

interface AxeWindow {
  axe: {
    run(
      context: Document,
      options: object,
    ): Promise<{
      violations: { id: string; impact: string; nodes: { html: string; failureSummary?: string }[] }[]
    }>
  }
}

/** What axe calls serious or critical of WCAG 2.2 AA, with the first element that has it. */
async function seriousProblems(page: Page, rules: readonly string[]): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { violations } = await (window as unknown as AxeWindow).axe.run(document, {
      runOnly,
      resultTypes: ["violations"],
    })
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes: [first, ...others] }) =>
          `${id}: ${first?.html.slice(0, 160)} and ${others.length} more; ${first?.failureSummary?.replaceAll(/\s+/g, " ")}`,
      )
  }, rules)
}
