import { foot, type TriggerTexts } from "./trigger-texts.ts"

export const arabic: TriggerTexts = {
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
    body: `{{organization}}: نحن في الطريق، الوصول المتوقع {{etaWindow|حسب الموعد}}. تابعنا:${foot}`,
  },
  nextStop: {
    subject: "أنت المحطة التالية",
    body: `{{organization}}: أنت المحطة التالية. الوصول المتوقع: {{etaWindow|قريبًا}}.${foot}`,
  },
  arrived: { subject: "لقد وصلنا", body: "{{organization}}: لقد وصلنا." },
  late: {
    subject: "سنتأخر قليلًا",
    body: `{{organization}}: نعتذر، سنتأخر. الوقت المتوقع الجديد: {{etaWindow}}.${foot}`,
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
}
