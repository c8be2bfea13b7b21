import { defineMessages, type Translate } from "../../../../i18n/messages.ts"

/** What a field of a flow means to route planning. */
export const routeSettingMessages = defineMessages("work.routeSettings", {
  routeAs: "In route planning",
  routeNothing: "Not used",
  VisitName: "Name of the visit",
  Address: "Address",
  OpenTime: "Earliest arrival",
  CloseTime: "Latest arrival",
  VisitDuration: "Minutes on site",
  Coordinate: "Place of the visit",
  Tag: "Tags that the vehicle needs",
  Pickup: "ID of the task where the goods are picked up",
  After: "IDs of the tasks to finish before",
  Days: "Days on which the visit is possible",
  PreferredDays: "Preferred days",
  PreferredVehicle: "Preferred vehicle",
  Workers: "People that the visit needs",
  load: "Load: {name}",
  taken: "{use} (field {title})",
  findBy: "Found by the address in",
  findByHint: "Imports look up the place where a row has none.",
  findNever: "Never looked up",
})

/** Prefix of uses that are loads, such as Constraint.weight. */
export const loadPrefix = "Constraint."

/** The words for a use in routes; an unknown one of another system stays as it is. */
export function routeUseName(use: string, t: Translate<typeof routeSettingMessages>): string {
  if (use.startsWith(loadPrefix)) return t("load", { name: use.slice(loadPrefix.length) })
  return use in routeSettingMessages.en ? t(use as RouteUse) : use
}

export type RouteUse = keyof typeof routeSettingMessages.en
