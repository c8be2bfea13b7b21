import { defineMessages } from "../../i18n/messages.ts"

/** How things stand between the phone and the server. */
export const noticeMessages = defineMessages({
  en: {
    offline: "No network. Everything you enter is kept on this phone and sent later.",
    down: "The server does not respond. Everything you enter is kept on this phone and sent later.",
    asOf: "What you see is from {time}.",
    signedOutTitle: "Sign in again",
    signedOut:
      "Your session has ended. {count} task waits on this phone and is sent as soon as you sign in. You can go on working; nothing is lost.|Your session has ended. {count} tasks wait on this phone and are sent as soon as you sign in. You can go on working; nothing is lost.",
    signIn: "Sign in",
    waiting: "{count} task waits to be sent|{count} tasks wait to be sent",
    messagesWait: "{count} message waits to be sent|{count} messages wait to be sent",
    clockAhead:
      "The clock of this phone is {by} ahead. Times are corrected. Set the clock to automatic in the phone's settings.",
    clockBehind:
      "The clock of this phone is {by} behind. Times are corrected. Set the clock to automatic in the phone's settings.",
    minutes: "{count} minute|{count} minutes",
    hours: "{count} hour|{count} hours",
    notKeptTitle: "This phone has no room left",
    notKept:
      "What you entered last is not kept yet. Leave this page open, connect to a network so that waiting work is sent, or delete photos and apps on the phone. Then try again.",
    whatUses: "This phone",
    close: "Close",
    refused: "“{title}” was refused: {reason}",
    again: "Try again",
    change: "Change it",
    discard: "Discard",
    discardQuestion: "Discard your entries for “{title}”? They are not sent and will be lost.",
    positionsRefused:
      "The server refused {count} position: {reason}. It is kept on this phone.|The server refused {count} positions: {reason}. They are kept on this phone.",
    discardPositions:
      "Discard {count} position? It will be missing from your track.|Discard {count} positions? They will be missing from your track.",
    leftOut: "“{title}” was sent. Not everything was taken: {warnings}",
    addedTo:
      "{by} finished “{title}” first, at {time}. Your entries were added to the task; your planner sees both.",
    added: "“{title}” was no longer yours. Your entries were added to the task for your planner.",
    alsoDone: "{by} also finished “{title}”, at {time}. Their entries were added to yours; both are kept.",
  },
  id: {
    offline: "Tidak ada jaringan. Semua isian disimpan di ponsel ini dan dikirim nanti.",
    down: "Server tidak menjawab. Semua isian disimpan di ponsel ini dan dikirim nanti.",
    asOf: "Yang Anda lihat berasal dari {time}.",
    signedOutTitle: "Masuk lagi",
    signedOut:
      "Sesi Anda telah berakhir. {count} tugas menunggu di ponsel ini dan dikirim begitu Anda masuk. Anda dapat terus bekerja; tidak ada yang hilang.",
    signIn: "Masuk",
    waiting: "{count} tugas menunggu dikirim",
    messagesWait: "{count} pesan menunggu dikirim",
    clockAhead:
      "Jam ponsel ini {by} lebih cepat. Waktu diperbaiki. Setel jam ke otomatis di pengaturan ponsel.",
    clockBehind:
      "Jam ponsel ini {by} lebih lambat. Waktu diperbaiki. Setel jam ke otomatis di pengaturan ponsel.",
    minutes: "{count} menit",
    hours: "{count} jam",
    notKeptTitle: "Penyimpanan ponsel ini penuh",
    notKept:
      "Isian terakhir belum tersimpan. Biarkan halaman ini terbuka, sambungkan ke jaringan agar pekerjaan yang menunggu terkirim, atau hapus foto dan aplikasi di ponsel. Lalu coba lagi.",
    whatUses: "Ponsel ini",
    close: "Tutup",
    refused: "“{title}” ditolak: {reason}",
    again: "Coba lagi",
    change: "Ubah",
    discard: "Buang",
    discardQuestion: "Buang isian Anda untuk “{title}”? Isian tidak dikirim dan akan hilang.",
    positionsRefused: "Server menolak {count} posisi: {reason}. Posisi tetap disimpan di ponsel ini.",
    discardPositions: "Buang {count} posisi? Posisi itu akan hilang dari jejak Anda.",
    leftOut: "“{title}” terkirim. Tidak semuanya diterima: {warnings}",
    addedTo:
      "{by} lebih dulu menyelesaikan “{title}”, pukul {time}. Isian Anda ditambahkan ke tugas; perencana melihat keduanya.",
    added: "“{title}” bukan lagi tugas Anda. Isian Anda ditambahkan ke tugas untuk perencana.",
    alsoDone:
      "{by} juga menyelesaikan “{title}”, pukul {time}. Isiannya ditambahkan ke isian Anda; keduanya disimpan.",
  },
})
