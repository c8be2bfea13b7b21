import type { Narrowing } from "#core/access/narrowing.ts"
import type { Pool } from "#core/database/database.ts"
import { isId } from "#core/ids.ts"
import { pluginErrors } from "./errors.ts"
import { listRunningPlugins } from "./installations.ts"

/**
 * The console reads for a plugin with its own session and the header `X-Fieldway-Plugin`. The database is asked
 * each time, so that a plugin that was switched off reads nothing from that moment on.
 */
export function pluginNarrowing(sql: Pool): Narrowing {
  return {
    header: "x-fieldway-plugin",
    async grantedTo(caller, name) {
      if (!isId(name)) return undefined
      const [plugin] = await listRunningPlugins(sql, caller.organizationId, name.toLowerCase())
      return plugin?.grantedPermissions
    },
    refusal: (message) => pluginErrors.notGranted({ message }),
  }
}
