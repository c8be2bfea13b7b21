import { AppError } from "#core/errors.ts"

/** Keyed by the language codes of people. */
const finishFirst: Readonly<Record<string, string>> = {
  en: "Finish the step before this one first",
  ar: "أكمل الخطوة السابقة أولًا",
  de: "Schließen Sie zuerst den vorherigen Schritt ab",
  es: "Termine primero el paso anterior",
  fr: "Terminez d’abord l’étape précédente",
  pt: "Conclua primeiro a etapa anterior",
  id: "Selesaikan dulu langkah sebelumnya",
  jp: "先に前のステップを完了してください",
  ko: "먼저 이전 단계를 완료하세요",
  th: "โปรดทำขั้นตอนก่อนหน้าให้เสร็จก่อน",
  tl: "Tapusin muna ang naunang hakbang",
  vi: "Hãy hoàn thành bước trước đó trước",
  zh: "请先完成上一步骤",
}

/** Says in the language of who tried which step of an activity comes first; English where we have no words. */
export function stepTooEarly(previous: { flow: string; title: string | null }, language: string): AppError {
  const name = previous.title ? `${previous.flow}, ${previous.title}` : previous.flow
  return new AppError(400, "activ-037", `${finishFirst[language] ?? finishFirst.en}: ${name}`)
}
