/** Props of a text input that shows a value and passes on what is typed: `<TextInput {...bindText(name, setName)} />`. */
export function bindText(value: string, onChange: (value: string) => void) {
  return {
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
}

/** The same for a checkbox or a switch. */
export function bindChecked(checked: boolean, onChange: (checked: boolean) => void) {
  return {
    checked,
    onChange: (event: { currentTarget: { checked: boolean } }) => onChange(event.currentTarget.checked),
  }
}
