import { defineMessages } from "../../i18n/messages.ts"

export const publicMessages = defineMessages("public.public", {
  gone: "There is nothing to show here",
  onItsWay: "On its way",
  waiting: "Planned",
  lastSeen: "Last seen {ago}",
  noPosition: "There is no position yet. This page updates automatically.",
  destination: "Destination",
  history: "What happened",
  refreshed: "Updates automatically",
  call: "Call {name}: {number}",
  mapLabel: "Map",
})
