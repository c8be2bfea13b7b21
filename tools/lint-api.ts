import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectral from "@stoplight/spectral-core"
import rulesets from "@stoplight/spectral-rulesets"
import { describeApi } from "./generate-api.ts"

/**
 * Paths of the contract that differ only in the position of the id. The router prefers the fixed segment, and no id is
 * the word `schedule`.
 */
const acceptedAmbiguity = /`\/api\/v3\/task\/schedule\/\{scheduleId\}`/
/** Where a browser comes through: it is always sent on, with 302. */
const redirects = /^#\/paths\/~1api~1v3~1auth~1sso/

function isAccepted(ruleId: string, message: string, pointer: string): boolean {
  if (ruleId === "no-ambiguous-paths") return acceptedAmbiguity.test(message)
  return ruleId === "operation-2xx-response" && redirects.test(pointer)
}

/** Lints the OpenAPI document with the recommended rules of Redocly and Spectral. Returns what they found. */
export async function lintApi(): Promise<string | undefined> {
  const document = await describeApi()
  const findings = [...(await lintWithRedocly(document)), ...(await lintWithSpectral(document))]
  return findings.length > 0 ? findings.join("\n") : undefined
}

async function lintWithRedocly(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems
    .map(({ ruleId, message, location }) => ({ ruleId, message, pointer: location[0]?.pointer ?? "" }))
    .filter(({ ruleId, message, pointer }) => !isAccepted(ruleId, message, pointer))
    .map(({ ruleId, message, pointer }) => `${ruleId}: ${message} (${pointer})`)
}

async function lintWithSpectral(document: unknown): Promise<string[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset(new spectral.Ruleset({ extends: [rulesets.oas] }))
  const problems = await linter.run(document as Record<string, unknown>)
  return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`)
}
