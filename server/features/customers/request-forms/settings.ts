import { type Static, Type } from "typebox"
import { Value } from "typebox/value"
import { type Language, languages } from "#shared/languages.ts"
import { type FlowComponent, type FlowPage, inputTypeOf, isRequired } from "../../work/flows/index.ts"
import { requestFormErrors } from "./errors.ts"

const Text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))

const FormTextsSchema = Type.Object(
  {
    title: Text(100, "Heading; empty: the form's name"),
    introduction: Text(2000, "Above the fields"),
    thanks: Text(2000, "After sending"),
    labels: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 200 }), {
        description: "Labels of fields by component id, instead of the titles that the flow has",
      }),
    ),
  },
  { title: "RequestFormTexts" },
)

const textsByLanguage = {
  en: FormTextsSchema,
  id: FormTextsSchema,
  es: FormTextsSchema,
  pt: FormTextsSchema,
  fr: FormTextsSchema,
  de: FormTextsSchema,
  ar: FormTextsSchema,
} satisfies Record<Language, typeof FormTextsSchema>

/** What a form asks for and how it is protected. */
export const FormSettingsSchema = Type.Object(
  {
    fields: Type.Array(
      Type.Object({
        id: Type.String({ minLength: 1, maxLength: 100, description: "Id of a component of the flow" }),
        isRequired: Type.Boolean({ default: false }),
        isLong: Type.Boolean({ default: false, description: "A text of several lines" }),
      }),
      {
        minItems: 1,
        maxItems: 40,
        description:
          "What the form asks for, in this order: inputs, selects and photos of the flow. An address or position is searched in the installed maps.",
      },
    ),
    needsApproval: Type.Boolean({
      default: true,
      description: "Somebody approves each request before it becomes a task",
    }),
    offersSlots: Type.Boolean({
      default: false,
      description: "The customer chooses one of the appointment windows that fit the plan",
    }),
    visitMinutes: Type.Integer({ default: 30, minimum: 1, maximum: 600, description: "On site" }),
    windowMinutes: Type.Integer({ default: 120, minimum: 30, maximum: 480, description: "Of a window" }),
    days: Type.Integer({ default: 7, minimum: 1, maximum: 14, description: "From today on" }),
    maxKilometers: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 2000,
      description: "Only addresses within this distance of the hub; 0: any",
    }),
    dailyCap: Type.Integer({ default: 200, minimum: 1, maximum: 10_000, description: "Requests per day" }),
    language: Type.String({
      default: "",
      enum: ["", ...languages],
      description: "Where the customer's is not known; empty: the organization's",
    }),
    texts: Type.Partial(Type.Object(textsByLanguage), {
      default: {},
      description: "By language; missing ones are taken from the form's language",
    }),
    frameOrigins: Type.Array(
      Type.String({
        maxLength: 200,
        pattern: "^https://[a-z0-9]([a-z0-9.-]{0,180}[a-z0-9])?(:\\d{1,5})?$",
        examples: ["https://www.example.com"],
      }),
      {
        default: [],
        maxItems: 20,
        description: "Origins of the web sites that may show the form in a frame",
      },
    ),
  },
  { title: "RequestFormSettings" },
)
export type FormSettings = Static<typeof FormSettingsSchema>
/** The texts of a form in one language. */
export type FormTexts = Required<Static<typeof FormTextsSchema>>

/** Settings with the default of each one that is missing. */
export function withDefaults(sent: object): FormSettings {
  return Value.Default(FormSettingsSchema, structuredClone(sent)) as FormSettings
}

/** A component that a form asks for. */
export interface FormField {
  component: FlowComponent
  kind: FieldKind
  isRequired: boolean
  isLong: boolean
}

export type FieldKind =
  | "text"
  | "email"
  | "tel"
  | "url"
  | "number"
  | "date"
  | "datetime"
  | "time"
  | "address"
  | "position"
  | "select"
  | "photo"

const kindsOfInput: Readonly<Record<string, FieldKind>> = {
  Date: "date",
  Datetime: "datetime",
  Time: "time",
  Numeric: "number",
  Currency: "number",
  Address: "address",
  Geolocation: "position",
  PhoneNumber: "tel",
  URL: "url",
}

/** How a component is asked for; undefined for one that strangers cannot fill. */
export function kindOf(component: FlowComponent): FieldKind | undefined {
  if (component.component === "select") return "select"
  if (component.component === "photo") return "photo"
  if (component.component !== "input") return undefined
  const kind = kindsOfInput[inputTypeOf(component) ?? ""]
  return kind ?? (/e-?mail|surel/i.test(component.id) ? "email" : "text")
}

/** The fields of a form as its flow is now: components that were removed since are left out. */
export function fieldsOf({ fields }: FormSettings, pages: readonly FlowPage[]): FormField[] {
  const components = new Map(
    pages.flatMap((page) => page.components).map((component) => [component.id, component]),
  )
  return fields.flatMap(({ id, isRequired: isNeeded, isLong }) => {
    const component = components.get(id)
    const kind = component && kindOf(component)
    return component && kind
      ? [{ component, kind, isRequired: isNeeded || isRequired(component), isLong }]
      : []
  })
}

/** Refuses a form that its flow cannot make tasks of, or that nobody can send because addresses cannot be searched. */
export function checkSettings(
  settings: FormSettings,
  pages: readonly FlowPage[],
  { canSearch }: { canSearch: boolean },
): void {
  const ids = settings.fields.map(({ id }) => id)
  const known = new Set(fieldsOf(settings, pages).map(({ component }) => component.id))
  const refuse = (problem: string): never => {
    throw requestFormErrors.invalid({ message: problem, fields: { fields: [problem] } })
  }
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) refuse(`${unknown} is not an input, select or photo of the flow`)
  if (new Set(ids).size < ids.length) refuse("A field occurs twice")
  const missing = (pages[0]?.enabled === false ? [] : (pages[0]?.components ?? [])).find(
    (component) => isRequired(component) && component.default === undefined && !known.has(component.id),
  )
  if (missing) refuse(`The flow requires ${missing.title || missing.id}: add it to the form`)
  const fields = fieldsOf(settings, pages)
  const kinds = fields.map(({ kind }) => kind)
  const needsPosition =
    settings.offersSlots || fields.some(({ kind, isRequired: isNeeded }) => kind === "position" && isNeeded)
  if (needsPosition && !canSearch)
    refuse(
      "A required position and appointment windows need a map, in which addresses are searched: install one first",
    )
  if (settings.offersSlots && !kinds.includes("address") && !kinds.includes("position"))
    refuse("Appointment windows need an address or a position among the fields")
}
