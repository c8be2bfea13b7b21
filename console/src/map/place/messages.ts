import { defineMessages } from "../../i18n/messages.ts"

export const placeMessages = defineMessages("console.place", {
  address: "Address, coordinates or map link",
  coordinate: "Coordinates or map link",
  here: "Use my position",
  hereFailed: "This device does not share its position",
  showMap: "Choose on the map",
  hideMap: "Hide the map",
  mapLabel: "Map to choose the place",
  chosen: "Chosen place",
  choose: "Choose a suggestion, or click the map",
  nothing: "No address found. Paste coordinates or click the map",
  hiddenPosition:
    "This link does not contain the position. Open it in a browser and paste the link from the address bar",
  failed: "The search failed. Paste coordinates or click the map",
  noAddresses: "Type latitude,longitude, paste a map link, or click the map.",
})
