import { foot, type TriggerTexts } from "./trigger-texts.ts"

export const english: TriggerTexts = {
  planned: {
    subject: "Your appointment on {{date}}",
    body: `{{organization}}: your appointment is planned for {{window}}. Follow it here:${foot}`,
  },
  dayBefore: {
    subject: "Your appointment tomorrow",
    body: `{{organization}}: we come to you tomorrow, {{window}}. Details and changes:${foot}`,
  },
  onTheWay: {
    subject: "We are on the way",
    body: `{{organization}}: we are on the way. Expected arrival: {{etaWindow|at the planned time}}. Follow us:${foot}`,
  },
  nextStop: {
    subject: "You are the next stop",
    body: `{{organization}}: you are the next stop. Expected arrival: {{etaWindow|soon}}.${foot}`,
  },
  arrived: { subject: "We have arrived", body: "{{organization}}: we have arrived." },
  late: {
    subject: "We are running late",
    body: `{{organization}}: we are sorry, we are running late. New expected time: {{etaWindow}}.${foot}`,
  },
  done: { subject: "Done", body: `{{organization}}: done. Photos and details:${foot}` },
  failed: {
    subject: "We could not complete your appointment",
    body: `{{organization}}: we could not complete your appointment ({{reason|we will contact you}}). Next steps:${foot}`,
  },
  receipt: {
    subject: "Your receipt",
    body: "{{organization}}: here is your service report.\n{{reportLink}}",
  },
  ratingRequest: {
    subject: "How was it?",
    body: `{{organization}}: how satisfied were you? Your rating takes ten seconds:${foot}`,
  },
  requestReceived: {
    subject: "We have received your request",
    body: `{{organization}}: we have received your request {{reference}}. Its state:${foot}`,
  },
  requestApproved: {
    subject: "Your request is accepted",
    body: `{{organization}}: your request {{reference}} is accepted.${foot}`,
  },
  requestRejected: {
    subject: "We cannot accept your request",
    body: `{{organization}}: we cannot accept your request {{reference}}. {{reason}}${foot}`,
  },
  notification: { subject: "{{organization}}", body: "{{text}}" },
}
