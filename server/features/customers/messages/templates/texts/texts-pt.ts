import { foot, type TriggerTexts } from "./trigger-texts.ts"

export const portuguese: TriggerTexts = {
  planned: {
    subject: "Seu agendamento em {{date}}",
    body: `{{organization}}: seu agendamento está confirmado: {{window}}. Acompanhe aqui:${foot}`,
  },
  dayBefore: {
    subject: "Seu agendamento de amanhã",
    body: `{{organization}}: amanhã vamos até você, {{window}}. Detalhes e alterações:${foot}`,
  },
  onTheWay: {
    subject: "Estamos a caminho",
    body: `{{organization}}: estamos a caminho. Chegada prevista: {{etaWindow|no horário combinado}}. Acompanhe:${foot}`,
  },
  nextStop: {
    subject: "Você é a próxima parada",
    body: `{{organization}}: você é a próxima parada. Chegada prevista: {{etaWindow|em breve}}.${foot}`,
  },
  arrived: { subject: "Chegamos", body: "{{organization}}: chegamos." },
  late: {
    subject: "Estamos atrasados",
    body: `{{organization}}: desculpe, estamos atrasados. Novo horário previsto: {{etaWindow}}.${foot}`,
  },
  done: { subject: "Concluído", body: `{{organization}}: concluído. Fotos e detalhes:${foot}` },
  failed: {
    subject: "Não conseguimos concluir seu agendamento",
    body: `{{organization}}: não conseguimos concluir seu agendamento ({{reason|entraremos em contato}}). Próximos passos:${foot}`,
  },
  receipt: {
    subject: "Seu comprovante",
    body: "{{organization}}: aqui está seu relatório de serviço.\n{{reportLink}}",
  },
  ratingRequest: {
    subject: "Como foi o serviço?",
    body: `{{organization}}: você ficou satisfeito? Avaliar leva dez segundos:${foot}`,
  },
  requestReceived: {
    subject: "Recebemos sua solicitação",
    body: `{{organization}}: recebemos sua solicitação {{reference}}. Situação:${foot}`,
  },
  requestApproved: {
    subject: "Sua solicitação foi aceita",
    body: `{{organization}}: sua solicitação {{reference}} foi aceita.${foot}`,
  },
  requestRejected: {
    subject: "Não podemos aceitar sua solicitação",
    body: `{{organization}}: não podemos aceitar sua solicitação {{reference}}. {{reason}}${foot}`,
  },
  notification: { subject: "{{organization}}", body: "{{text}}" },
}
