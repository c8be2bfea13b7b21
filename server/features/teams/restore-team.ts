import { Type } from "typebox"
import { Value } from "typebox/value"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"

const Content = Type.Object({ team: Type.Record(Type.String(), Type.Unknown()) })

/** Puts a deleted team back, without people, where its hub still is. */
export const teamRestorer: Restorer = {
  type: "Team",
  permission: "add/team",
  async restore(tx, caller, { content }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "teams", [content.team])
  },
}
