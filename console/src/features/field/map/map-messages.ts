import { defineMessages } from "../../../i18n/messages.ts"

export const mapMessages = defineMessages("field.map", {
  title: "Map of today",
  stop: "Stop {number}: {title}",
  you: "You are here",
  noPlaces: "None of your stops has a place on the map.",
  noMap: "No street map is installed. Your administrator can add one.",
  keep: "Keep this area on the phone",
  measuring: "Looking up the size…",
  size: "About {size} for {count} map tiles around your stops.",
  download: "Download",
  cancel: "Cancel",
  progress: "{percent} % kept",
  kept: "This area is on the phone ({size}) and works without a network.",
  outdated: "The map has been replaced. Keep this area again.",
  again: "Keep again",
  remove: "Remove",
  failed: "The area could not be kept: {reason}",
  noRoom: "The phone has too little room for this area.",
})
