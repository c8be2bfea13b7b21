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
    const problem = "must be a single line without control characters"
    throw new AppError(400, `${module}-016`, `${field} ${problem}`, { fields: { [field]: [problem] } })
  }
  if (line.replace(/[\p{Cf}\s]/gu, "") === "")
    throw new AppError(400, `${module}-001`, `${field} is required`, { fields: { [field]: ["is required"] } })
  return line
}

const knownDomains =
  "com|net|org|info|biz|io|co|app|dev|xyz|online|site|top|shop|link|click|live|me|ly|id|ru|cn|de|uk|us|eu"
const links = /\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,20}\//iu
const domains = new RegExp(`[\\p{L}\\p{N}-]{2}\\.(?:${knownDomains})(?![\\p{L}\\p{N}])`, "iu")

/**
 * The name of a person or an organization: a line without a link. Mails carry these names to people who may not know
 * who chose them, and mail programs make whatever looks like an address one to click. Organizations may be called
 * after a domain; people may not.
 */
export function readName(text: string, module: "user" | "org", field: string): string {
  const name = readLine(text, module, field)
  if (links.test(name) || (module === "user" && domains.test(name))) {
    const problem = "must be a name that does not contain a web address"
    throw new AppError(400, `${module}-016`, `${field} ${problem}`, { fields: { [field]: [problem] } })
  }
  return name
}

/** What a stranger wrote, on any number of lines: without control characters, embeddings and halves of characters. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(directionControls, "")
    .replace(/[^\P{Cc}\n]/gu, "")
    .trim()
}
