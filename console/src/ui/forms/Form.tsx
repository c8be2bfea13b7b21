import "./Form.css"
import type { ComponentPropsWithRef, FormEvent } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { words } from "../../i18n/words.ts"

interface FormProps extends Omit<ComponentPropsWithRef<"form">, "onSubmit"> {
  onSubmit(): void
}

/**
 * A form that is sent by a script. React passes the event of a form in a dialog on to the form around it: it ends here. What the
 * browser finds wrong is said at all fields at once, in the person's language.
 */
export function Form({ onSubmit, onInvalidCapture, ...form }: FormProps) {
  const t = useMessages(words)
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onSubmit()
      }}
      onInvalidCapture={(event) => {
        onInvalidCapture?.(event)
        const field = fieldOf(event)
        const wrapper = field?.closest<HTMLElement>(wrapperSelector)
        if (!field || !wrapper) return
        event.preventDefault()
        field.closest("details")?.setAttribute("open", "")
        wrapper.dataset.problem = field.validity.valueMissing ? t("required") : field.validationMessage
        if (field === event.currentTarget.querySelector(":invalid:not(fieldset)")) field.focus()
      }}
      // The Enter key clicks the button too.
      onClickCapture={(event) => {
        if (event.target instanceof Element && event.target.closest("[type=submit]"))
          for (const input of event.currentTarget.querySelectorAll("input")) {
            const [least, most] = ["--bound-min", "--bound-max"].map((name) => boundOf(input, name))
            const value = input.value === "" ? Number.NaN : Number(input.value)
            if (least !== undefined && value < least) input.setCustomValidity(t("atLeast", { bound: least }))
            else if (most !== undefined && value > most) input.setCustomValidity(t("atMost", { bound: most }))
            else input.setCustomValidity("")
          }
      }}
      onInputCapture={(event) => {
        const wrapper = fieldOf(event)?.closest<HTMLElement>(wrapperSelector)
        if (wrapper) delete wrapper.dataset.problem
      }}
    />
  )
}

function boundOf(input: HTMLInputElement, name: string): number | undefined {
  const text = input.style.getPropertyValue(name)
  return text === "" ? undefined : Number(text)
}

const wrapperSelector = ".mantine-InputWrapper-root"

function fieldOf({ target }: FormEvent): HTMLInputElement | HTMLTextAreaElement | undefined {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : undefined
}
