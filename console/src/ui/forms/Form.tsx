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
        wrapper.dataset.problem = field.validity.valueMissing ? t("required") : field.validationMessage
        if (field === event.currentTarget.querySelector(":invalid:not(fieldset)")) field.focus()
      }}
      onInputCapture={(event) => {
        const wrapper = fieldOf(event)?.closest<HTMLElement>(wrapperSelector)
        if (wrapper) delete wrapper.dataset.problem
      }}
    />
  )
}

const wrapperSelector = ".mantine-InputWrapper-root"

function fieldOf({ target }: FormEvent): HTMLInputElement | HTMLTextAreaElement | undefined {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : undefined
}
