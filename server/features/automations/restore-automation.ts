import { Type } from "typebox"
import { Value } from "typebox/value"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"

const Content = Type.Record(Type.String(), Type.Unknown())

/** Brings an automation back as it was, but switched off: what it did meanwhile would surprise. */
export const automationRestorer: Restorer = {
  type: "Automation",
  permission: "add/automation",
  async restore(tx, caller, { content }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "automations", [{ ...content, is_active: false }])
  },
}
