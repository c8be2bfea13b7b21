import { defineMessages } from "../../../i18n/messages.ts"

export const webhookMessages = defineMessages({
  en: {
    title: "Webhook deliveries",
    webhook: "Webhook",
    emptyTitle: "Notify other systems of events",
    emptyText: "A webhook is an automation that sends each new task, record, trip or plan to your endpoint.",
    make: "New automation",
    test: "Send a test",
    testGood: "The endpoint responded with status 200",
    testBad: "The test failed",
    testStatus: "The endpoint responded with status {status}.",
    noAnswer: "The endpoint did not respond.",
    replay: "Replay",
    replayTitle: "Replay all deliveries since…",
    replayText:
      "Each event since then is sent again, in order, with the record at the time of the event. Events that were already delivered are sent twice.",
    since: "Since",
    replayed: "One event is being sent again|{count} events are being sent again",
    running: "On",
    failing: "Failing",
    pausedText: "Deliveries are paused. Events are queued for 30 days and sent in order when you resume.",
    deadText: "Paused on {since} after too many consecutive failures.",
    goneText: "Paused on {since}: the endpoint responded with status 410 (gone).",
    heldText: "Paused manually on {since}.",
    ownerText:
      "Paused on {since}: the person who last saved it has left or lacks a permission. Save it to run it with your permissions.",
    offText: "This webhook is disabled: events are neither sent nor queued. You can replay them later.",
    failingText: "{count} consecutive calls have failed since {since}.",
    waiting: "One delivery is queued.|{count} deliveries are queued.",
    resumed: "One delivery is being sent|{count} deliveries are being sent",
  },
  id: {
    title: "Pengiriman webhook",
    webhook: "Webhook",
    emptyTitle: "Beri tahu sistem lain tentang kejadian",
    emptyText:
      "Webhook adalah otomatisasi yang mengirim setiap tugas, catatan, perjalanan, atau rencana baru ke endpoint Anda.",
    make: "Otomatisasi baru",
    test: "Kirim uji coba",
    testGood: "Endpoint merespons dengan status 200",
    testBad: "Uji coba gagal",
    testStatus: "Endpoint merespons dengan status {status}.",
    noAnswer: "Endpoint tidak merespons.",
    replay: "Putar ulang",
    replayTitle: "Kirim ulang semua pengiriman sejak…",
    replayText:
      "Setiap kejadian sejak saat itu dikirim lagi secara berurutan, dengan catatan seperti pada saat kejadian. Kejadian yang sudah terkirim akan terkirim dua kali.",
    since: "Sejak",
    replayed: "{count} kejadian sedang dikirim lagi",
    running: "Nyala",
    failing: "Gagal",
    pausedText:
      "Pengiriman dijeda. Kejadian mengantre selama 30 hari dan dikirim berurutan saat Anda melanjutkan.",
    deadText: "Dijeda pada {since} setelah terlalu banyak kegagalan berturut-turut.",
    goneText: "Dijeda pada {since}: endpoint merespons dengan status 410 (sudah tidak ada).",
    heldText: "Dijeda secara manual pada {since}.",
    ownerText:
      "Dijeda pada {since}: orang yang terakhir menyimpannya telah keluar atau tidak memiliki izin. Simpan agar berjalan dengan izin Anda.",
    offText:
      "Webhook ini dinonaktifkan: kejadian tidak dikirim dan tidak diantrekan. Anda dapat mengirim ulang nanti.",
    failingText: "{count} panggilan berturut-turut gagal sejak {since}.",
    waiting: "{count} pengiriman menunggu.",
    resumed: "{count} pengiriman sedang dikirim",
  },
})
