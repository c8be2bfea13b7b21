import { createRouter, parseSearchWith, stringifySearchWith } from "@tanstack/react-router"
import { pagesBeforeSignIn } from "./pages/before-sign-in.tsx"
import { connectPages } from "./pages/connect.tsx"
import { fieldPages } from "./pages/field.tsx"
import { root } from "./pages/root.tsx"
import { setUpPages } from "./pages/set-up.tsx"
import { settingsPages } from "./pages/settings.tsx"
import { signedIn } from "./pages/signed-in.tsx"
import { workPages } from "./pages/work.tsx"

/** Every page: `pages/` maps addresses to pages, `paths.ts` defines the addresses. */
const routeTree = root.addChildren([
  ...pagesBeforeSignIn,
  fieldPages,
  signedIn.addChildren([...workPages, ...setUpPages, ...connectPages, ...settingsPages]),
])

/** A long code of digits in a link is a text: as a number it would lose its last digits. */
function readSearchValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === "number" && String(value) !== text) throw new SyntaxError("not a plain number")
  return value
}

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  // The query cache decides what is still fresh.
  defaultPreloadStaleTime: 0,
  // The current page stays until the loader of the next one is done. A pending component, once shown, sometimes never
  // gave way to the page: 8 of 86 navigations with responses delayed by 0 to 700 ms.
  defaultPendingMs: Number.POSITIVE_INFINITY,
  scrollRestoration: true,
  parseSearch: parseSearchWith(readSearchValue),
  stringifySearch: stringifySearchWith(JSON.stringify, readSearchValue),
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
