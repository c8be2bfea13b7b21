import { AppError } from "./errors.ts"

/** Embeddings, overrides and isolates make a line read otherwise than it is; marks of direction are fine. */
const directionControls = /[\u202A-\u202E\u2066-\u2069]/gu

/**
 * A one-line text that people gave something: Unicode form NFC, no outer spaces, nothing that changes the
 * direction of the text around it. Refuses control characters, halves of characters (lone surrogates, which no
 * database keeps) and what is empty then, with the module's code.
 */
export function readLine(text: string, module: string, field: string): string {
  const line = text.normalize("NFC").replace(directionControls, "").trim()
  if (!line.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) {
    const problem = "must be one line without control characters"
    throw new AppError(400, `${module}-016`, `${field} ${problem}`, { fields: { [field]: [problem] } })
  }
  if (line.replace(/[\p{Cf}\s]/gu, "") === "")
    throw new AppError(400, `${module}-001`, `${field} is required`, { fields: { [field]: ["is required"] } })
  return line
}
