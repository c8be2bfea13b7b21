import { chooseLanguage, type Language } from "#shared/languages.ts"

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
  place: string
  map: string
}

const byLanguage: Readonly<Record<Language, ReportTexts>> = {
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
    place: "Place",
    map: "Map",
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
    place: "Lokasi",
    map: "Peta",
  },
  es: {
    title: "Informe de servicio",
    reference: "Referencia",
    worker: "Realizado por",
    window: "Franja horaria",
    arrived: "Llegada",
    finished: "Finalización",
    outcome: "Resultado",
    open: "Aún sin finalizar",
    reason: "Motivo",
    outcomes: { done: "Completado", partial: "Completado en parte", failed: "Fallido", returned: "Devuelto" },
    items: "Artículos",
    total: "Total",
    photos: "Fotos",
    signature: "Firma",
    place: "Lugar",
    map: "Mapa",
  },
  pt: {
    title: "Relatório de serviço",
    reference: "Referência",
    worker: "Realizado por",
    window: "Janela de horário",
    arrived: "Chegada",
    finished: "Conclusão",
    outcome: "Resultado",
    open: "Ainda não concluído",
    reason: "Motivo",
    outcomes: { done: "Concluído", partial: "Concluído em parte", failed: "Falhou", returned: "Devolvido" },
    items: "Itens",
    total: "Total",
    photos: "Fotos",
    signature: "Assinatura",
    place: "Local",
    map: "Mapa",
  },
  fr: {
    title: "Rapport d’intervention",
    reference: "Référence",
    worker: "Réalisé par",
    window: "Créneau horaire",
    arrived: "Arrivée",
    finished: "Fin",
    outcome: "Résultat",
    open: "Pas encore terminé",
    reason: "Motif",
    outcomes: { done: "Terminé", partial: "Partiellement terminé", failed: "Échec", returned: "Retourné" },
    items: "Articles",
    total: "Total",
    photos: "Photos",
    signature: "Signature",
    place: "Lieu",
    map: "Carte",
  },
  de: {
    title: "Servicebericht",
    reference: "Referenz",
    worker: "Ausgeführt von",
    window: "Zeitfenster",
    arrived: "Ankunft",
    finished: "Abgeschlossen",
    outcome: "Ergebnis",
    open: "Noch nicht abgeschlossen",
    reason: "Grund",
    outcomes: {
      done: "Erledigt",
      partial: "Teilweise erledigt",
      failed: "Nicht erledigt",
      returned: "Zurückgebracht",
    },
    items: "Artikel",
    total: "Summe",
    photos: "Fotos",
    signature: "Unterschrift",
    place: "Ort",
    map: "Karte",
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
    place: "الموقع",
    map: "الخريطة",
  },
}

export function reportTexts(language: string): ReportTexts {
  return byLanguage[chooseLanguage(language)]
}
