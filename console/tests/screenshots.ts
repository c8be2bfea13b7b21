import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { BrowserContext, Page } from "playwright-core"
import { openBrowser } from "./browser.ts"
import { mapPages, plainPages, publicPages } from "./pages.ts"
import { type SampleOperation, sampleOperation } from "./sample-operation.ts"
import { startForBrowser } from "./started-fieldway.ts"

/**
 * `npm run screenshots [page …]`: every page, light and dark, on a desktop and a phone, into screenshots/.
 * Reports what the browser's console complained about.
 */
const folder = fileURLToPath(new URL("../../screenshots/", import.meta.url))
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const schemes = ["light", "dark"] as const

const pagesOf = (sample: SampleOperation) => ({ ...plainPages(sample), ...mapPages(sample) })

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
await mkdir(folder, { recursive: true })
const [fieldway, browser] = await Promise.all([startForBrowser(), openBrowser()])
const complaints = new Set<string>()
try {
  const sample = await sampleOperation(fieldway)
  for (const scheme of schemes) {
    for (const [size, viewport] of Object.entries(sizes)) {
      const context = await browser.newContext({ viewport, colorScheme: scheme, locale: "en-GB" })
      const page = await open(context)
      const shoot = async (name: string) => {
        await page.screenshot({ path: join(folder, `${name}-${scheme}-${size}.png`), timeout: 60_000 })
        process.stdout.write(`${name} ${scheme} ${size}\n`)
      }
      for (const [name, address] of Object.entries(publicPages)) {
        if (!isWanted(name)) continue
        await page.goto(fieldway.address + address)
        await settled(page)
        await shoot(name)
      }
      await page.goto(`${fieldway.address}/sign-in`)
      await page.getByLabel("E-mail").fill(fieldway.owner.email)
      await page.getByLabel("Password", { exact: true }).fill(fieldway.owner.password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("heading", { level: 1 }).filter({ hasText: "Today" }).waitFor()
      for (const [name, address] of Object.entries(pagesOf(sample))) {
        if (!isWanted(name)) continue
        await page.goto(fieldway.address + address)
        await settled(page)
        await shoot(name)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await fieldway.close()
}
for (const complaint of complaints) process.stdout.write(`the browser says: ${complaint}\n`)
process.exit(0)

async function open(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  page.on("pageerror", (error) => complaints.add(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") complaints.add(message.text())
  })
  return page
}

/** Nothing loads any more, and a map has drawn what it was asked to draw. */
async function settled(page: Page): Promise<void> {
  await page.locator("h1, h2").first().waitFor()
  await page.waitForFunction(() => {
    const maps = [...document.querySelectorAll(".map")]
    const isDrawn = maps.every((map) => map.querySelector("[data-drawn]"))
    return (
      isDrawn && document.querySelector("[aria-busy=true], .mantine-Skeleton-root, .grid-skeleton") === null
    )
  })
}
