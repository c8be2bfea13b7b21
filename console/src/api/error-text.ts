import { defineMessages, type Translate } from "../i18n/messages.ts"
import { ApiError } from "./client.ts"

const messages = defineMessages("console.error", {
  unreachable: "The server cannot be reached. Check the network; nothing was changed.",
  notLoaded: "This part could not be loaded: the server cannot be reached, or it was upgraded.",
  tooMany: "Too many requests at once. Wait a moment and try again.",
  failed: "Something went wrong on the server. Nothing was changed; try again.",
  unknown: "Something went wrong: {reason}",
})
export const errorMessages = messages

/** What went wrong, in words for the person at the screen. The server's own sentence where it gave one. */
export function errorText(error: unknown, t: Translate<typeof messages>): string {
  if (isMissingPart(error)) return t("notLoaded")
  if (!(error instanceof ApiError))
    return t("unknown", { reason: error instanceof Error ? error.message : String(error) })
  if (error.status === 0) return t("unreachable")
  if (error.status === 429) return t("tooMany")
  if (error.status >= 500 && error.status !== 503) return t("failed")
  return error.message
}

/** A script or style of the console could not be fetched. Each browser words this differently. */
export function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|module script failed|preload CSS/i.test(error.message)
  )
}
