import type { Trigger } from "../triggers.ts"

interface MessageText {
  subject: string
  body: string
}

const foot = "\n{{link}}"

const texts: Readonly<Record<string, Readonly<Record<Trigger, MessageText>>>> = {
  en: {
    planned: {
      subject: "Your appointment on {{date}}",
      body: `{{organization}}: your appointment is planned for {{window}}. Follow it here:${foot}`,
    },
    dayBefore: {
      subject: "Your appointment tomorrow",
      body: `{{organization}}: we come to you tomorrow, {{window}}. Details and changes:${foot}`,
    },
    onTheWay: {
      subject: "We are on the way",
      body: `{{organization}}: we are on the way and expect to arrive at {{eta|the planned time}}. Follow us:${foot}`,
    },
    nextStop: {
      subject: "You are the next stop",
      body: `{{organization}}: you are the next stop. Expected arrival: {{eta|soon}}.${foot}`,
    },
    arrived: { subject: "We have arrived", body: "{{organization}}: we have arrived." },
    late: {
      subject: "We are running late",
      body: `{{organization}}: we are sorry, we are running late. New expected time: {{etaFrom}} – {{etaTo}}.${foot}`,
    },
    done: { subject: "Done", body: `{{organization}}: done. Photos and details:${foot}` },
    failed: {
      subject: "We could not complete your appointment",
      body: `{{organization}}: we could not complete your appointment ({{reason|we will contact you}}). Next steps:${foot}`,
    },
    receipt: {
      subject: "Your receipt",
      body: "{{organization}}: here is your service report.\n{{reportLink}}",
    },
    ratingRequest: {
      subject: "How was it?",
      body: `{{organization}}: how satisfied were you? Your rating takes ten seconds:${foot}`,
    },
    requestReceived: {
      subject: "We have received your request",
      body: `{{organization}}: we have received your request {{reference}}. Its state:${foot}`,
    },
    requestApproved: {
      subject: "Your request is accepted",
      body: `{{organization}}: your request {{reference}} is accepted.${foot}`,
    },
    requestRejected: {
      subject: "We cannot accept your request",
      body: `{{organization}}: we cannot accept your request {{reference}}. {{reason}}${foot}`,
    },
    notification: { subject: "{{organization}}", body: "{{text}}" },
  },
  id: {
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
      body: `{{organization}}: kami sedang dalam perjalanan, perkiraan tiba {{eta|sesuai jadwal}}. Ikuti kami:${foot}`,
    },
    nextStop: {
      subject: "Anda perhentian berikutnya",
      body: `{{organization}}: Anda perhentian berikutnya. Perkiraan tiba: {{eta|segera}}.${foot}`,
    },
    arrived: { subject: "Kami sudah tiba", body: "{{organization}}: kami sudah tiba." },
    late: {
      subject: "Kami terlambat",
      body: `{{organization}}: maaf, kami terlambat. Perkiraan baru: {{etaFrom}} – {{etaTo}}.${foot}`,
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
  },
  ar: {
    planned: {
      subject: "موعدك في {{date}}",
      body: `{{organization}}: تم تحديد موعدك {{window}}. تابعه هنا:${foot}`,
    },
    dayBefore: {
      subject: "موعدك غدًا",
      body: `{{organization}}: سنزورك غدًا، {{window}}. التفاصيل والتعديلات:${foot}`,
    },
    onTheWay: {
      subject: "نحن في الطريق إليك",
      body: `{{organization}}: نحن في الطريق، الوصول المتوقع {{eta|حسب الموعد}}. تابعنا:${foot}`,
    },
    nextStop: {
      subject: "أنت المحطة التالية",
      body: `{{organization}}: أنت المحطة التالية. الوصول المتوقع: {{eta|قريبًا}}.${foot}`,
    },
    arrived: { subject: "لقد وصلنا", body: "{{organization}}: لقد وصلنا." },
    late: {
      subject: "سنتأخر قليلًا",
      body: `{{organization}}: نعتذر، سنتأخر. الوقت المتوقع الجديد: {{etaFrom}} – {{etaTo}}.${foot}`,
    },
    done: { subject: "تم", body: `{{organization}}: تم إنجاز الموعد. الصور والتفاصيل:${foot}` },
    failed: {
      subject: "لم نتمكن من إتمام موعدك",
      body: `{{organization}}: لم نتمكن من إتمام موعدك ({{reason|سنتواصل معك}}). الخطوات التالية:${foot}`,
    },
    receipt: { subject: "إيصالك", body: "{{organization}}: إليك تقرير الخدمة.\n{{reportLink}}" },
    ratingRequest: {
      subject: "كيف كانت الخدمة؟",
      body: `{{organization}}: ما مدى رضاك؟ قيّمنا في عشر ثوانٍ:${foot}`,
    },
    requestReceived: {
      subject: "لقد استلمنا طلبك",
      body: `{{organization}}: لقد استلمنا طلبك {{reference}}. حالته:${foot}`,
    },
    requestApproved: {
      subject: "تم قبول طلبك",
      body: `{{organization}}: تم قبول طلبك {{reference}}.${foot}`,
    },
    requestRejected: {
      subject: "لا يمكننا قبول طلبك",
      body: `{{organization}}: لا يمكننا قبول طلبك {{reference}}. {{reason}}${foot}`,
    },
    notification: { subject: "{{organization}}", body: "{{text}}" },
  },
}

/** The built-in text of a trigger; English where a language has none. */
export function defaultText(trigger: Trigger, language: string): MessageText {
  return (texts[language] ?? texts.en)?.[trigger] ?? { subject: "", body: "" }
}
