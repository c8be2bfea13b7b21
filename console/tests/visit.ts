import type { Page } from "playwright-core"

interface RouterWindow {
  __TSR_ROUTER__: {
    state: { status: string; location: { href: string }; resolvedLocation?: { href: string } }
  }
}

/** As a click on a link does: the console goes to another page without reloading. */
export async function open(page: Page, address: string): Promise<void> {
  const before = await page.evaluate((to) => {
    const { location } = (window as unknown as RouterWindow).__TSR_ROUTER__.state
    window.history.pushState({}, "", to)
    return location.href
  }, address)
  if (before !== address)
    await page.waitForFunction((left) => {
      const { status, location, resolvedLocation } = (window as unknown as RouterWindow).__TSR_ROUTER__.state
      return status === "idle" && location.href !== left && resolvedLocation?.href === location.href
    }, before)
  await settled(page)
}

/** Loading has ended, and maps have rendered. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const maps = [...document.querySelectorAll(".map")]
    return (
      document.querySelector("h1, h2") !== null &&
      maps.every((map) => map.querySelector("[data-drawn]")) &&
      document.querySelector("[aria-busy=true], .mantine-Skeleton-root, .grid-skeleton") === null
    )
  })
}
