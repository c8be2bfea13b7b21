import { escapeHtml } from "../tracking-pages/index.ts"
import type { FormState } from "./form-page.ts"
import { fieldPrefix, maxFiles } from "./read-post.ts"
import type { FieldKind, FormField, FormTexts } from "./settings.ts"
import type { RequestTexts } from "./texts/texts.ts"

const inputAttributes: Partial<Record<FieldKind, string>> = {
  text: 'type="text"',
  email: 'type="email" autocomplete="email" dir="ltr"',
  tel: 'type="tel" autocomplete="tel" dir="ltr"',
  url: 'type="url" dir="ltr"',
  number: 'type="text" inputmode="decimal" dir="ltr"',
  date: 'type="date"',
  time: 'type="time"',
  datetime: 'type="datetime-local"',
}

/** One field with its label, what was typed into it before, and what is wrong with that. */
export function fieldMarkup(
  field: FormField,
  texts: FormTexts,
  { posted, problems }: Pick<FormState, "posted" | "problems">,
  t: RequestTexts,
): string {
  const { component, kind, isRequired } = field
  const name = escapeHtml(fieldPrefix + component.id)
  const values = posted.values.get(fieldPrefix + component.id) ?? []
  const problem = problems.get(component.id)
  const label = `<bdi>${escapeHtml(texts.labels[component.id] || component.title || component.id)}</bdi> <span class="quiet">(${escapeHtml(isRequired ? t.required : t.optional)})</span>`
  const wrong = problem
    ? `<span class="problem" role="alert">${escapeHtml(problem === "required" ? t.requiredField : t.invalidField)}</span>`
    : ""
  const attributes = `name="${name}"${problem ? ' aria-invalid="true"' : ""}`
  const required = isRequired ? " required" : ""
  const value = escapeHtml(values[0] ?? "")
  if (kind === "select") return select(field, { label, wrong, attributes, required, values }, t)
  if (kind === "photo")
    return `<label>${label} <span class="quiet">${escapeHtml(t.photosHint(maxFiles))}</span><input type="file" ${attributes} accept="image/jpeg,image/png" multiple${required}>${wrong}</label>`
  if (kind === "text" && field.isLong)
    return `<label>${label}<textarea ${attributes} rows="4" maxlength="5000" dir="auto"${required}>${value}</textarea>${wrong}</label>`
  const type = inputAttributes[kind] ?? 'type="text"'
  const direction = kind === "text" ? ' dir="auto"' : ""
  const auto = /^(name|nama|customer|receiver)$/i.test(component.id) ? ' autocomplete="name"' : ""
  return `<label>${label}<input ${type} ${attributes} maxlength="1000"${direction}${auto} value="${value}"${required}>${wrong}</label>`
}

interface SelectParts {
  label: string
  wrong: string
  attributes: string
  required: string
  values: readonly string[]
}

function select(
  { component }: FormField,
  { label, wrong, attributes, required, values }: SelectParts,
  t: RequestTexts,
): string {
  const options = (component.options ?? []).map(String)
  if (Number(component.max ?? 1) > 1) {
    const choices = options.map(
      (option) =>
        `<label class="choice"><input type="checkbox" ${attributes} value="${escapeHtml(option)}"${values.includes(option) ? " checked" : ""}><bdi>${escapeHtml(option)}</bdi></label>`,
    )
    return `<fieldset><legend>${label}</legend>${choices.join("")}${wrong}</fieldset>`
  }
  const choices = options.map(
    (option) =>
      `<option value="${escapeHtml(option)}"${values[0] === option ? " selected" : ""}>${escapeHtml(option)}</option>`,
  )
  return `<label>${label}<select ${attributes}${required}><option value="">${escapeHtml(t.choose)}</option>${choices.join("")}</select>${wrong}</label>`
}
