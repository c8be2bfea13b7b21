import { defineMessages } from "../../i18n/messages.ts"

export const webhookMessages = defineMessages({
  en: {
    title: "Webhook deliveries",
    webhook: "Webhook",
    emptyTitle: "Tell other systems what happens",
    emptyText:
      "A webhook sends each new task, record, trip or plan to an address of yours. It is an automation.",
    make: "New automation",
    test: "Send a test",
    testGood: "The test was answered with 200",
    testBad: "The test failed",
    testStatus: "It was answered with {status}.",
    noAnswer: "Nothing answered.",
    replay: "Replay",
    replayTitle: "Send everything again since…",
    replayText:
      "Each event since then is sent once more, in order, with the record as it was. What was delivered already comes twice.",
    since: "Since",
    start: "Start",
    replayed: "One event is being sent again|{count} events are being sent again",
    pause: "Pause",
    resume: "Resume",
    paused: "Paused",
    running: "On",
    pausedText: "Nothing is sent. What happens meanwhile can be replayed after you resume.",
    settings: "Settings",
    cancel: "Cancel",
  },
  id: {
    title: "Pengiriman webhook",
    webhook: "Webhook",
    emptyTitle: "Beri tahu sistem lain apa yang terjadi",
    emptyText:
      "Webhook mengirim setiap tugas, catatan, perjalanan, atau rencana baru ke alamat Anda. Webhook adalah sebuah otomatisasi.",
    make: "Otomatisasi baru",
    test: "Kirim uji coba",
    testGood: "Uji coba dijawab dengan 200",
    testBad: "Uji coba gagal",
    testStatus: "Dijawab dengan {status}.",
    noAnswer: "Tidak ada jawaban.",
    replay: "Putar ulang",
    replayTitle: "Kirim semuanya lagi sejak…",
    replayText:
      "Setiap kejadian sejak saat itu dikirim sekali lagi, berurutan, dengan catatan seperti saat itu. Yang sudah terkirim akan datang dua kali.",
    since: "Sejak",
    start: "Mulai",
    replayed: "{count} kejadian sedang dikirim lagi",
    pause: "Jeda",
    resume: "Lanjutkan",
    paused: "Dijeda",
    running: "Nyala",
    pausedText:
      "Tidak ada yang dikirim. Yang terjadi sementara ini dapat diputar ulang setelah Anda lanjutkan.",
    settings: "Pengaturan",
    cancel: "Batal",
  },
})
