import { Type } from "typebox"
import { Value } from "typebox/value"
import { publish } from "#core/events/live-events.ts"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { teamChanged } from "./events.ts"

const Content = Type.Object({ team: Type.Record(Type.String(), Type.Unknown()) })

/** Puts a deleted team back, without people, where its hub still is. */
export const teamRestorer: Restorer = {
  type: "Team",
  permission: "add/team",
  async restore(tx, caller, { sourceId, hubId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "teams", [content.team])
    await publish(tx, live, teamChanged, {
      organizationId: caller.organizationId,
      hubId,
      content: { teamId: sourceId },
    })
  },
}
