import { defineMessages } from "../../i18n/messages.ts"

export const sessionMessages = defineMessages({
  en: {
    title: "Sign in to Fieldway",
    email: "E-mail",
    password: "Password",
    submit: "Sign in",
    words: "Plan the day, see the team move, finish the work.",
    help: "The first owner's e-mail and password were printed when the server started for the first time.",
  },
  id: {
    title: "Masuk ke Fieldway",
    email: "E-mail",
    password: "Kata sandi",
    submit: "Masuk",
    words: "Rencanakan hari, lihat tim bergerak, selesaikan pekerjaan.",
    help: "E-mail dan kata sandi pemilik pertama dicetak saat server pertama kali dijalankan.",
  },
})
