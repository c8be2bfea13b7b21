import { foot, type TriggerTexts } from "./trigger-texts.ts"

export const spanish: TriggerTexts = {
  planned: {
    subject: "Su cita del {{date}}",
    body: `{{organization}}: su cita está programada: {{window}}. Sígala aquí:${foot}`,
  },
  dayBefore: {
    subject: "Su cita de mañana",
    body: `{{organization}}: mañana le visitamos, {{window}}. Detalles y cambios:${foot}`,
  },
  onTheWay: {
    subject: "Estamos en camino",
    body: `{{organization}}: estamos en camino. Llegada prevista: {{etaWindow|a la hora programada}}. Síganos:${foot}`,
  },
  nextStop: {
    subject: "Usted es la próxima parada",
    body: `{{organization}}: usted es la próxima parada. Llegada prevista: {{etaWindow|en breve}}.${foot}`,
  },
  arrived: { subject: "Hemos llegado", body: "{{organization}}: hemos llegado." },
  late: {
    subject: "Llegamos con retraso",
    body: `{{organization}}: lo sentimos, llegamos con retraso. Nueva hora prevista: {{etaWindow}}.${foot}`,
  },
  done: { subject: "Completado", body: `{{organization}}: completado. Fotos y detalles:${foot}` },
  failed: {
    subject: "No hemos podido completar su cita",
    body: `{{organization}}: no hemos podido completar su cita ({{reason|nos pondremos en contacto con usted}}). Próximos pasos:${foot}`,
  },
  receipt: {
    subject: "Su comprobante",
    body: "{{organization}}: aquí tiene su informe de servicio.\n{{reportLink}}",
  },
  ratingRequest: {
    subject: "¿Qué le ha parecido?",
    body: `{{organization}}: ¿está satisfecho con el servicio? Valorarlo lleva diez segundos:${foot}`,
  },
  requestReceived: {
    subject: "Hemos recibido su solicitud",
    body: `{{organization}}: hemos recibido su solicitud {{reference}}. Su estado:${foot}`,
  },
  requestApproved: {
    subject: "Su solicitud ha sido aceptada",
    body: `{{organization}}: su solicitud {{reference}} ha sido aceptada.${foot}`,
  },
  requestRejected: {
    subject: "No podemos aceptar su solicitud",
    body: `{{organization}}: no podemos aceptar su solicitud {{reference}}. {{reason}}${foot}`,
  },
  notification: { subject: "{{organization}}", body: "{{text}}" },
}
