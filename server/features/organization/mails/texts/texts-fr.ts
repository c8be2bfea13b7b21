import { pluralIn } from "#shared/languages.ts"
import type { MailTexts } from "./texts.ts"

const plural = pluralIn("fr")
const daysOf = (count: number) => plural(count, { one: "# jour", other: "# jours" })
const minutesOf = (count: number) => plural(count, { one: "# minute", other: "# minutes" })

export const french: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Confirmez votre adresse e-mail",
    lines: [
      `Bonjour ${name},`,
      "Confirmez votre adresse e-mail pour configurer votre organisation dans Fieldway.",
    ],
    action: { label: "Confirmer et configurer", url: link },
    footnote: `Le lien est valable ${daysOf(days)}. Si vous ne vous êtes pas inscrit, ignorez cet e-mail.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Invitation à rejoindre ${organization}`,
    lines: [`${inviter} vous invite à rejoindre ${organization} dans Fieldway.`],
    action: { label: "Ouvrir l’invitation", url: link },
    footnote: `Le lien est valable ${daysOf(days)}. Si vous ne connaissez pas l’expéditeur, ignorez cet e-mail.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Choisissez un nouveau mot de passe",
    lines: ["Nous avons reçu une demande de réinitialisation de votre mot de passe."],
    action: { label: "Choisir un nouveau mot de passe", url: link },
    footnote: `Le lien est utilisable une seule fois, pendant ${minutesOf(minutes)}. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste inchangé.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Votre code de connexion",
    lines: ["Saisissez ce code pour terminer la connexion :"],
    code,
    footnote: `Le code est valable ${minutesOf(minutes)}. Ne le communiquez à personne. Si vous n’êtes pas en train de vous connecter, changez votre mot de passe : quelqu’un d’autre le connaît.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Votre mot de passe a été modifié",
    lines: [
      `Bonjour ${name},`,
      `Un administrateur de ${organization} a défini un nouveau mot de passe pour votre compte. Toutes vos sessions ont été fermées.`,
    ],
    footnote:
      "Si vous ne vous y attendiez pas, réinitialisez votre mot de passe sur la page de connexion et contactez votre organisation.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Votre adresse e-mail a été modifiée",
    lines: [`Bonjour ${name},`, `L’adresse e-mail de votre compte Fieldway est désormais ${email}.`],
    footnote:
      "Si vous ne vous y attendiez pas, contactez immédiatement l’administrateur de votre organisation.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Votre mot de passe expire bientôt",
    lines: [
      `Bonjour ${name},`,
      days === 1 ? "Votre mot de passe expire demain." : `Votre mot de passe expire dans ${daysOf(days)}.`,
    ],
    action: { label: "Changer le mot de passe", url: link },
    footnote:
      "Vous recevez cet e-mail parce que votre organisation impose un changement régulier du mot de passe.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Votre export est prêt",
    lines: [`Votre export ${name} est prêt.`],
    action: { label: "Télécharger le fichier", url: link },
    footnote: `Le lien est valable ${daysOf(days)} pour toute personne qui le possède. Le journal des exports conserve le fichier 30 jours.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Votre export a échoué",
    lines: [`L’export ${name} a échoué. Consultez le motif dans le journal des exports.`],
    footnote:
      "Vous recevez cet e-mail parce que vous avez lancé l’export ou que vous êtes destinataire de sa planification.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `Le webhook ${name} est en échec`,
    lines: [
      `${failed} appels sur ${attempted} à ${endpoint} ont échoué en ${minutesOf(minutes)}.`,
      "Vérifiez que le point de terminaison est disponible et renvoie le statut 200 en moins de 30 secondes. Le journal des automatisations affiche chaque appel. Vous pouvez y relancer les appels en échec.",
    ],
    footnote:
      "Vous recevez cet e-mail en tant que propriétaire de l’organisation. Il est envoyé au plus une fois par heure pour chaque webhook.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `Le webhook ${name} est suspendu`,
    lines: [
      failed < 2
        ? `${endpoint} a renvoyé le statut 410 (Gone), c’est-à-dire qu’il n’accepte plus d’appels.`
        : `Les ${failed} derniers appels à ${endpoint} ont échoué, sur une durée de ${plural(hours, { one: "# heure", other: "# heures" })}.`,
      "Les envois sont suspendus et conservés 30 jours. Lorsque le point de terminaison fonctionne à nouveau, ouvrez les envois du webhook et reprenez-les. Tous les envois en attente sont alors effectués dans l’ordre.",
    ],
    footnote: "Vous recevez cet e-mail en tant que propriétaire de l’organisation.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `L’automatisation ${name} est suspendue`,
    lines: [
      loss === "membership"
        ? "Elle s’exécute avec les autorisations de la dernière personne qui l’a enregistrée, qui n’est plus un membre actif."
        : `Elle s’exécute avec les autorisations de la dernière personne qui l’a enregistrée, qui n’a plus toutes les autorisations nécessaires : ${permissions}.`,
      "Pour la reprendre, ouvrez l’automatisation et enregistrez-la. Elle s’exécute alors avec vos autorisations.",
    ],
    footnote:
      "Vous recevez cet e-mail parce que l’automatisation vous appartient ou que vous administrez l’organisation.",
  }),
  alert: ({ rule, text, link }) => ({
    subject: `Alerte : ${rule}`,
    lines: [text],
    action: { label: "Ouvrir l’alerte", url: link },
    footnote: "Vous recevez cet e-mail parce qu’une règle d’alerte de votre organisation vous désigne.",
  }),
  scheduledReport: ({ name, from, until, link }) => ({
    subject: `Rapport : ${name}`,
    lines: [`Le rapport du ${from} au ${until} est joint.`],
    action: { label: "Ouvrir le rapport", url: link },
    footnote:
      "Vous recevez cet e-mail parce qu’un envoi programmé de rapports de votre organisation vous mentionne.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} a été supprimée`,
    lines: [
      `Bonjour ${name},`,
      `Le propriétaire de ${organization} a supprimé l’organisation et toutes ses données. Vous n’y avez plus accès.`,
    ],
    footnote: "Vous recevez cet e-mail parce que vous en étiez membre.",
  }),
}
