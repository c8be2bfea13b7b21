import { defineMessages } from "../../../i18n/messages.ts"

export const guideMessages = defineMessages({
  en: {
    title: "How it works",
    intro:
      "Add this page to the home screen once. Everything works without a network; what you enter is sent later by itself.",
    pictureOf: "Picture: {title}",
    todayTitle: "Start your day",
    todayText:
      "Tap Start work. Your stops are in their order, the next one first. Navigate opens your maps app, Call and Message use the customer's number.",
    loadTitle: "Check the load",
    loadText:
      "Before you leave, tap Load check and scan what you load. The page says what is missing and what is not for today.",
    stopTitle: "At the stop",
    stopText:
      "Open the stop, tap Arrived, fill in the pages and finish. If it did not work out, choose Something else happened and the reason.",
    inboxTitle: "Changes",
    inboxText:
      "The bell shows new, changed and cancelled stops. Turn on notifications to see them while the page is closed.",
    threadTitle: "Ask your planner",
    threadText: "Write a message, add a photo or tap a quick reply. Without a network it waits on the phone.",
    troubleTitle: "If something is wrong",
    offline: "No network: go on working.",
    signIn: "Sign in again: your session has ended. Nothing is lost.",
    full: "No room left: connect to a network, so that photos are sent, or delete photos and apps.",
    refused: "Something was refused: read the reason, change it or try again.",
    late: "A stop is late: you can still finish it; give the reason.",
  },
  id: {
    title: "Cara kerja",
    intro:
      "Tambahkan halaman ini ke layar utama sekali saja. Semua berfungsi tanpa jaringan; isian Anda dikirim nanti dengan sendirinya.",
    pictureOf: "Gambar: {title}",
    todayTitle: "Mulai hari Anda",
    todayText:
      "Ketuk Mulai bekerja. Perhentian tampil berurutan, yang berikutnya paling atas. Navigasi membuka aplikasi peta, Telepon dan Pesan memakai nomor pelanggan.",
    loadTitle: "Periksa muatan",
    loadText:
      "Sebelum berangkat, ketuk Periksa muatan dan pindai yang Anda muat. Halaman memberi tahu yang kurang dan yang bukan untuk hari ini.",
    stopTitle: "Di perhentian",
    stopText:
      "Buka perhentian, ketuk Tiba, isi halamannya, lalu selesaikan. Bila tidak berhasil, pilih Ada hal lain dan alasannya.",
    inboxTitle: "Perubahan",
    inboxText:
      "Lonceng menampilkan perhentian baru, berubah, dan dibatalkan. Nyalakan notifikasi agar terlihat saat halaman ditutup.",
    threadTitle: "Tanya perencana",
    threadText:
      "Tulis pesan, tambahkan foto, atau ketuk balasan cepat. Tanpa jaringan, pesan menunggu di ponsel.",
    troubleTitle: "Bila ada masalah",
    offline: "Tanpa jaringan: teruslah bekerja.",
    signIn: "Masuk lagi: sesi Anda berakhir. Tidak ada yang hilang.",
    full: "Ruang habis: sambungkan ke jaringan agar foto terkirim, atau hapus foto dan aplikasi.",
    refused: "Ada yang ditolak: baca alasannya, ubah, atau coba lagi.",
    late: "Perhentian terlambat: Anda masih dapat menyelesaikannya; sebutkan alasannya.",
  },
})
