import type { ComponentPropsWithRef } from "react"

interface FormProps extends Omit<ComponentPropsWithRef<"form">, "onSubmit"> {
  onSubmit(): void
}

/** A form that is sent by a script. React passes the event of a form in a dialog on to the form around it: it ends here. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}
