import { NumberInput, Select, Text, Textarea, TextInput } from "@mantine/core"
import { chosenOptions, valueNumber } from "#shared/values.ts"
import { PlaceInput } from "../../../../map/place/PlaceInput.tsx"
import { useSession } from "../../../../session/session.ts"
import { DateTimeInput } from "../../../../ui/forms/DateTimeInput.tsx"
import { InstantInput } from "../../../../ui/forms/InstantInput.tsx"
import { ManySelect } from "../../../../ui/forms/ManySelect.tsx"
import { ComponentValue } from "../../tasks/panel/ComponentValue.tsx"
import type { FlowComponent } from "../flows.queries.ts"
import { CodeField } from "./CodeField.tsx"
import { componentKindOf } from "./component-kind.ts"
import { LineItems } from "./LineItems.tsx"
import { PhotoField } from "./PhotoField.tsx"
import { SignatureField } from "./SignatureField.tsx"
import { type AnswerTo, sourceOf } from "./shown-components.ts"
import { TimerField } from "./TimerField.tsx"
import { TouchSelect } from "./TouchSelect.tsx"
import { VoiceField } from "./VoiceField.tsx"

export interface ComponentFieldProps {
  component: FlowComponent
  /** What is entered for other components, where this one shows or takes over the value of another. */
  valueFor?: AnswerTo
  value: unknown
  error?: string | undefined
  onChange(value: unknown): void
  /** What a photo says about itself, written into its lower edge: time, place, task. */
  photoMark?: () => Promise<readonly string[]>
  /** Large touch targets, for a phone in one hand. */
  isLarge?: boolean
}

/** One component of a flow, to be filled in: the same in the planner's form and on the worker's phone. */
export function ComponentField(props: ComponentFieldProps) {
  const { component, value, valueFor, error, photoMark, onChange, isLarge = false } = props
  const kind = componentKindOf(component)
  const title = component.title ?? component.id
  const common = {
    label: title,
    required: component.required === true,
    size: isLarge ? "md" : "sm",
    ...(error === undefined ? {} : { error }),
  } as const
  const source = sourceOf(component)
  if (component.readOnly === true) return <ReadField component={component} value={value} />
  switch (kind) {
    case "view":
      return <ReadField component={component} value={source ? valueFor?.(source) : component.value} />
    case "select": {
      const options = component.options ?? []
      const isMany = Number(component.max ?? 1) > 1
      // The phone's own lists scroll under a finger, which those of a desktop do not.
      if (isLarge)
        return (
          <TouchSelect
            common={common}
            component={component}
            isMany={isMany}
            value={value}
            onChange={onChange}
          />
        )
      if (isMany)
        return (
          <ManySelect
            {...common}
            data={options}
            value={chosenOptions(component, value)}
            onChange={onChange}
          />
        )
      return (
        <Select
          {...common}
          data={options}
          clearable
          value={chosenOptions(component, value)[0] ?? null}
          onChange={(next) => onChange(next === null ? null : [next])}
        />
      )
    }
    case "photo":
      return (
        <PhotoField component={component} value={value} error={error} mark={photoMark} onChange={onChange} />
      )
    case "signature":
      return <SignatureField title={title} value={value} error={error} onChange={onChange} />
    case "timer":
      return <TimerField component={component} value={value} onChange={onChange} />
    case "list":
    case "bill":
      return (
        <LineItems
          component={component}
          kind={kind}
          value={value}
          source={source ? valueFor?.(source) : undefined}
          isLarge={isLarge}
          onChange={onChange}
        />
      )
    case "capture":
      return <CodeField {...common} value={value} onChange={onChange} />
    case "voice":
      return <VoiceField component={component} value={value} error={error} onChange={onChange} />
    default:
      return <InputField component={component} common={common} value={value} onChange={onChange} />
  }
}

interface Common {
  label: string
  required: boolean
  size: "sm" | "md"
  error?: string
}

interface InputFieldProps {
  component: FlowComponent
  common: Common
  value: unknown
  onChange(value: unknown): void
}

function InputField({ component, common, value, onChange }: InputFieldProps) {
  const { timeZone } = useSession().organization
  const type = (component.type ?? "String").toLowerCase()
  const text = value === undefined || value === null ? "" : String(value)
  const change = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  switch (type) {
    case "numeric":
    case "number":
    case "currency":
      return (
        <NumberInput
          {...common}
          value={text === "" ? "" : Number(text)}
          onChange={(next) => onChange(next === "" ? null : (valueNumber(next) ?? next))}
          hideControls
          inputMode="decimal"
        />
      )
    case "date":
      return <DateTimeInput {...common} type="date" value={text.slice(0, 10)} onChange={change} />
    case "time":
      return <DateTimeInput {...common} type="time" value={text.slice(0, 5)} onChange={change} />
    case "datetime":
      return <InstantInput {...common} timeZone={timeZone} value={text} onChange={onChange} />
    case "geolocation":
      return <PlaceInput {...common} value={text} onChange={onChange} />
    case "phonenumber":
      return <TextInput {...common} type="tel" value={text} onChange={change} />
    case "url":
      return <TextInput {...common} type="url" value={text} onChange={change} />
    case "address":
      return <Textarea {...common} autosize minRows={1} maxRows={4} value={text} onChange={change} />
    default:
      return <TextInput {...common} value={text} onChange={change} />
  }
}

/** What is only read here: a text or picture of the flow, or what was entered elsewhere. */
function ReadField({ component, value }: { component: FlowComponent; value: unknown }) {
  const shown = value ?? component.default
  const isPhoto = component.type?.toLowerCase() === "image"
  return (
    <div>
      <Text size="sm" fw={550}>
        {component.title ?? component.id}
      </Text>
      <div>
        {shown === undefined || shown === null || shown === "" ? (
          "–"
        ) : (
          <ComponentValue
            component={isPhoto ? { ...component, component: "photo" } : component}
            value={shown}
          />
        )}
      </div>
    </div>
  )
}
