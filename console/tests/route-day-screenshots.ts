import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { walkRouteDay } from "./route-day.ts"
import { aPage, startStage } from "./stage.ts"

/** `node console/tests/route-day-screenshots.ts [visits] [vans]`: the day of a depot, photographed at every step. */
const [visits = 300, vans = 14] = process.argv.slice(2).map(Number)
const folder = fileURLToPath(new URL("../../screenshots/routes/", import.meta.url))
const sizes = { desktop: [1440, 900], tablet: [834, 1112], phone: [390, 844] } as const
const schemes = ["light", "dark"] as const

await mkdir(folder, { recursive: true })
const stage = await startStage()
const complaints = new Set<string>()
let isWalked = false
try {
  const { page } = await aPage(stage, { viewport: { width: sizes.desktop[0], height: sizes.desktop[1] } })
  page.setDefaultTimeout(60_000)
  page.on("pageerror", (error) => complaints.add(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") complaints.add(message.text())
  })
  await walkRouteDay({
    stage,
    page,
    options: { visits, vans },
    looksAtMap: true,
    see: (name) => shoot(page, name),
  })
  isWalked = true
} catch (error) {
  complaints.add(String(error))
} finally {
  await stage.close()
}
for (const complaint of complaints) process.stdout.write(`${complaint}\n`)
process.exit(isWalked ? 0 : 1)

/** Every size and theme of the current page. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    for (const [size, [width, height]] of Object.entries(sizes)) {
      // What passes by is seen once.
      if (name === "planning" && (size !== "desktop" || colorScheme === "dark")) continue
      await page.setViewportSize({ width, height })
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))),
      )
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${size}.png`) })
    }
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: sizes.desktop[0], height: sizes.desktop[1] })
  process.stdout.write(`${name}\n`)
}
