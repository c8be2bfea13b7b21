import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { readPreferences, writePreference } from "./queries.ts"

const Preferences = Type.Record(Type.String(), Type.Unknown(), { title: "Preferences" })

/** How the caller has set up the console. Nobody else reads or changes it. */
export function preferenceRoutes(app: App): void {
  app.get("/user/preferences", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "getPreferences",
      summary: "Get how the caller has set up the console",
      response: { 200: Type.Object({ status: Type.Literal(true), data: Preferences }) },
    },
    handler: async ({ sql, caller }) => ({ status: true as const, data: await readPreferences(sql, caller) }),
  })

  app.put("/user/preferences", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "setPreference",
      summary: "Set one of the caller's preferences",
      body: Type.Object(
        {
          name: Type.String({ pattern: "^[a-z][a-z0-9-]{0,59}$", examples: ["dispatch-layout"] }),
          value: Type.Record(Type.String(), Type.Unknown()),
        },
        { title: "PreferenceInput" },
      ),
      response: { 200: Type.Object({ status: Type.Literal(true), data: Preferences }) },
    },
    async handler({ sql, caller, body }) {
      const data = await inTransaction(sql, async (tx) => {
        await writePreference(tx, caller, body.name, body.value)
        return readPreferences(tx, caller)
      })
      return { status: true as const, data }
    },
  })
}
