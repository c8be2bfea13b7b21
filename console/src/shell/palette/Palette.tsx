import { lazy, Suspense, useEffect, useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../messages.ts"
import { isTyped } from "../shortcuts.ts"

const CommandPalette = lazy(() => import("./CommandPalette.tsx"))

/**
 * The palette, loaded when it is opened. What is typed until its field has the focus is neither lost nor taken for a shortcut:
 * an input holds the focus until it is loaded, and keys that reach no input are added.
 */
export function Palette({ onClose }: { onClose(): void }) {
  const t = useMessages(shellMessages)
  const [words, setWords] = useState("")
  const [before] = useState(() => document.activeElement)
  // What had the focus gets it back, so that Escape reaches an open popover after the palette.
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus()
    },
    [before],
  )
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
      // Space presses the button that has the focus.
      if (isTyped(event.target) || event.key === " ") return
      event.preventDefault()
      event.stopPropagation()
      setWords((before) => before + event.key)
    }
    document.addEventListener("keydown", press, true)
    return () => document.removeEventListener("keydown", press, true)
  }, [])
  return (
    <Suspense
      fallback={
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette was asked for, and takes the focus as soon as it is there
          autoFocus
          className="palette-early"
          aria-label={t("openPalette")}
          value={words}
          onKeyDown={(event) => {
            if (event.key === "Escape") onClose()
          }}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      }
    >
      <CommandPalette words={words} onWords={setWords} onClose={onClose} />
    </Suspense>
  )
}
