import type { MailTexts } from "./texts.ts"

export const indonesian: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Konfirmasi alamat email Anda",
    lines: [`Halo ${name},`, "konfirmasi alamat email Anda untuk menyiapkan organisasi Anda di Fieldway."],
    action: { label: "Konfirmasi dan siapkan", url: link },
    footnote: `Tautan ini berlaku selama ${days} hari. Jika Anda tidak mendaftar, abaikan email ini.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Undangan ke ${organization}`,
    lines: [`${inviter} mengundang Anda untuk bekerja dengan ${organization} di Fieldway.`],
    action: { label: "Buka undangan", url: link },
    footnote: `Tautan ini berlaku selama ${days} hari. Jika Anda tidak mengenal pengirimnya, abaikan email ini.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Pilih kata sandi baru",
    lines: ["Seseorang, kemungkinan Anda, meminta kata sandi baru."],
    action: { label: "Pilih kata sandi baru", url: link },
    footnote: `Tautan ini hanya dapat dipakai sekali, selama ${minutes} menit. Jika bukan Anda, abaikan email ini: tidak ada yang berubah.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Kode masuk Anda",
    lines: ["Ketik kode ini untuk menyelesaikan proses masuk:"],
    code,
    footnote: `Kode ini berlaku selama ${minutes} menit. Jangan berikan kepada siapa pun. Jika Anda tidak sedang masuk, ganti kata sandi Anda: ada orang lain yang mengetahuinya.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Kata sandi Anda telah diubah",
    lines: [
      `Halo ${name},`,
      `administrator ${organization} memberi akun Anda kata sandi baru. Semua sesi Anda telah berakhir.`,
    ],
    footnote:
      "Jika Anda tidak menduganya, minta kata sandi baru di halaman masuk dan beri tahu organisasi Anda.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Alamat email Anda telah diubah",
    lines: [`Halo ${name},`, `akun Fieldway Anda sekarang memakai alamat ${email}.`],
    footnote: "Jika Anda tidak menduganya, segera beri tahu administrator organisasi Anda.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Kata sandi Anda segera kedaluwarsa",
    lines: [
      `Halo ${name},`,
      days === 1 ? "kata sandi Anda kedaluwarsa besok." : `kata sandi Anda kedaluwarsa dalam ${days} hari.`,
    ],
    action: { label: "Ganti kata sandi", url: link },
    footnote: "Anda menerima email ini karena organisasi Anda meminta kata sandi baru secara berkala.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Ekspor Anda sudah siap",
    lines: [`Ekspor ${name} sudah siap.`],
    action: { label: "Unduh berkas", url: link },
    footnote: `Tautan berlaku ${days} hari untuk siapa pun yang memilikinya. Log ekspor menyimpan berkas selama 30 hari.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Ekspor Anda tidak dapat dibuat",
    lines: [`Ekspor ${name} tidak dapat dibuat. Log ekspor menyebutkan alasannya.`],
    footnote: "Anda menerima email ini karena Anda meminta ekspor itu, atau sebuah jadwal menyebut Anda.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `Webhook ${name} gagal`,
    lines: [
      `${failed} dari ${attempted} panggilan ke ${endpoint} gagal dalam ${minutes} menit.`,
      "Pastikan alamat itu aktif dan menjawab dengan status 200 dalam 30 detik. Log otomasi menampilkan setiap panggilan dan dapat mengirim ulang yang gagal.",
    ],
    footnote:
      "Anda menerima email ini, paling banyak sekali per jam untuk satu webhook, karena Anda pemilik organisasi.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `Webhook ${name} dijeda`,
    lines: [
      failed < 2
        ? `${endpoint} menjawab 410, artinya alamat itu tidak mau dipanggil lagi.`
        : `${failed} panggilan terakhir ke ${endpoint} gagal, selama ${hours} jam.`,
      "Sekarang tidak ada yang dikirim ke sana. Yang terjadi sementara ini menunggu, selama 30 hari. Setelah alamat itu berfungsi, buka pengiriman webhook dan lanjutkan: semuanya lalu dikirim berurutan.",
    ],
    footnote: "Anda menerima email ini karena Anda pemilik organisasi.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `Otomasi ${name} dijeda`,
    lines: [
      loss === "membership"
        ? "Otomasi bertindak dengan hak orang yang terakhir menyimpannya, dan orang itu bukan lagi anggota aktif."
        : `Otomasi bertindak dengan hak orang yang terakhir menyimpannya, dan orang itu tidak lagi memiliki semua izin yang diperlukan: ${permissions}.`,
      "Buka otomasi itu dan simpan: selanjutnya otomasi bertindak dengan hak Anda.",
    ],
    footnote: "Anda menerima email ini karena Anda pemilik otomasi ini atau mengelola organisasi.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} telah dihapus`,
    lines: [
      `Halo ${name},`,
      `pemilik ${organization} menghapusnya beserta semua datanya. Anda tidak dapat membukanya lagi.`,
    ],
    footnote: "Anda menerima email ini karena Anda adalah anggotanya.",
  }),
}
