import type { Page } from "playwright-core"

/** As a click on a link does: the router notices, and what stood there before goes away. */
export async function open(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    for (const element of document.querySelectorAll("#root *")) element.setAttribute("data-old", "")
    window.history.pushState({}, "", to)
  }, address)
  await page.waitForFunction(() => document.querySelector("#root *:not([data-old])") !== null)
  await settled(page)
}

interface RouterWindow {
  __TSR_ROUTER__: {
    state: { status: string; location: { href: string }; resolvedLocation?: { href: string } }
  }
}

/** Nothing loads any more, and a map has drawn what it was asked to draw. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { status, location, resolvedLocation } = (window as unknown as RouterWindow).__TSR_ROUTER__.state
    const maps = [...document.querySelectorAll(".map")]
    return (
      status === "idle" &&
      location.href === resolvedLocation?.href &&
      document.querySelector("h1, h2") !== null &&
      maps.every((map) => map.querySelector("[data-drawn]")) &&
      document.querySelector("[aria-busy=true], .mantine-Skeleton-root, .grid-skeleton") === null
    )
  })
}
