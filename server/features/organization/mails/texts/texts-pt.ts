import { pluralIn } from "#shared/languages.ts"
import type { MailTexts } from "./texts.ts"

const plural = pluralIn("pt")
const daysOf = (count: number) => plural(count, { one: "# dia", other: "# dias" })
const minutesOf = (count: number) => plural(count, { one: "# minuto", other: "# minutos" })

export const portuguese: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Confirme seu endereço de e-mail",
    lines: [`Olá, ${name},`, "Confirme seu endereço de e-mail para configurar sua organização no Fieldway."],
    action: { label: "Confirmar e configurar", url: link },
    footnote: `O link é válido por ${daysOf(days)}. Se você não se cadastrou, ignore este e-mail.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Convite para ${organization}`,
    lines: [`${inviter} convidou você a participar de ${organization} no Fieldway.`],
    action: { label: "Abrir o convite", url: link },
    footnote: `O link é válido por ${daysOf(days)}. Se você não conhece o remetente, ignore este e-mail.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Escolha uma nova senha",
    lines: ["Recebemos uma solicitação para redefinir sua senha."],
    action: { label: "Escolher uma nova senha", url: link },
    footnote: `O link pode ser usado uma única vez, em até ${minutesOf(minutes)}. Se você não fez a solicitação, ignore este e-mail: sua senha continua a mesma.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Seu código de acesso",
    lines: ["Digite este código para concluir o acesso:"],
    code,
    footnote: `O código é válido por ${minutesOf(minutes)}. Não o compartilhe. Se você não está acessando sua conta, altere sua senha: outra pessoa a conhece.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Sua senha foi alterada",
    lines: [
      `Olá, ${name},`,
      `Um administrador de ${organization} definiu uma nova senha para sua conta. Todas as suas sessões foram encerradas.`,
    ],
    footnote:
      "Se você não esperava por isso, redefina sua senha na página de acesso e entre em contato com sua organização.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Seu endereço de e-mail foi alterado",
    lines: [`Olá, ${name},`, `O endereço de e-mail da sua conta Fieldway agora é ${email}.`],
    footnote:
      "Se você não esperava por isso, entre em contato imediatamente com o administrador da sua organização.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Sua senha expira em breve",
    lines: [
      `Olá, ${name},`,
      days === 1 ? "Sua senha expira amanhã." : `Sua senha expira em ${daysOf(days)}.`,
    ],
    action: { label: "Alterar a senha", url: link },
    footnote: "Você recebe este e-mail porque sua organização exige a troca regular da senha.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Sua exportação está pronta",
    lines: [`Sua exportação ${name} está pronta.`],
    action: { label: "Baixar o arquivo", url: link },
    footnote: `O link é válido por ${daysOf(days)} para qualquer pessoa que o tenha. O registro de exportações guarda o arquivo por 30 dias.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Sua exportação falhou",
    lines: [`A exportação ${name} falhou. Veja o motivo no registro de exportações.`],
    footnote: "Você recebe este e-mail porque iniciou a exportação ou é destinatário do agendamento dela.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `O webhook ${name} está falhando`,
    lines: [
      `${failed} de ${attempted} chamadas a ${endpoint} falharam em ${minutesOf(minutes)}.`,
      "Verifique se o endpoint está disponível e retorna o status 200 em até 30 segundos. O registro de automações mostra todas as chamadas. Lá é possível repetir as que falharam.",
    ],
    footnote:
      "Você recebe este e-mail porque é proprietário da organização. Ele é enviado no máximo uma vez por hora para cada webhook.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `O webhook ${name} está pausado`,
    lines: [
      failed < 2
        ? `${endpoint} retornou o status 410 (Gone), ou seja, não aceita mais chamadas.`
        : `As últimas ${failed} chamadas a ${endpoint} falharam ao longo de ${plural(hours, { one: "# hora", other: "# horas" })}.`,
      "As entregas estão retidas e são guardadas por 30 dias. Quando o endpoint voltar a funcionar, abra as entregas do webhook e retome-as. Todas as entregas pendentes são então enviadas em ordem.",
    ],
    footnote: "Você recebe este e-mail porque é proprietário da organização.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `A automação ${name} está pausada`,
    lines: [
      loss === "membership"
        ? "Ela é executada com as permissões da última pessoa que a salvou, que não é mais um membro ativo."
        : `Ela é executada com as permissões da última pessoa que a salvou, que não tem mais todas as permissões necessárias: ${permissions}.`,
      "Para retomá-la, abra a automação e salve-a. A partir daí, ela é executada com as suas permissões.",
    ],
    footnote: "Você recebe este e-mail porque a automação é sua ou porque administra a organização.",
  }),
  alert: ({ rule, text, link }) => ({
    subject: `Alerta de ${rule}`,
    lines: [text],
    action: { label: "Abrir o alerta", url: link },
    footnote: "Você recebe este e-mail porque uma regra de alerta da sua organização inclui você.",
  }),
  scheduledReport: ({ name, from, until, link }) => ({
    subject: `Relatório: ${name}`,
    lines: [`O relatório de ${from} a ${until} está anexado.`],
    action: { label: "Abrir o relatório", url: link },
    footnote:
      "Você recebe este e-mail porque um envio programado de relatórios da sua organização inclui você.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} foi excluída`,
    lines: [
      `Olá, ${name},`,
      `O proprietário de ${organization} excluiu a organização e todos os seus dados. Você não tem mais acesso.`,
    ],
    footnote: "Você recebe este e-mail porque era membro.",
  }),
}
