import {
  type ComponentType,
  cloneElement,
  type HTMLAttributes,
  lazy,
  type ReactElement,
  Suspense,
  useState,
} from "react"

type Button = ReactElement<HTMLAttributes<HTMLButtonElement>>

/**
 * A button whose menu, list or popover is loaded when somebody reaches for it: pointer and focus prepare it, the
 * first click shows it. What is loaded gets the same button as its target and starts opened.
 */
export function late<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props & { button: Button }> }>,
  popup: "menu" | "listbox" | "dialog" = "menu",
): ComponentType<Props & { button: Button }> {
  const Loaded = lazy(load)
  const prepare = () => void load()
  return function Late(props) {
    const [isWanted, setWanted] = useState(false)
    const waiting = cloneElement(props.button, {
      "aria-haspopup": popup,
      "aria-expanded": false,
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick: () => setWanted(true),
    })
    if (!isWanted) return waiting
    return (
      <Suspense fallback={waiting}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
