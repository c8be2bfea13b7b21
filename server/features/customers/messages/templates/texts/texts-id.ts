import { foot, type TriggerTexts } from "./trigger-texts.ts"

export const indonesian: TriggerTexts = {
  planned: {
    subject: "Janji temu Anda pada {{date}}",
    body: `{{organization}}: janji temu Anda dijadwalkan {{window}}. Ikuti di sini:${foot}`,
  },
  dayBefore: {
    subject: "Janji temu Anda besok",
    body: `{{organization}}: kami datang besok, {{window}}. Rincian dan perubahan:${foot}`,
  },
  onTheWay: {
    subject: "Kami sedang dalam perjalanan",
    body: `{{organization}}: kami sedang dalam perjalanan, perkiraan tiba {{etaWindow|sesuai jadwal}}. Ikuti kami:${foot}`,
  },
  nextStop: {
    subject: "Anda perhentian berikutnya",
    body: `{{organization}}: Anda perhentian berikutnya. Perkiraan tiba: {{etaWindow|segera}}.${foot}`,
  },
  arrived: { subject: "Kami sudah tiba", body: "{{organization}}: kami sudah tiba." },
  late: {
    subject: "Kami terlambat",
    body: `{{organization}}: maaf, kami terlambat. Perkiraan baru: {{etaWindow}}.${foot}`,
  },
  done: { subject: "Selesai", body: `{{organization}}: selesai. Foto dan rincian:${foot}` },
  failed: {
    subject: "Janji temu tidak dapat diselesaikan",
    body: `{{organization}}: kami tidak dapat menyelesaikan janji temu Anda ({{reason|kami akan menghubungi Anda}}). Langkah berikutnya:${foot}`,
  },
  receipt: {
    subject: "Tanda terima Anda",
    body: "{{organization}}: berikut laporan layanan Anda.\n{{reportLink}}",
  },
  ratingRequest: {
    subject: "Bagaimana layanan kami?",
    body: `{{organization}}: seberapa puas Anda? Beri penilaian dalam sepuluh detik:${foot}`,
  },
  requestReceived: {
    subject: "Permintaan Anda sudah kami terima",
    body: `{{organization}}: permintaan {{reference}} sudah kami terima. Statusnya:${foot}`,
  },
  requestApproved: {
    subject: "Permintaan Anda disetujui",
    body: `{{organization}}: permintaan {{reference}} disetujui.${foot}`,
  },
  requestRejected: {
    subject: "Permintaan Anda tidak dapat kami terima",
    body: `{{organization}}: permintaan {{reference}} tidak dapat kami terima. {{reason}}${foot}`,
  },
  notification: { subject: "{{organization}}", body: "{{text}}" },
}
