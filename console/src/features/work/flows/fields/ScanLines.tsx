import { Button } from "@mantine/core"
import { IconScan } from "@tabler/icons-react"
import { lazy, Suspense, useRef, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { itemOfCode } from "../../../../scan/match-items.ts"
import type { Verdict } from "../../../../scan/ScanDialog.tsx"
import { scanMessages } from "../../../../scan/scan-messages.ts"
import type { Line } from "./bill-total.ts"

const ScanDialog = lazy(() => import("../../../../scan/ScanDialog.tsx"))

/** Counts the lines of a list item by item: each code that is read adds one to its line. */
export function ScanLines({ lines, onChange }: { lines: readonly Line[]; onChange(lines: Line[]): void }) {
  const t = useMessages(scanMessages)
  const [isOpen, setOpen] = useState(false)
  // Codes may follow each other faster than the page is drawn.
  const counted = useRef<Line[]>([])
  const count = (code: string): Verdict => {
    const index = itemOfCode(counted.current, code, isComplete)
    const line = counted.current[index]
    if (!line) return { isRight: false, text: t("unknown", { code }) }
    if (isComplete(line)) return { isRight: false, text: t("complete", { title: line.title }) }
    const next = (line.qtyProcessed ?? 0) + 1
    counted.current = counted.current.with(index, { ...line, qtyProcessed: next })
    onChange(counted.current)
    return { isRight: true, text: t("known", { title: line.title, count: next, total: line.qty ?? 1 }) }
  }
  return (
    <>
      <Button
        size="md"
        variant="default"
        leftSection={<IconScan size={20} aria-hidden />}
        style={{ alignSelf: "flex-start" }}
        onClick={() => {
          counted.current = [...lines]
          setOpen(true)
        }}
      >
        {t("scanItems")}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ScanDialog title={t("scanItems")} onCode={count} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

function isComplete({ qty, qtyProcessed }: Line): boolean {
  return (qtyProcessed ?? 0) >= (qty ?? 1)
}
