import assert from "node:assert/strict"
import { test } from "node:test"
import { openBrowser } from "./browser.ts"
import { walkRouteDay } from "./route-day.ts"
import { startForBrowser } from "./started-fieldway.ts"

test("a day is planned, adjusted by dragging, dispatched, driven and compared in the console", async () => {
  const [fieldway, browser] = await Promise.all([startForBrowser(), openBrowser()])
  try {
    const context = await browser.newContext({
      locale: "en-GB",
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
    })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const troubles: string[] = []
    page.on("pageerror", (error) => troubles.push(String(error)))
    let seen = "sign-in"
    const see = async (name: string) => {
      seen = name
    }
    const options = { visits: 12, vans: 2 }
    await walkRouteDay({ fieldway, page, options, looksAtMap: false, see }).catch(async (error: unknown) => {
      const shown = await page.locator("body").innerText({ timeout: 5_000 }).catch(String)
      throw new Error(`after ${seen} the page showed\n${shown}`, { cause: error })
    })
    assert.deepEqual(troubles, [], "nothing was thrown on any page")
  } finally {
    await browser.close()
    await fieldway.close()
  }
})
