import type { MailTexts } from "./texts.ts"

export const indonesian: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Konfirmasikan alamat email Anda",
    lines: [`Halo ${name},`, "Konfirmasikan alamat email Anda untuk menyiapkan organisasi Anda di Fieldway."],
    action: { label: "Konfirmasikan dan siapkan", url: link },
    footnote: `Tautan ini berlaku selama ${days} hari. Jika Anda tidak mendaftar, abaikan email ini.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Undangan ke ${organization}`,
    lines: [`${inviter} mengundang Anda untuk bergabung dengan ${organization} di Fieldway.`],
    action: { label: "Buka undangan", url: link },
    footnote: `Tautan ini berlaku selama ${days} hari. Jika Anda tidak mengenal pengirimnya, abaikan email ini.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Pilih kata sandi baru",
    lines: ["Kami menerima permintaan untuk mengatur ulang kata sandi Anda."],
    action: { label: "Pilih kata sandi baru", url: link },
    footnote: `Tautan ini hanya dapat dipakai sekali, dalam ${minutes} menit. Jika Anda tidak memintanya, abaikan email ini: kata sandi Anda tidak berubah.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Kode masuk Anda",
    lines: ["Masukkan kode ini untuk menyelesaikan proses masuk:"],
    code,
    footnote: `Kode ini berlaku selama ${minutes} menit. Jangan bagikan kepada siapa pun. Jika Anda tidak sedang masuk, ganti kata sandi Anda: ada orang lain yang mengetahuinya.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Kata sandi Anda telah diubah",
    lines: [
      `Halo ${name},`,
      `Administrator ${organization} menetapkan kata sandi baru untuk akun Anda. Semua sesi Anda telah berakhir.`,
    ],
    footnote:
      "Jika Anda tidak mengetahui perubahan ini, atur ulang kata sandi Anda di halaman masuk dan hubungi organisasi Anda.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Alamat email Anda telah diubah",
    lines: [`Halo ${name},`, `Alamat email akun Fieldway Anda sekarang ${email}.`],
    footnote: "Jika Anda tidak mengetahui perubahan ini, segera hubungi administrator organisasi Anda.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Kata sandi Anda segera kedaluwarsa",
    lines: [
      `Halo ${name},`,
      days === 1 ? "Kata sandi Anda kedaluwarsa besok." : `Kata sandi Anda kedaluwarsa dalam ${days} hari.`,
    ],
    action: { label: "Ganti kata sandi", url: link },
    footnote:
      "Anda menerima email ini karena organisasi Anda mewajibkan penggantian kata sandi secara berkala.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Ekspor Anda sudah siap",
    lines: [`Ekspor Anda ${name} sudah siap.`],
    action: { label: "Unduh berkas", url: link },
    footnote: `Tautan ini berlaku selama ${days} hari bagi siapa pun yang memilikinya. Log ekspor menyimpan berkas selama 30 hari.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Ekspor Anda gagal",
    lines: [`Ekspor ${name} gagal. Lihat alasannya di log ekspor.`],
    footnote: "Anda menerima email ini karena Anda memulai ekspor itu atau menjadi penerima jadwalnya.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `Webhook ${name} gagal`,
    lines: [
      `${failed} dari ${attempted} panggilan ke ${endpoint} gagal dalam ${minutes} menit.`,
      "Pastikan endpoint itu tersedia dan mengembalikan status 200 dalam 30 detik. Log otomatisasi menampilkan setiap panggilan. Anda dapat mengirim ulang panggilan yang gagal di sana.",
    ],
    footnote:
      "Anda menerima email ini karena Anda pemilik organisasi. Email ini dikirim paling banyak sekali per jam untuk setiap webhook.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `Webhook ${name} dijeda`,
    lines: [
      failed < 2
        ? `${endpoint} mengembalikan status 410 (Gone), artinya endpoint itu tidak lagi menerima panggilan.`
        : `${failed} panggilan terakhir ke ${endpoint} gagal dalam ${hours} jam.`,
      "Pengiriman ditahan dan disimpan selama 30 hari. Setelah endpoint berfungsi kembali, buka pengiriman webhook dan lanjutkan. Semua pengiriman yang menunggu lalu dikirim secara berurutan.",
    ],
    footnote: "Anda menerima email ini karena Anda pemilik organisasi.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `Otomatisasi ${name} dijeda`,
    lines: [
      loss === "membership"
        ? "Otomatisasi ini berjalan dengan izin orang yang terakhir menyimpannya, dan orang itu bukan lagi anggota aktif."
        : `Otomatisasi ini berjalan dengan izin orang yang terakhir menyimpannya, dan orang itu tidak lagi memiliki semua izin yang diperlukan: ${permissions}.`,
      "Untuk melanjutkannya, buka otomatisasi itu lalu simpan. Selanjutnya otomatisasi berjalan dengan izin Anda.",
    ],
    footnote: "Anda menerima email ini karena Anda pemilik otomatisasi ini atau mengelola organisasi.",
  }),
  alert: ({ rule, text, link }) => ({
    subject: `Peringatan: ${rule}`,
    lines: [text],
    action: { label: "Buka peringatan", url: link },
    footnote: "Anda menerima email ini karena aturan peringatan organisasi Anda menyebut Anda.",
  }),
  scheduledReport: ({ name, from, until, link }) => ({
    subject: `Laporan: ${name}`,
    lines: [`Laporan untuk ${from} sampai ${until} terlampir.`],
    action: { label: "Buka laporan", url: link },
    footnote: "Anda menerima email ini karena jadwal laporan organisasi Anda mencantumkan Anda.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} telah dihapus`,
    lines: [
      `Halo ${name},`,
      `Pemilik ${organization} menghapus organisasi itu beserta semua datanya. Anda tidak dapat mengaksesnya lagi.`,
    ],
    footnote: "Anda menerima email ini karena Anda pernah menjadi anggotanya.",
  }),
}
