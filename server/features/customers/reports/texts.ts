export interface ReportTexts {
  title: string
  reference: string
  worker: string
  window: string
  arrived: string
  finished: string
  outcome: string
  open: string
  reason: string
  outcomes: Readonly<Record<string, string>>
  items: string
  total: string
  photos: string
  signature: string
}

const languages: Readonly<Record<string, ReportTexts>> = {
  en: {
    title: "Service report",
    reference: "Reference",
    worker: "Carried out by",
    window: "Time window",
    arrived: "Arrived",
    finished: "Finished",
    outcome: "Result",
    open: "Not finished yet",
    reason: "Reason",
    outcomes: { done: "Done", partial: "Partly done", failed: "Failed", returned: "Returned" },
    items: "Items",
    total: "Total",
    photos: "Photos",
    signature: "Signature",
  },
  id: {
    title: "Laporan layanan",
    reference: "Referensi",
    worker: "Dikerjakan oleh",
    window: "Rentang waktu",
    arrived: "Tiba",
    finished: "Selesai",
    outcome: "Hasil",
    open: "Belum selesai",
    reason: "Alasan",
    outcomes: { done: "Selesai", partial: "Selesai sebagian", failed: "Gagal", returned: "Dikembalikan" },
    items: "Barang",
    total: "Total",
    photos: "Foto",
    signature: "Tanda tangan",
  },
  ar: {
    title: "تقرير الخدمة",
    reference: "المرجع",
    worker: "نُفذ بواسطة",
    window: "الفترة الزمنية",
    arrived: "وقت الوصول",
    finished: "وقت الانتهاء",
    outcome: "النتيجة",
    open: "لم ينته بعد",
    reason: "السبب",
    outcomes: { done: "تم", partial: "تم جزئيًا", failed: "تعذر التنفيذ", returned: "أُعيد" },
    items: "الأصناف",
    total: "المجموع",
    photos: "الصور",
    signature: "التوقيع",
  },
}

export function reportTexts(language: string): ReportTexts {
  return languages[language] ?? (languages.en as ReportTexts)
}
