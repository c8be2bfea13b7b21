import { pluralIn } from "#shared/languages.ts"
import type { MailTexts } from "./texts.ts"

const plural = pluralIn("es")
const daysOf = (count: number) => plural(count, { one: "# día", other: "# días" })
const minutesOf = (count: number) => plural(count, { one: "# minuto", other: "# minutos" })

export const spanish: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Confirme su dirección de correo electrónico",
    lines: [
      `Hola, ${name}:`,
      "Confirme su dirección de correo electrónico para configurar su organización en Fieldway.",
    ],
    action: { label: "Confirmar y configurar", url: link },
    footnote: `El enlace es válido durante ${daysOf(days)}. Si no se ha registrado, ignore este correo.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Invitación a ${organization}`,
    lines: [`${inviter} le ha invitado a unirse a ${organization} en Fieldway.`],
    action: { label: "Abrir la invitación", url: link },
    footnote: `El enlace es válido durante ${daysOf(days)}. Si no conoce al remitente, ignore este correo.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Elija una contraseña nueva",
    lines: ["Hemos recibido una solicitud para restablecer su contraseña."],
    action: { label: "Elegir una contraseña nueva", url: link },
    footnote: `Puede usar el enlace una sola vez, en un plazo de ${minutesOf(minutes)}. Si no lo ha solicitado, ignore este correo: su contraseña no cambia.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Su código de inicio de sesión",
    lines: ["Introduzca este código para terminar de iniciar sesión:"],
    code,
    footnote: `El código es válido durante ${minutesOf(minutes)}. No lo comparta. Si no está iniciando sesión, cambie su contraseña: otra persona la conoce.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Su contraseña ha cambiado",
    lines: [
      `Hola, ${name}:`,
      `Un administrador de ${organization} ha establecido una contraseña nueva para su cuenta. Se han cerrado todas sus sesiones.`,
    ],
    footnote:
      "Si no lo esperaba, restablezca su contraseña en la página de inicio de sesión y póngase en contacto con su organización.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Su dirección de correo electrónico ha cambiado",
    lines: [
      `Hola, ${name}:`,
      `La dirección de correo electrónico de su cuenta de Fieldway es ahora ${email}.`,
    ],
    footnote:
      "Si no lo esperaba, póngase en contacto inmediatamente con el administrador de su organización.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Su contraseña caduca pronto",
    lines: [
      `Hola, ${name}:`,
      days === 1 ? "Su contraseña caduca mañana." : `Su contraseña caduca dentro de ${daysOf(days)}.`,
    ],
    action: { label: "Cambiar la contraseña", url: link },
    footnote: "Recibe este correo porque su organización exige cambiar la contraseña periódicamente.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Su exportación está lista",
    lines: [`Su exportación ${name} está lista.`],
    action: { label: "Descargar el archivo", url: link },
    footnote: `El enlace es válido durante ${daysOf(days)} para cualquier persona que lo tenga. El registro de exportaciones conserva el archivo 30 días.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Su exportación ha fallado",
    lines: [`La exportación ${name} ha fallado. Consulte el motivo en el registro de exportaciones.`],
    footnote: "Recibe este correo porque inició la exportación o es destinatario de su programación.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `El webhook ${name} está fallando`,
    lines: [
      `${failed} de ${attempted} llamadas a ${endpoint} han fallado en ${minutesOf(minutes)}.`,
      "Compruebe que el punto de conexión esté disponible y devuelva el estado 200 en 30 segundos. El registro de automatizaciones muestra cada llamada. Allí puede repetir las que han fallado.",
    ],
    footnote:
      "Recibe este correo porque es propietario de la organización. Se envía como máximo una vez por hora para cada webhook.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `El webhook ${name} está en pausa`,
    lines: [
      failed < 2
        ? `${endpoint} ha devuelto el estado 410 (Gone), es decir, ya no acepta llamadas.`
        : `Las últimas ${failed} llamadas a ${endpoint} han fallado a lo largo de ${plural(hours, { one: "# hora", other: "# horas" })}.`,
      "Las entregas están retenidas y se conservan 30 días. Cuando el punto de conexión vuelva a funcionar, abra las entregas del webhook y reanúdelas. Entonces se envían en orden todas las pendientes.",
    ],
    footnote: "Recibe este correo porque es propietario de la organización.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `La automatización ${name} está en pausa`,
    lines: [
      loss === "membership"
        ? "Se ejecuta con los permisos de la última persona que la guardó, que ya no es miembro activo."
        : `Se ejecuta con los permisos de la última persona que la guardó, que ya no tiene todos los permisos necesarios: ${permissions}.`,
      "Para reanudarla, abra la automatización y guárdela. A partir de entonces se ejecuta con sus permisos.",
    ],
    footnote: "Recibe este correo porque la automatización es suya o porque administra la organización.",
  }),
  alert: ({ rule, text, link }) => ({
    subject: `Alerta: ${rule}`,
    lines: [text],
    action: { label: "Abrir la alerta", url: link },
    footnote: "Recibe este correo porque una regla de alerta de su organización le incluye.",
  }),
  scheduledReport: ({ name, from, until, link }) => ({
    subject: `Informe: ${name}`,
    lines: [`El informe del ${from} al ${until} está adjunto.`],
    action: { label: "Abrir el informe", url: link },
    footnote: "Recibe este correo porque un envío programado de informes de su organización le incluye.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} se ha eliminado`,
    lines: [
      `Hola, ${name}:`,
      `El propietario de ${organization} ha eliminado la organización y todos sus datos. Ya no tiene acceso.`,
    ],
    footnote: "Recibe este correo porque era miembro.",
  }),
}
