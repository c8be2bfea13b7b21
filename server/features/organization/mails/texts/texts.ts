import { chooseLanguage, type Language } from "#shared/languages.ts"
import type { MailMessage } from "../mail-message.ts"
import { arabic } from "./texts-ar.ts"
import { german } from "./texts-de.ts"
import { english } from "./texts-en.ts"
import { spanish } from "./texts-es.ts"
import { french } from "./texts-fr.ts"
import { indonesian } from "./texts-id.ts"
import { portuguese } from "./texts-pt.ts"

/** Every mail of the product, and what its text needs to know. A language is one object of this type. */
export interface MailTexts {
  verify(facts: { name: string; link: string; days: number }): MailMessage
  invite(facts: { inviter: string; organization: string; link: string; days: number }): MailMessage
  reset(facts: { link: string; minutes: number }): MailMessage
  code(facts: { code: string; minutes: number }): MailMessage
  passwordChanged(facts: { name: string; organization: string }): MailMessage
  emailChanged(facts: { name: string; email: string }): MailMessage
  passwordExpires(facts: { name: string; days: number; link: string }): MailMessage
  exportReady(facts: { name: string; link: string; days: number }): MailMessage
  exportFailed(facts: { name: string }): MailMessage
  webhookFailing(facts: {
    name: string
    endpoint: string
    failed: number
    attempted: number
    minutes: number
  }): MailMessage
  webhookPaused(facts: { name: string; endpoint: string; failed: number; hours: number }): MailMessage
  automationPaused(facts: {
    name: string
    loss: "membership" | "permission"
    permissions: string
  }): MailMessage
  alert(facts: { rule: string; text: string; link: string }): MailMessage
  scheduledReport(facts: { name: string; from: string; until: string; link: string }): MailMessage
  organizationDeleted(facts: { name: string; organization: string }): MailMessage
}

export type MailKind = keyof MailTexts
export type MailFacts<Kind extends MailKind> = Parameters<MailTexts[Kind]>[0]

const byLanguage: Readonly<Record<Language, MailTexts>> = {
  en: english,
  id: indonesian,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  ar: arabic,
}

/** Kinds whose text lets its reader into an account: in the outbox only an owner sees it. */
export const openingKinds: ReadonlySet<string> = new Set<MailKind>(["verify", "invite", "reset", "code"])

/** The texts of a language; English where there is none. */
export function textsIn(language: string): MailTexts {
  return byLanguage[chooseLanguage(language)]
}
