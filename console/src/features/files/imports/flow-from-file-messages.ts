import { defineMessages } from "../../../i18n/messages.ts"

export const flowFromFileMessages = defineMessages("files.flowFromFile", {
  open: "Create a flow from this file",
  hint: "No flow fits this file well.",
  title: "Create a flow from this file",
  text: "Each chosen column becomes a field of the first page. You can change the flow later.",
  name: "Name of the flow",
  column: "Column",
  type: "Type of the field",
  typeOf: "Type of {column}",
  sample: "First value",
  place: "Coordinate",
  byAddress: "Found by the address",
  taskTitle: "Title of the tasks",
  taskTitleHint: "Names a task in lists and on the map",
  note: "Note",
  photos: "Photos",
  create: "Create the flow",
  created: "The flow {name} was created",
})
