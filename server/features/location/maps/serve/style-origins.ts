import type { Config } from "#core/config.ts"

/** Origins from which the operator's own style loads, for the policies of pages with maps. */
export function styleOrigins({ mapStyleUrl, mapOrigins }: Config): string[] {
  return mapStyleUrl ? [new URL(mapStyleUrl).origin, ...mapOrigins] : []
}
