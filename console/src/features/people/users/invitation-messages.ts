import { defineMessages } from "../../../i18n/messages.ts"

export const invitationMessages = defineMessages({
  en: {
    title: "Invitation",
    joinTitle: "Join {organization}",
    joinText: "This invitation is for {email}.",
    join: "Join",
    decline: "I do not want to join",
    declinedTitle: "Declined",
    declinedText: "You are not a member of {organization}. Nothing else happens.",
    deadTitle: "This invitation no longer works",
    deadText: "The address is incomplete. Copy the whole link from the e-mail.",
    askAgain: "Ask the person who invited you to send it again.",
    signInFirst: "You already have an account. Sign in to continue and join.",
    otherPerson: "You are signed in as {email}. Sign out first, then open the link again.",
  },
  id: {
    title: "Undangan",
    joinTitle: "Bergabung dengan {organization}",
    joinText: "Undangan ini untuk {email}.",
    join: "Bergabung",
    decline: "Saya tidak ingin bergabung",
    declinedTitle: "Ditolak",
    declinedText: "Anda bukan anggota {organization}. Tidak ada hal lain yang terjadi.",
    deadTitle: "Undangan ini tidak berlaku lagi",
    deadText: "Alamat tidak lengkap. Salin seluruh tautan dari email.",
    askAgain: "Minta orang yang mengundang Anda untuk mengirimnya lagi.",
    signInFirst: "Anda sudah punya akun. Masuk untuk melanjutkan dan bergabung.",
    otherPerson: "Anda masuk sebagai {email}. Keluar dahulu, lalu buka tautannya lagi.",
  },
})
