import { stripTypeScriptTypes } from "node:module"
import { Script } from "node:vm"
import { SaxesParser } from "saxes"
import type { FormFile } from "#core/http/read-form.ts"
import { pluginErrors } from "./errors.ts"

export const maxScriptBytes = 5 * 1024 * 1024
const maxIconBytes = 500 * 1024

/** Types first, then sizes: each has its own status. What the files hold is for `inspectFiles`. */
export function checkTypes(script: FormFile, icon: FormFile | undefined): void {
  if (!/\.js$/i.test(script.filename))
    throw pluginErrors.badType({ fields: { resourceFile: ["must be .js"] } })
  if (icon && !/\.svg$/i.test(icon.filename))
    throw pluginErrors.badType({ fields: { icon: ["must be .svg"] } })
  if (script.isTruncated) throw pluginErrors.tooLarge({ fields: { resourceFile: ["must be at most 5 MB"] } })
  if (!icon) return
  if (icon.isTruncated || icon.content.length > maxIconBytes)
    throw pluginErrors.tooLarge({ fields: { icon: ["must be at most 500 KB"] } })
}

/** Whether it runs in a plain script tag; otherwise it is a module. */
export function parsesAsScript(text: string): boolean {
  try {
    new Script(text)
    return true
  } catch {
    return false
  }
}

/**
 * Node's own parser takes types too and blanks them out: what comes back unchanged had none. Deeply nested text
 * breaks the parser for the rest of its thread's life: then this throws, and the thread must end.
 */
export function parsesAsModule(text: string): boolean {
  try {
    return stripTypeScriptTypes(text) === text
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === "ERR_INVALID_TYPESCRIPT_SYNTAX" || code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") return false
    throw error
  }
}

const badElements = new Set([
  "script",
  "foreignobject",
  "iframe",
  "embed",
  "object",
  "handler",
  "set",
  "animate",
])

/** A picture alone: no script, no handlers, nothing from elsewhere, no document type with entities. */
export function isHarmlessSvg(text: string): boolean {
  let root: string | undefined
  let isBad = false
  const parser = new SaxesParser({ xmlns: false })
  parser.on("error", () => {
    isBad = true
  })
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) isBad = true
  })
  parser.on("opentag", ({ name, attributes }) => {
    const local = (name.split(":").at(-1) ?? name).toLowerCase()
    root ??= local
    if (badElements.has(local)) isBad = true
    for (const [attribute, value] of Object.entries(attributes)) {
      const plain = String(value).replace(/[\s\p{Cc}]/gu, "")
      const lower = (attribute.split(":").at(-1) ?? attribute).toLowerCase()
      if (lower.startsWith("on")) isBad = true
      if (lower === "href" && !/^(#|data:image\/(png|jpeg);)/i.test(plain)) isBad = true
      if (/javascript:|url\((?!['"]?#)/i.test(plain)) isBad = true
    }
  })
  parser.on("text", (content) => {
    if (/@import|url\(\s*['"]?(?!#)[a-z/]/i.test(content)) isBad = true
  })
  try {
    parser.write(text).close()
  } catch {
    return false
  }
  return !isBad && root === "svg"
}
