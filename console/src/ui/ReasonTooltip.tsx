import { Tooltip } from "@mantine/core"
import type { ReactElement } from "react"

/** The bubble of `Explained`, which places itself: it is loaded when a page has a reason to give. */
export default function ReasonTooltip({ reason, children }: { reason: string; children: ReactElement }) {
  return (
    <Tooltip label={reason} multiline maw={280}>
      {children}
    </Tooltip>
  )
}
