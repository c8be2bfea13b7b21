import type { PageLanguage } from "../tracking-pages/index.ts"

/** Every text of the request form. */
export interface RequestTexts {
  required: string
  optional: string
  requiredField: string
  invalidField: string
  address: string
  addressHint: string
  findAddress: string
  chooseAddress: string
  noAddress: string
  tooFar: string
  needsAddress: string
  times: string
  showTimes: string
  timesHint: string
  noTimes: string
  needsTime: string
  slotTaken: string
  photos: string
  photosHint: (count: number) => string
  badPhoto: string
  choose: string
  send: string
  tooQuick: string
  expired: string
  spam: string
  check: string
  refused: string
  full: string
  closed: string
  closedText: string
  empty: string
  pending: string
  approved: string
  rejected: string
  pendingText: string
  reference: string
  window: string
  message: string
  follow: string
}

const english: RequestTexts = {
  required: "required",
  optional: "optional",
  requiredField: "Please fill this in.",
  invalidField: "Please check this.",
  address: "Address",
  addressHint: "Street, number, town",
  findAddress: "Find address",
  chooseAddress: "Choose the address",
  noAddress: "We have not found this address. Please write it with street, number and town.",
  tooFar: "We do not come to this address.",
  needsAddress: "Please find and choose the address.",
  times: "When should we come?",
  showTimes: "Show available times",
  timesHint: "We hold these times for ten minutes.",
  noTimes: "There is no time available in the next days. Please contact us.",
  needsTime: "Please choose a time.",
  slotTaken: "This time is no longer available. Please choose another one.",
  photos: "Photos",
  photosHint: (count) => `JPEG or PNG, at most ${count}, 8 MB each`,
  badPhoto: "A photo is too large, or not a JPEG or PNG.",
  choose: "Please choose",
  send: "Send request",
  tooQuick: "That was quick. Please check what you wrote and send it again.",
  expired: "This page was open for too long. Please send it again.",
  spam: "Please leave the field at the end empty and send it again.",
  check: "Please check the marked fields.",
  refused: "This request could not be accepted. Please check the fields or contact us.",
  full: "We cannot take more requests today. Please try again tomorrow.",
  closed: "This form is not available",
  closedText: "It was switched off or has moved. Please contact the company that sent you the link.",
  empty: "Leave this field empty",
  pending: "We have received your request",
  approved: "Your request is accepted",
  rejected: "We cannot accept your request",
  pendingText:
    "We look at it and answer. Keep the address of this page: it shows what becomes of your request.",
  reference: "Reference",
  window: "Time window",
  message: "Message",
  follow: "Follow your appointment",
}

const indonesian: RequestTexts = {
  required: "wajib",
  optional: "opsional",
  requiredField: "Mohon diisi.",
  invalidField: "Mohon diperiksa.",
  address: "Alamat",
  addressHint: "Jalan, nomor, kota",
  findAddress: "Cari alamat",
  chooseAddress: "Pilih alamat",
  noAddress: "Alamat ini tidak ditemukan. Tulis dengan jalan, nomor, dan kota.",
  tooFar: "Kami tidak melayani alamat ini.",
  needsAddress: "Cari dan pilih alamatnya.",
  times: "Kapan kami datang?",
  showTimes: "Tampilkan waktu yang tersedia",
  timesHint: "Waktu ini kami tahan selama sepuluh menit.",
  noTimes: "Tidak ada waktu tersedia dalam beberapa hari ke depan. Silakan hubungi kami.",
  needsTime: "Pilih waktunya.",
  slotTaken: "Waktu ini tidak tersedia lagi. Pilih waktu lain.",
  photos: "Foto",
  photosHint: (count) => `JPEG atau PNG, paling banyak ${count}, masing-masing 8 MB`,
  badPhoto: "Ada foto yang terlalu besar, atau bukan JPEG atau PNG.",
  choose: "Silakan pilih",
  send: "Kirim permintaan",
  tooQuick: "Cepat sekali. Periksa isian Anda lalu kirim lagi.",
  expired: "Halaman ini terbuka terlalu lama. Silakan kirim lagi.",
  spam: "Kosongkan kolom terakhir lalu kirim lagi.",
  check: "Periksa kolom yang ditandai.",
  refused: "Permintaan ini tidak dapat diterima. Periksa isian atau hubungi kami.",
  full: "Hari ini kami tidak dapat menerima permintaan lagi. Coba lagi besok.",
  closed: "Formulir ini tidak tersedia",
  closedText: "Formulir dinonaktifkan atau dipindahkan. Hubungi perusahaan yang mengirim tautan ini.",
  empty: "Biarkan kolom ini kosong",
  pending: "Permintaan Anda sudah kami terima",
  approved: "Permintaan Anda disetujui",
  rejected: "Permintaan Anda tidak dapat kami terima",
  pendingText:
    "Kami akan memeriksa dan menjawabnya. Simpan alamat halaman ini: di sini terlihat kelanjutannya.",
  reference: "Nomor referensi",
  window: "Rentang waktu",
  message: "Pesan",
  follow: "Ikuti janji temu Anda",
}

const numbers = new Intl.NumberFormat("ar")

const arabic: RequestTexts = {
  required: "مطلوب",
  optional: "اختياري",
  requiredField: "يرجى ملء هذا الحقل.",
  invalidField: "يرجى مراجعة هذا الحقل.",
  address: "العنوان",
  addressHint: "الشارع والرقم والمدينة",
  findAddress: "البحث عن العنوان",
  chooseAddress: "اختر العنوان",
  noAddress: "لم نجد هذا العنوان. يرجى كتابة الشارع والرقم والمدينة.",
  tooFar: "لا نصل إلى هذا العنوان.",
  needsAddress: "يرجى البحث عن العنوان واختياره.",
  times: "متى نأتي إليك؟",
  showTimes: "عرض الأوقات المتاحة",
  timesHint: "نحجز لك هذه الأوقات لمدة عشر دقائق.",
  noTimes: "لا يوجد وقت متاح في الأيام القادمة. يرجى التواصل معنا.",
  needsTime: "يرجى اختيار وقت.",
  slotTaken: "لم يعد هذا الوقت متاحًا. يرجى اختيار وقت آخر.",
  photos: "الصور",
  photosHint: (count) =>
    `JPEG أو PNG، بحد أقصى ${numbers.format(count)}، كل منها ${numbers.format(8)} ميغابايت`,
  badPhoto: "إحدى الصور كبيرة جدًا أو ليست JPEG أو PNG.",
  choose: "يرجى الاختيار",
  send: "إرسال الطلب",
  tooQuick: "كان ذلك سريعًا. يرجى مراجعة ما كتبته وإرساله مجددًا.",
  expired: "ظلت الصفحة مفتوحة مدة طويلة. يرجى الإرسال مجددًا.",
  spam: "يرجى ترك الحقل الأخير فارغًا والإرسال مجددًا.",
  check: "يرجى مراجعة الحقول المحددة.",
  refused: "تعذر قبول هذا الطلب. يرجى مراجعة الحقول أو التواصل معنا.",
  full: "لا يمكننا استقبال طلبات أخرى اليوم. يرجى المحاولة غدًا.",
  closed: "هذا النموذج غير متاح",
  closedText: "تم إيقافه أو نقله. يرجى التواصل مع الشركة التي أرسلت الرابط.",
  empty: "اترك هذا الحقل فارغًا",
  pending: "لقد استلمنا طلبك",
  approved: "تم قبول طلبك",
  rejected: "لا يمكننا قبول طلبك",
  pendingText: "سننظر فيه ونرد عليك. احتفظ بعنوان هذه الصفحة: فهي تعرض ما يستجد في طلبك.",
  reference: "الرقم المرجعي",
  window: "الفترة الزمنية",
  message: "رسالة",
  follow: "تابع موعدك",
}

const byLanguage: Readonly<Record<PageLanguage, RequestTexts>> = { en: english, id: indonesian, ar: arabic }

export const requestTextsIn = (language: PageLanguage): RequestTexts => byLanguage[language]
