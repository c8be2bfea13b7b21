import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { after, before, test } from "node:test"
import type { Browser, Page } from "playwright-core"
import { openBrowser } from "./browser.ts"
import { plainPages, publicPages } from "./pages.ts"
import { type SampleOperation, sampleOperation } from "./sample-operation.ts"
import { type StartedFieldway, startForBrowser } from "./started-fieldway.ts"

/** Every page without a map, opened by an owner, a field user and nobody, on a desktop and on a phone. */
let fieldway: StartedFieldway
let browser: Browser
let sample: SampleOperation
let axe: string

const isLong = process.env.FIELDWAY_LONG !== undefined
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

before(async () => {
  ;[fieldway, browser, axe] = await Promise.all([
    startForBrowser(),
    openBrowser(),
    readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
  ])
  sample = await sampleOperation(fieldway)
})

after(async () => {
  await browser?.close()
  await fieldway?.close()
})

interface Person {
  email: string
  password: string
}

test("every page works, fits and is accessible for an owner, a field user and before sign-in", async () => {
  const everything = plainPages(sample)
  const found = await Promise.all([
    visit("owner", fieldway.owner, everything),
    visit("field user", sample.fieldUser, everything).then(async (defects) => [
      ...defects,
      ...(await visit("nobody", undefined, publicPages(sample))),
    ]),
  ])
  assert.deepEqual(found.flat(), [])
})

/** Goes through the pages as a person does, without loading the console anew; tells what is wrong with each. */
async function visit(
  who: string,
  person: Person | undefined,
  pages: Readonly<Record<string, string>>,
): Promise<string[]> {
  const defects: string[] = []
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: sizes[0] ?? null,
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  let name = ""
  page.on("pageerror", (error) => defects.push(`${who}, ${name}: ${error}`))
  if (person) {
    const headers = { "x-fieldway-console": "1", origin: fieldway.address }
    const answer = await context.request.post(`${fieldway.address}/api/v3/login`, { data: person, headers })
    assert.equal(answer.status(), 200)
  }
  await page.goto(fieldway.address + (person ? "/settings/outbox" : "/none"))
  await settled(page)
  await page.evaluate(axe)
  for (const [pageName, address] of Object.entries(pages)) {
    name = pageName
    await open(page, address).catch((error: unknown) => {
      defects.push(`${who}, ${name}: did not open: ${String(error)}`)
    })
    for (const size of sizes) {
      await page.setViewportSize(size)
      const where = `${who}, ${name}, ${size.width} px`
      const overflow = await overflowOf(page)
      if (overflow > 0) defects.push(`${where}: ${overflow} px too wide`)
      // The owner's pages are looked at on the desktop, the field user's on the phone; a long run does both.
      const isLookedAt = isLong || (who === "owner") === (size === sizes[0]) || who === "nobody"
      if (!isLookedAt) continue
      // A page may still be changing as its answers come: what is wrong is wrong a second time.
      const isClean = (await seriousProblems(page)).length === 0
      const problems = isClean ? [] : await seriousProblems(page)
      for (const problem of problems) defects.push(`${where}: ${problem}`)
    }
    await page.setViewportSize(sizes[0] ?? { width: 1280, height: 800 })
  }
  await context.close()
  return defects
}

/** As a click on a link does: the router notices, and what stood there before goes away. */
async function open(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    for (const element of document.querySelectorAll("#root *")) element.setAttribute("data-old", "")
    window.history.pushState({}, "", to)
  }, address)
  await page.waitForFunction(() => document.querySelector("#root *:not([data-old])") !== null)
  await settled(page)
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("h1, h2") !== null &&
      document.querySelector("[aria-busy=true], .mantine-Skeleton-root, .grid-skeleton") === null,
  )
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
    ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
  }
}

/** What axe calls serious or critical of WCAG 2.2 AA, with the first element that has it. */
async function seriousProblems(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as AxeWindow).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"],
    })
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} (${nodes.length})`)
  })
}
