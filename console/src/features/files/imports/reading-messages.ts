import { defineMessages } from "../../../i18n/messages.ts"

export const readingMessages = defineMessages("files.reading", {
  title: "{system}: {list}",
  listTitle: "Lists from other systems",
  of: "List",
  reading: "Reading",
  done: "Read",
  failed: "Failed",
  cancelled: "Cancelled",
  rowsRead: "{count} row read so far|{count} rows read so far",
  requests: "{count} response, {size}|{count} responses, {size}",
  waits: "The other system has asked to wait. Reading continues at {time}.",
  mayLeave: "You can leave this page: reading continues, and the list stays under Imports for 7 days.",
  stop: "Stop reading",
  ready: "{count} row was read|{count} rows were read",
  readyText:
    "Nothing is imported yet. Choose what the rows become: you see a preview, and an import can be undone.",
  empty: "The list is empty. Check the range of dates, and what the owner of the key may see.",
  emptyEntries:
    "{count} entry without any value was left out|{count} entries without any value were left out",
  asTasks: "Import as tasks",
  asRecords: "Import as records, vehicles or users",
  download: "Download the rows",
  again: "Read again",
  cancelledText: "What was read has been removed.",
  rows: "Rows",
  fromApi: "From its API",
  fromDump: "From a dump of its database",
  source: "Source",
  dump: "SQL dump",
  dumpHint: "Of MySQL, MariaDB, PostgreSQL or H2: .sql, or .sql.gz. It is deleted once it is read.",
  keyHint: "Stored encrypted while the list is read, then removed",
  "wrong-key":
    "The other system does not accept this key. Create a key there that may read this list, and read again.",
  "forbidden-address":
    "This server may not call the address: {reason}. For a system in your own network, the operator lists its address in WEBHOOK_ALLOW.",
  unreachable:
    "The other system could not be reached: {reason}. Check the address and whether it is running.",
  "http-status":
    "The other system responded with status {httpStatus}. Check the address and the list; with a status of 500 or more, try again later.",
  "not-json":
    "The address does not respond like an API. Check that it is the address of the API, not of a page.",
  "not-a-list": "The other system did not respond with a list. Check the address and the choice of the list.",
  refused: "The other system refused: {reason}",
  busy: "The other system asks to wait for hours. Try again when it is less busy, or with a shorter range of dates.",
  "too-many-rows":
    "The list has more than 500,000 rows. Choose a shorter range of dates, and read it in parts.",
  "too-large": "The list is too large. Choose a shorter range of dates, and read it in parts.",
  "too-long": "Reading took too long. Choose a shorter range of dates, and read it in parts.",
  "bad-dump": "The dump cannot be read: {reason}",
  "member-left": "The person who started this may no longer import data.",
  "server-fault": "An error occurred on the server and was logged. Read the list again.",
})
