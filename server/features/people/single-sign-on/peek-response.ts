import { SaxesParser } from "saxes"
import { SignInRefused } from "./refusal.ts"
import { isEmail } from "./saml.ts"

/** What a response claims, before anything of it is verified: enough to know whose certificate to verify it with. */
export interface Claimed {
  inResponseTo: string | undefined
  emails: string[]
}

export const maxResponseBytes = 256 * 1024
const maxEmails = 5
/** A response has about ten levels. The parser looks up each name in all elements around it: 20,000 levels took seconds. */
const maxDepth = 100
const weakAlgorithms = [
  "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
  "http://www.w3.org/2000/09/xmldsig#dsa-sha1",
  "http://www.w3.org/2000/09/xmldsig#sha1",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
]

/** Refuses what no directory sends: no XML, a document type (entities), a signature that can be forged. */
export function peekResponse(samlResponse: string): Claimed {
  const xml = Buffer.from(samlResponse, "base64").toString("utf8")
  const claimed: Claimed = { inResponseTo: undefined, emails: [] }
  const parser = new SaxesParser({ xmlns: true })
  let text = ""
  let depth = 0
  parser.on("doctype", () => {
    throw new SignInRefused("failed", "the response has a document type")
  })
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ local, attributes }) => {
    text = ""
    depth += 1
    if (depth > maxDepth) throw new SignInRefused("failed", "the response is nested too deeply")
    const { InResponseTo: answered, Algorithm: algorithm } = attributes
    if (answered?.value && ["Response", "SubjectConfirmationData"].includes(local))
      claimed.inResponseTo ??= answered.value
    if (algorithm && weakAlgorithms.includes(algorithm.value))
      throw new SignInRefused(
        "failed",
        "the response is signed with SHA-1 or MD5: choose SHA-256 in the directory",
      )
  })
  parser.on("text", (part) => {
    text += part
  })
  parser.on("closetag", ({ local }) => {
    depth -= 1
    const value = text.trim().toLowerCase()
    text = ""
    if (!["NameID", "AttributeValue"].includes(local) || !isEmail(value)) return
    if (claimed.emails.length < maxEmails && !claimed.emails.includes(value)) claimed.emails.push(value)
  })
  try {
    parser.write(xml).close()
  } catch (cause) {
    if (cause instanceof SignInRefused) throw cause
    throw new SignInRefused("failed", "the response is not XML", cause)
  }
  return claimed
}
