import { defineMessages } from "../../../../i18n/messages.ts"

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
  PreferredVehicle: "Preferred vehicle",
  Workers: "People that the visit needs",
  load: "Load: {name}",
  taken: "{use} (field {title})",
  findBy: "Found by the address in",
  findByHint: "Imports look up the place where a row has none.",
  findNever: "Never looked up",
})
