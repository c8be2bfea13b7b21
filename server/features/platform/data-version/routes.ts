import { Type } from "typebox"
import type { Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { type Id, isId } from "#core/ids.ts"
import { toT7 } from "#shared/wire-time.ts"
import { hasAccessToHub } from "../../organization/hubs/index.ts"

/** When something of a kind last changed in a hub; nothing when it did not within the last three days. */
export type LastChange = (
  sql: Sql,
  organizationId: Id<"organization">,
  hubId: string,
) => Promise<Temporal.Instant | null | undefined>

/** `GET /data-version?key=<module>_<hubId>`: what clients poll to learn whether their copy is old. */
export function dataVersionRoutes(app: App, modules: Readonly<Record<string, LastChange>>): void {
  app.get("/data-version", {
    config: { signedIn: true, scopedToken: ["view/task", "view/data", "view/result"] },
    schema: {
      operationId: "getDataVersion",
      summary: "Get when the tasks, data or routing results of a hub last changed",
      description: "Returns the current time if nothing changed within the last three days.",
      querystring: Type.Object({
        key: Type.String({
          description: `<module>_<hubId>, where module is one of ${Object.keys(modules).join(", ")}`,
        }),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.String({ description: "Unix seconds" }),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const [module = "", hubId] = query.key.split("_")
      const lastChange = Object.hasOwn(modules, module) ? modules[module] : undefined
      if (!lastChange || !isId(hubId) || !(await hasAccessToHub(sql, caller, hubId)))
        throw new AppError(404, "dver-033", "This data version does not exist. Use the key <module>_<hubId>")
      const changed = await lastChange(sql, caller.organizationId, hubId.toLowerCase())
      return { status: true as const, data: toT7(changed ?? app.clock.now()) }
    },
  })
}
