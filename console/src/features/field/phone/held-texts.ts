import { useMessages } from "../../../i18n/language.tsx"
import type { OthersWork } from "../field-context.ts"
import { phoneMessages } from "./phone-messages.ts"

/** Says what a phone holds of a person, kind by kind; nothing for what it holds none of. */
export function useHeldTexts() {
  const t = useMessages(phoneMessages)
  return ({ finished, more, drafts, positions }: Omit<OthersWork, "person">): string[] =>
    (
      [
        ["tasksHeld", finished],
        ["moreHeld", more],
        ["draftsHeld", drafts],
        ["positionsHeld", positions],
      ] as const
    ).flatMap(([key, count]) => (count > 0 ? [t(key, { count })] : []))
}
