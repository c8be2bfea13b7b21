import type { Translate } from "../../../i18n/messages.ts"
import type { automationMessages } from "./messages.ts"

/** Where a try went: another system by its address, what happened here in words instead of an address with an id. */
export function targetText(url: string, t: Translate<typeof automationMessages>): string {
  const here = /^\/api\/v3\/(\w+)/.exec(url)?.[1]
  if (here === undefined) return url
  return here === "data" ? t("recordHere") : t("taskHere")
}
