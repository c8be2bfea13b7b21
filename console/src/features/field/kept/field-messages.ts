import { api, responseOf, sentBy } from "../../../api/client.ts"
import type { ConversationKey } from "../../work/messages/messages.queries.ts"
import { stampOf, timeOf } from "../clock.ts"
import type { Values } from "./field-drafts.ts"
import type { PersonStore } from "./field-store.ts"
import type { Waiting } from "./field-sync.ts"
import { newName, packFiles } from "./storage.ts"

/** A message that is on its way. */
export interface WaitingMessage {
  to: ConversationKey
  text: string
}

const component = "message"

/** Keeps a message on the phone until the server has it. Throws `NotKeptError` when there is no room. */
export async function keepMessage(
  store: PersonStore,
  by: string,
  to: ConversationKey,
  { text, photos }: { text: string; photos: readonly string[] },
): Promise<void> {
  const { packed, writes } = packFiles(photos.length > 0 ? { [component]: [...photos] } : {}, new Map())
  const entry: Waiting = {
    id: newName(),
    taskId: to.taskId ?? "",
    title: text.slice(0, 60),
    by,
    values: packed,
    stamp: stampOf(),
    fix: undefined,
    kind: "message",
    message: { to, text },
  }
  await store.write([...writes, { in: "waiting", key: entry.id, value: entry }])
}

/** Sends it under the id that the phone chose: the server keeps a repeated message once. */
export async function sendMessage(
  { to, text }: WaitingMessage,
  entry: Pick<Waiting, "id" | "doneTime" | "stamp">,
  sent: Values,
  sender: string,
): Promise<undefined> {
  const photos = Object.entries(sent)
    .filter(([key]) => key.endsWith("_url"))
    .toSorted(([one], [other]) => Number(one.split("_")[1]) - Number(other.split("_")[1]))
    .map(([, address]) => String(address))
  const body = {
    ...to,
    messageId: entry.id,
    text,
    photos,
    writtenTime: entry.doneTime ?? timeOf(entry.stamp).toISOString(),
  }
  await responseOf(api.POST("/api/v3/message", { body, headers: sentBy(sender) }))
}
