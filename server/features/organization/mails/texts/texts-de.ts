import { pluralIn } from "#shared/languages.ts"
import type { MailTexts } from "./texts.ts"

const plural = pluralIn("de")
const daysOf = (count: number) => plural(count, { one: "# Tag", other: "# Tage" })
const inMinutes = (count: number) => plural(count, { one: "# Minute", other: "# Minuten" })

export const german: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Bestätigen Sie Ihre E-Mail-Adresse",
    lines: [
      `Guten Tag ${name},`,
      "bitte bestätigen Sie Ihre E-Mail-Adresse, um Ihre Organisation in Fieldway einzurichten.",
    ],
    action: { label: "Bestätigen und einrichten", url: link },
    footnote: `Der Link ist ${daysOf(days)} gültig. Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Einladung zu ${organization}`,
    lines: [`${inviter} hat Sie eingeladen, ${organization} in Fieldway beizutreten.`],
    action: { label: "Einladung öffnen", url: link },
    footnote: `Der Link ist ${daysOf(days)} gültig. Falls Sie den Absender nicht kennen, ignorieren Sie diese E-Mail.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Wählen Sie ein neues Passwort",
    lines: ["Wir haben eine Anfrage erhalten, Ihr Passwort zurückzusetzen."],
    action: { label: "Neues Passwort wählen", url: link },
    footnote: `Der Link kann einmal innerhalb von ${inMinutes(minutes)} verwendet werden. Falls Sie dies nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Ihr Anmeldecode",
    lines: ["Geben Sie diesen Code ein, um die Anmeldung abzuschließen:"],
    code,
    footnote: `Der Code ist ${inMinutes(minutes)} gültig. Geben Sie ihn nicht weiter. Falls Sie sich gerade nicht anmelden, ändern Sie Ihr Passwort: Jemand anderes kennt es.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Ihr Passwort wurde geändert",
    lines: [
      `Guten Tag ${name},`,
      `ein Administrator von ${organization} hat ein neues Passwort für Ihr Konto festgelegt. Alle Ihre Sitzungen wurden beendet.`,
    ],
    footnote:
      "Falls Sie das nicht erwartet haben, setzen Sie Ihr Passwort auf der Anmeldeseite zurück und wenden Sie sich an Ihre Organisation.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Ihre E-Mail-Adresse wurde geändert",
    lines: [`Guten Tag ${name},`, `die E-Mail-Adresse Ihres Fieldway-Kontos lautet jetzt ${email}.`],
    footnote:
      "Falls Sie das nicht erwartet haben, wenden Sie sich sofort an den Administrator Ihrer Organisation.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Ihr Passwort läuft bald ab",
    lines: [
      `Guten Tag ${name},`,
      days === 1
        ? "Ihr Passwort läuft morgen ab."
        : `Ihr Passwort läuft in ${plural(days, { one: "# Tag", other: "# Tagen" })} ab.`,
    ],
    action: { label: "Passwort ändern", url: link },
    footnote: "Sie erhalten diese E-Mail, weil Ihre Organisation regelmäßige Passwortänderungen vorschreibt.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Ihr Export ist fertig",
    lines: [`Ihr Export ${name} ist fertig.`],
    action: { label: "Datei herunterladen", url: link },
    footnote: `Der Link ist ${daysOf(days)} für alle gültig, die ihn haben. Das Exportprotokoll bewahrt die Datei 30 Tage auf.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Ihr Export ist fehlgeschlagen",
    lines: [`Der Export ${name} ist fehlgeschlagen. Den Grund finden Sie im Exportprotokoll.`],
    footnote:
      "Sie erhalten diese E-Mail, weil Sie den Export gestartet haben oder Empfänger seines Zeitplans sind.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `Der Webhook ${name} schlägt fehl`,
    lines: [
      `${failed} von ${attempted} Aufrufen von ${endpoint} sind innerhalb von ${inMinutes(minutes)} fehlgeschlagen.`,
      "Prüfen Sie, ob der Endpunkt erreichbar ist und innerhalb von 30 Sekunden den Status 200 zurückgibt. Das Automatisierungsprotokoll zeigt jeden Aufruf. Dort können Sie fehlgeschlagene Aufrufe wiederholen.",
    ],
    footnote:
      "Sie erhalten diese E-Mail als Inhaber der Organisation. Sie wird je Webhook höchstens einmal pro Stunde gesendet.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `Der Webhook ${name} ist angehalten`,
    lines: [
      failed < 2
        ? `${endpoint} hat den Status 410 (Gone) zurückgegeben und nimmt damit keine Aufrufe mehr an.`
        : `Die letzten ${failed} Aufrufe von ${endpoint} sind im Laufe von ${plural(hours, { one: "# Stunde", other: "# Stunden" })} fehlgeschlagen.`,
      "Die Zustellungen sind angehalten und werden 30 Tage aufbewahrt. Sobald der Endpunkt wieder funktioniert, öffnen Sie die Zustellungen des Webhooks und setzen Sie ihn fort. Alle wartenden Zustellungen werden dann der Reihe nach gesendet.",
    ],
    footnote: "Sie erhalten diese E-Mail als Inhaber der Organisation.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `Die Automatisierung ${name} ist angehalten`,
    lines: [
      loss === "membership"
        ? "Sie läuft mit den Berechtigungen der Person, die sie zuletzt gespeichert hat. Diese ist kein aktives Mitglied mehr."
        : `Sie läuft mit den Berechtigungen der Person, die sie zuletzt gespeichert hat. Diese hat nicht mehr alle erforderlichen Berechtigungen: ${permissions}.`,
      "Um sie fortzusetzen, öffnen und speichern Sie die Automatisierung. Sie läuft dann mit Ihren Berechtigungen.",
    ],
    footnote:
      "Sie erhalten diese E-Mail, weil Ihnen die Automatisierung gehört oder Sie die Organisation verwalten.",
  }),
  alert: ({ rule, text, link }) => ({
    subject: `Alarm: ${rule}`,
    lines: [text],
    action: { label: "Alarm öffnen", url: link },
    footnote: "Sie erhalten diese E-Mail, weil eine Alarmregel Ihrer Organisation Sie nennt.",
  }),
  scheduledReport: ({ name, from, until, link }) => ({
    subject: `Bericht: ${name}`,
    lines: [`Der Bericht für ${from} bis ${until} ist angehängt.`],
    action: { label: "Bericht öffnen", url: link },
    footnote: "Sie erhalten diese E-Mail, weil ein Berichtsplan Ihrer Organisation Sie nennt.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} wurde gelöscht`,
    lines: [
      `Guten Tag ${name},`,
      `der Inhaber von ${organization} hat die Organisation und alle ihre Daten gelöscht. Sie haben keinen Zugriff mehr.`,
    ],
    footnote: "Sie erhalten diese E-Mail, weil Sie Mitglied waren.",
  }),
}
