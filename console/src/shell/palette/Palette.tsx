import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../messages.ts"

const CommandPalette = lazy(() => import("./CommandPalette.tsx"))

/** The palette, loaded when it is opened. What is typed until then is neither lost nor taken for a shortcut. */
export function Palette({ onClose }: { onClose(): void }) {
  const t = useMessages(shellMessages)
  const [typed, setTyped] = useState("")
  return (
    <Suspense
      fallback={
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette was asked for, and takes the focus as soon as it is there
          autoFocus
          className="palette-early"
          aria-label={t("openPalette")}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      }
    >
      <CommandPalette typed={typed} onClose={onClose} />
    </Suspense>
  )
}
