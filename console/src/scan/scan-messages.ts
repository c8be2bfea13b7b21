import { defineMessages } from "../i18n/messages.ts"

export const scanMessages = defineMessages("console.scan", {
  scan: "Scan",
  scanItems: "Scan items",
  aim: "Hold the code in front of the camera",
  starting: "Starting the camera…",
  noCamera: "The camera is not available. Allow it for this page, take a photo of the code, or type it.",
  noReader: "The code reader could not be loaded. Reload the page and try again. ({reason})",
  photo: "Take photo",
  noCode: "No code was found in the photo",
  typed: "Type the code",
  enter: "Enter",
  close: "Done",
  known: "{title}: {count} of {total}",
  complete: "{title} is complete already",
  unknown: "Unknown: {code}",
})
