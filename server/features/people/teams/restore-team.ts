import { Type } from "typebox"
import { Value } from "typebox/value"
import { publish } from "#core/events/publish.ts"
import { type Restorer, restoreRows, showRows, trashErrors } from "#core/trash.ts"
import { type TeamRow, teamColumns, toWireTeam } from "./teams.ts"

const Content = Type.Object({ team: Type.Record(Type.String(), Type.Unknown()) })

/** Puts a deleted team back, without people, where its hub still is. */
export const teamRestorer: Restorer = {
  type: "Team",
  dataType: "teams",
  viewPermission: "view/team",
  permission: "add/team",
  show: showRows<TeamRow>("teams", teamColumns, toWireTeam, { key: "team" }),
  async restore(tx, caller, { sourceId, hubId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "teams", [content.team])
    await publish(tx, live, "team.changed", {
      organizationId: caller.organizationId,
      hubId,
      content: { teamId: sourceId },
    })
  },
}
