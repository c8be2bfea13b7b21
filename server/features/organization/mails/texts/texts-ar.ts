import { pluralIn } from "#shared/languages.ts"
import type { MailTexts } from "./texts.ts"

const plural = pluralIn("ar")
const daysOf = (count: number) =>
  plural(count, { one: "يوم واحد", two: "يومين", few: "# أيام", many: "# يومًا", other: "# يوم" })
const minutesOf = (count: number) =>
  plural(count, { one: "دقيقة واحدة", two: "دقيقتين", few: "# دقائق", other: "# دقيقة" })
const hoursOf = (count: number) =>
  plural(count, { one: "ساعة واحدة", two: "ساعتين", few: "# ساعات", other: "# ساعة" })
const callsOf = (count: number) =>
  plural(count, {
    one: "استدعاء واحد",
    two: "استدعاءين",
    few: "# استدعاءات",
    many: "# استدعاءً",
    other: "# استدعاء",
  })

export const arabic: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "تأكيد عنوان بريدك الإلكتروني",
    lines: [`مرحبًا ${name}،`, "يرجى تأكيد عنوان بريدك الإلكتروني لإعداد مؤسستك في Fieldway."],
    action: { label: "التأكيد والإعداد", url: link },
    footnote: `الرابط صالح لمدة ${daysOf(days)}. إذا لم تقم بالتسجيل فتجاهل هذه الرسالة.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `دعوة للانضمام إلى ${organization}`,
    lines: [`دعاك ${inviter} للانضمام إلى ${organization} في Fieldway.`],
    action: { label: "فتح الدعوة", url: link },
    footnote: `الرابط صالح لمدة ${daysOf(days)}. إذا كنت لا تعرف المرسل فتجاهل هذه الرسالة.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "اختر كلمة مرور جديدة",
    lines: ["تلقينا طلبًا لإعادة تعيين كلمة المرور الخاصة بك."],
    action: { label: "اختيار كلمة مرور جديدة", url: link },
    footnote: `يمكن استخدام الرابط مرة واحدة خلال ${minutesOf(minutes)}. إذا لم تطلب ذلك فتجاهل هذه الرسالة: ستبقى كلمة المرور كما هي.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "رمز تسجيل الدخول",
    lines: ["أدخل هذا الرمز لإكمال تسجيل الدخول:"],
    code,
    footnote: `الرمز صالح لمدة ${minutesOf(minutes)}. لا تشاركه مع أحد. إذا لم تكن تسجل الدخول الآن فغيّر كلمة المرور: شخص آخر يعرفها.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "تم تغيير كلمة المرور",
    lines: [`مرحبًا ${name}،`, `عيّن أحد مسؤولي ${organization} كلمة مرور جديدة لحسابك، وأُنهيت جميع جلساتك.`],
    footnote: "إذا لم تكن تتوقع ذلك فأعد تعيين كلمة المرور من صفحة تسجيل الدخول وتواصل مع مؤسستك.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "تم تغيير عنوان بريدك الإلكتروني",
    lines: [`مرحبًا ${name}،`, `عنوان البريد الإلكتروني لحسابك في Fieldway هو الآن ${email}.`],
    footnote: "إذا لم تكن تتوقع ذلك فتواصل فورًا مع مسؤول مؤسستك.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "ستنتهي صلاحية كلمة المرور قريبًا",
    lines: [
      `مرحبًا ${name}،`,
      days === 1 ? "ستنتهي صلاحية كلمة المرور غدًا." : `ستنتهي صلاحية كلمة المرور خلال ${daysOf(days)}.`,
    ],
    action: { label: "تغيير كلمة المرور", url: link },
    footnote: "وصلتك هذه الرسالة لأن مؤسستك تشترط تغيير كلمة المرور بانتظام.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "ملف التصدير جاهز",
    lines: [`ملف التصدير ${name} جاهز.`],
    action: { label: "تنزيل الملف", url: link },
    footnote: `الرابط صالح لمدة ${daysOf(days)} لكل من يملكه. يحتفظ سجل التصدير بالملف لمدة 30 يومًا.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "تعذر التصدير",
    lines: [`تعذر إتمام التصدير ${name}. راجع السبب في سجل التصدير.`],
    footnote: "وصلتك هذه الرسالة لأنك بدأت التصدير أو لأنك من مستلمي جدوله.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `خطاف الويب ${name} يفشل`,
    lines: [
      `فشل ${failed} من أصل ${callsOf(attempted)} إلى ${endpoint} خلال ${minutesOf(minutes)}.`,
      "تأكد من أن نقطة النهاية متاحة وتعيد الحالة 200 خلال 30 ثانية. يعرض سجل الأتمتة كل استدعاء، ويمكنك إعادة محاولة الاستدعاءات الفاشلة من هناك.",
    ],
    footnote: "وصلتك هذه الرسالة لأنك من مالكي المؤسسة. تُرسل مرة واحدة في الساعة على الأكثر لكل خطاف ويب.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `تم إيقاف خطاف الويب ${name} مؤقتًا`,
    lines: [
      failed < 2
        ? `أعاد ${endpoint} الحالة 410 (Gone)، أي أنه لم يعد يقبل أي استدعاء.`
        : `فشل آخر ${callsOf(failed)} إلى ${endpoint} على مدى ${hoursOf(hours)}.`,
      "عمليات التسليم معلقة وتُحفظ لمدة 30 يومًا. عندما تعمل نقطة النهاية من جديد، افتح عمليات تسليم خطاف الويب واستأنفها، وعندها تُرسل كل العمليات المعلقة بالترتيب.",
    ],
    footnote: "وصلتك هذه الرسالة لأنك من مالكي المؤسسة.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `تم إيقاف الأتمتة ${name} مؤقتًا`,
    lines: [
      loss === "membership"
        ? "تعمل هذه الأتمتة بصلاحيات آخر شخص حفظها، ولم يعد هذا الشخص عضوًا نشطًا."
        : `تعمل هذه الأتمتة بصلاحيات آخر شخص حفظها، ولم تعد لديه كل الصلاحيات اللازمة: ${permissions}.`,
      "لاستئنافها، افتح الأتمتة واحفظها، وعندها تعمل بصلاحياتك.",
    ],
    footnote: "وصلتك هذه الرسالة لأنك مالك الأتمتة أو لأنك تدير المؤسسة.",
  }),
  alert: ({ rule, text, link }) => ({
    subject: `تنبيه: ${rule}`,
    lines: [text],
    action: { label: "فتح التنبيه", url: link },
    footnote: "تصلك هذه الرسالة لأن قاعدة تنبيه في مؤسستك تذكرك.",
  }),
  scheduledReport: ({ name, from, until, link }) => ({
    subject: `تقرير: ${name}`,
    lines: [`التقرير من ${from} إلى ${until} مرفق.`],
    action: { label: "افتح التقرير", url: link },
    footnote: "تصلك هذه الرسالة لأن جدول تقارير في مؤسستك يذكرك.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `تم حذف ${organization}`,
    lines: [
      `مرحبًا ${name}،`,
      `حذف مالك ${organization} المؤسسة وجميع بياناتها. لم يعد بإمكانك الوصول إليها.`,
    ],
    footnote: "وصلتك هذه الرسالة لأنك كنت عضوًا.",
  }),
}
