import { foot, type TriggerTexts } from "./trigger-texts.ts"

export const french: TriggerTexts = {
  planned: {
    subject: "Votre rendez-vous du {{date}}",
    body: `{{organization}} : votre rendez-vous est planifié : {{window}}. Suivez-le ici :${foot}`,
  },
  dayBefore: {
    subject: "Votre rendez-vous de demain",
    body: `{{organization}} : nous venons chez vous demain, {{window}}. Détails et modifications :${foot}`,
  },
  onTheWay: {
    subject: "Nous sommes en route",
    body: `{{organization}} : nous sommes en route. Arrivée prévue : {{etaWindow|à l’heure convenue}}. Suivez-nous :${foot}`,
  },
  nextStop: {
    subject: "Vous êtes le prochain arrêt",
    body: `{{organization}} : vous êtes le prochain arrêt. Arrivée prévue : {{etaWindow|bientôt}}.${foot}`,
  },
  arrived: { subject: "Nous sommes arrivés", body: "{{organization}} : nous sommes arrivés." },
  late: {
    subject: "Nous avons du retard",
    body: `{{organization}} : désolés, nous avons du retard. Nouvel horaire prévu : {{etaWindow}}.${foot}`,
  },
  done: { subject: "Terminé", body: `{{organization}} : terminé. Photos et détails :${foot}` },
  failed: {
    subject: "Nous n’avons pas pu assurer votre rendez-vous",
    body: `{{organization}} : nous n’avons pas pu assurer votre rendez-vous ({{reason|nous vous contacterons}}). Prochaines étapes :${foot}`,
  },
  receipt: {
    subject: "Votre reçu",
    body: "{{organization}} : voici votre rapport d’intervention.\n{{reportLink}}",
  },
  ratingRequest: {
    subject: "Comment s’est passé le service ?",
    body: `{{organization}} : êtes-vous satisfait ? Votre avis prend dix secondes :${foot}`,
  },
  requestReceived: {
    subject: "Nous avons reçu votre demande",
    body: `{{organization}} : nous avons reçu votre demande {{reference}}. Son état :${foot}`,
  },
  requestApproved: {
    subject: "Votre demande est acceptée",
    body: `{{organization}} : votre demande {{reference}} est acceptée.${foot}`,
  },
  requestRejected: {
    subject: "Nous ne pouvons pas accepter votre demande",
    body: `{{organization}} : nous ne pouvons pas accepter votre demande {{reference}}. {{reason}}${foot}`,
  },
  notification: { subject: "{{organization}}", body: "{{text}}" },
}
