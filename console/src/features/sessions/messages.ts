import { defineMessages } from "../../i18n/messages.ts"

export const sessionMessages = defineMessages({
  en: {
    title: "Sign in to Fieldway",
    email: "E-mail",
    password: "Password",
    submit: "Sign in",
    codeTitle: "One more step",
    codeText: "Enter the code that we mailed to you, or the one that your authenticator app shows.",
    code: "Code",
    confirm: "Confirm",
    back: "Back to sign-in",
    words: "Plan the day, see the team move, finish the work.",
    help: "The first owner's e-mail and password were printed when the server started for the first time.",
  },
  id: {
    title: "Masuk ke Fieldway",
    email: "E-mail",
    password: "Kata sandi",
    submit: "Masuk",
    codeTitle: "Satu langkah lagi",
    codeText: "Masukkan kode yang kami kirim lewat e-mail, atau yang ditampilkan aplikasi autentikator Anda.",
    code: "Kode",
    confirm: "Konfirmasi",
    back: "Kembali ke halaman masuk",
    words: "Rencanakan hari, lihat tim bergerak, selesaikan pekerjaan.",
    help: "E-mail dan kata sandi pemilik pertama dicetak saat server pertama kali dijalankan.",
  },
})
