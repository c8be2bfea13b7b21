import { defineMessages } from "../../../i18n/messages.ts"

export const hubMessages = defineMessages("organization.hub", {
  title: "Hubs",
  count: "{count} hub|{count} hubs",
  add: "Add hub",
  addTitle: "New hub",
  editTitle: "Change hub",
  badPlace: "Enter a latitude from -90 to 90 and a longitude from -180 to 180, or choose an address.",
  pick: "Click on the map where the hub is",
  picked: "Drag the pin or click again to move it",
  namePlaceholder: "Depot north",
  address: "Address",
  place: "Place",
  save: "Save hub",
  saved: "Hub “{name}” is saved",
  removed: "Hub “{name}” is deleted",
  removeTitle: "Delete hub “{name}”?",
  removeText: "Its open tasks are deleted too. The hub stays in the trash for 30 days.",
  emptyTitle: "No hubs yet",
  emptyText:
    "A hub is a depot, branch or office. Tasks and people belong to hubs. Click on the map to place the first one.",
  mapLabel: "Map of the hubs",
})
