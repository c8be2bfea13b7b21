import type { Trigger } from "../../triggers.ts"

export interface MessageText {
  subject: string
  body: string
}

/** The built-in texts of one language. */
export type TriggerTexts = Readonly<Record<Trigger, MessageText>>

export const foot = "\n{{link}}"
