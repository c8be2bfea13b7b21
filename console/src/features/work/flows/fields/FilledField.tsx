import "./fields.css"
import type { DataType } from "../../data-types/data-types.queries.ts"
import { type DataSource, sourceChosenBy, valuesOfRecord } from "../builder/data-sources.ts"
import { ComponentField, type ComponentFieldProps } from "./ComponentField.tsx"
import { RecordField } from "./RecordField.tsx"

export interface FilledFieldProps extends ComponentFieldProps {
  valueFor(componentId: string): unknown
  sources: readonly DataSource[]
  types: readonly DataType[]
  /** Of the task: its records are offered. */
  hubId: string | null
  /** Hears what the chosen record enters, by component. */
  onFill(values: Record<string, unknown>): void
}

/** One component, which offers records of data where the flow fills its task from them. */
export function FilledField({ sources, types, hubId, onFill, ...field }: FilledFieldProps) {
  const { component, valueFor, value, error, onChange } = field
  const source = sourceChosenBy(sources, component.id)
  const type = types.find(({ _id }) => _id === source?.typeId)
  if (!source || !type || component.readOnly === true) return <ComponentField {...field} />
  const isInput = component.component.toLowerCase() === "input"
  const record = (
    <RecordField
      label={component.title ?? component.id}
      required={isInput && component.required === true}
      error={isInput ? error : undefined}
      type={type}
      hubId={hubId}
      value={isInput ? String(value ?? "") : undefined}
      isLarge={field.isLarge ?? false}
      onChange={onChange}
      onRecord={(chosen) => onFill(valuesOfRecord(source, chosen, valueFor))}
    />
  )
  if (isInput) return record
  return (
    <div className="filled-field">
      {record}
      <ComponentField {...field} />
    </div>
  )
}
