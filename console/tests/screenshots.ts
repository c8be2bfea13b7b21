import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { demoApi } from "../../server/demo/api.ts"
import { installMap } from "../../server/demo/city.ts"
import { fieldPages, mapPages, plainPages, publicPages } from "./pages.ts"
import { sampleOperation } from "./sample/operation.ts"
import { scenes } from "./scenes.ts"
import { aPage, enterAs, startStage } from "./stage.ts"
import { open, settled } from "./visit.ts"

/**
 * `npm run screenshots [page | size | theme …]`: every page, light and dark, on a desktop, a tablet and a phone,
 * into screenshots/. Reports what the browser's console complained about and what did not open.
 */
const folder = fileURLToPath(new URL("../../screenshots/", import.meta.url))
const sizes = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const
const themes = ["light", "dark"] as const

const words = process.argv.slice(2)
const sizeNames = Object.keys(sizes) as (keyof typeof sizes)[]
const names = words.filter((word) => ![...sizeNames, ...themes].some((known) => known === word))
const isWanted = (name: string) => names.length === 0 || names.includes(name)
/** Those that were named, or all when none was. */
const chosen = <Name extends string>(known: readonly Name[]) =>
  known.some((name) => words.includes(name)) ? known.filter((name) => words.includes(name)) : known

await mkdir(folder, { recursive: true })
const stage = await startStage()
const complaints = new Set<string>()
try {
  await installMap(demoApi(stage.address, await stage.tokenOf(stage.owner.email, stage.owner.password)))
  const sample = await sampleOperation(stage)
  for (const theme of chosen(themes))
    for (const size of chosen(sizeNames)) {
      const { context, page } = await aPage(stage, {
        viewport: sizes[size],
        colorScheme: theme,
        timezoneId: "America/Montevideo",
      })
      complainOf(page)
      const shoot = async (name: string, show: () => Promise<void>) => {
        if (!isWanted(name)) return
        await show().catch((error: unknown) => complaints.add(`${name} ${theme} ${size}: ${String(error)}`))
        await page.screenshot({ path: join(folder, `${name}-${theme}-${size}.png`), timeout: 60_000 })
        process.stdout.write(`${name} ${theme} ${size}\n`)
      }
      const arrive = async (address: string) => {
        await page.goto(stage.address + address)
        await settled(page)
      }
      for (const [name, address] of Object.entries(publicPages(sample)))
        await shoot(name, () => arrive(address))
      await shoot("one-time-code", async () => {
        const response = await context.request.post(`${stage.address}/api/v3/login`, {
          data: sample.nightDesk,
        })
        const { data } = (await response.json()) as { data: { id: string } }
        await arrive(`/sign-in?challenge=${data.id}`)
      })
      await enterAs(context, stage, stage.owner)
      await arrive("/settings/outbox")
      for (const [name, address] of Object.entries({ ...plainPages(sample), ...mapPages(sample) }))
        await shoot(name, () => open(page, address))
      for (const [name, { address, act }] of Object.entries(scenes(sample)))
        await shoot(name, async () => {
          await arrive(address)
          await act(page)
          await settled(page)
        })
      await context.clearCookies()
      await enterAs(context, stage, sample.fieldUser)
      for (const [name, address] of Object.entries(fieldPages(sample)))
        await shoot(name, () => arrive(address))
      await context.close()
    }
} finally {
  await stage.close()
}
for (const complaint of complaints) process.stdout.write(`trouble: ${complaint}\n`)
process.exit(complaints.size > 0 ? 1 : 0)

function complainOf(page: Page): void {
  page.on("pageerror", (error) => complaints.add(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") complaints.add(message.text())
  })
}
