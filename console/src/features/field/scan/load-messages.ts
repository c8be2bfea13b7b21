import { defineMessages } from "../../../i18n/messages.ts"

export const loadMessages = defineMessages("field.load", {
  title: "Load check",
  text: "Scan everything that you load, or tap Loaded where there is no code to scan.",
  progress: "{count} of {total} loaded",
  start: "Scan the load",
  again: "Start over",
  missing: "Missing",
  unknown: "Not for today",
  loaded: "Loaded",
  complete: "Everything is loaded",
  piece: "{count} × {title}",
  forStop: "for {stop}",
  report: "Report to my planner",
  reported: "Reported",
  reportText: "Load check: {missing} missing, {unknown} not for today.",
  nothing: "None of your stops lists anything to load.",
})
