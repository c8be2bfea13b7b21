import { foot, type TriggerTexts } from "./trigger-texts.ts"

export const german: TriggerTexts = {
  planned: {
    subject: "Ihr Termin am {{date}}",
    body: `{{organization}}: Ihr Termin ist geplant: {{window}}. Hier können Sie ihn verfolgen:${foot}`,
  },
  dayBefore: {
    subject: "Ihr Termin morgen",
    body: `{{organization}}: Wir kommen morgen zu Ihnen, {{window}}. Details und Änderungen:${foot}`,
  },
  onTheWay: {
    subject: "Wir sind unterwegs",
    body: `{{organization}}: Wir sind unterwegs. Voraussichtliche Ankunft: {{etaWindow|zur geplanten Zeit}}. Verfolgen Sie uns:${foot}`,
  },
  nextStop: {
    subject: "Sie sind der nächste Halt",
    body: `{{organization}}: Sie sind der nächste Halt. Voraussichtliche Ankunft: {{etaWindow|in Kürze}}.${foot}`,
  },
  arrived: { subject: "Wir sind da", body: "{{organization}}: Wir sind da." },
  late: {
    subject: "Wir verspäten uns",
    body: `{{organization}}: Leider verspäten wir uns. Neue voraussichtliche Zeit: {{etaWindow}}.${foot}`,
  },
  done: { subject: "Erledigt", body: `{{organization}}: Erledigt. Fotos und Details:${foot}` },
  failed: {
    subject: "Wir konnten Ihren Termin nicht abschließen",
    body: `{{organization}}: Wir konnten Ihren Termin nicht abschließen ({{reason|wir melden uns bei Ihnen}}). Nächste Schritte:${foot}`,
  },
  receipt: {
    subject: "Ihr Beleg",
    body: "{{organization}}: Hier ist Ihr Servicebericht.\n{{reportLink}}",
  },
  ratingRequest: {
    subject: "Wie zufrieden waren Sie?",
    body: `{{organization}}: Wie zufrieden waren Sie? Ihre Bewertung dauert zehn Sekunden:${foot}`,
  },
  requestReceived: {
    subject: "Wir haben Ihre Anfrage erhalten",
    body: `{{organization}}: Wir haben Ihre Anfrage {{reference}} erhalten. Aktueller Stand:${foot}`,
  },
  requestApproved: {
    subject: "Ihre Anfrage ist angenommen",
    body: `{{organization}}: Ihre Anfrage {{reference}} ist angenommen.${foot}`,
  },
  requestRejected: {
    subject: "Wir können Ihre Anfrage nicht annehmen",
    body: `{{organization}}: Wir können Ihre Anfrage {{reference}} nicht annehmen. {{reason}}${foot}`,
  },
  notification: { subject: "{{organization}}", body: "{{text}}" },
}
