import "./builder.css"
import {
  IconCamera,
  IconCheckbox,
  IconChevronDown,
  IconList,
  IconMicrophone,
  IconPlayerPlay,
  IconQrcode,
  IconReceipt,
  IconSignature,
} from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { componentKindOf } from "../fields/component-kind.ts"
import { inputTypeMessages, inputTypeName } from "../fields/input-type.ts"
import type { FlowComponent, FlowPageOf } from "../flows.queries.ts"
import { flowMessages } from "../messages.ts"

/** One page of a flow as the person in the field sees it. */
export function PhonePreview({
  flowName,
  page,
  number,
}: {
  flowName: string
  page: FlowPageOf
  number: number
}) {
  const t = useMessages(flowMessages)
  const components = (page.components as FlowComponent[]).filter((component) => component.visible !== false)
  return (
    <div className="phone">
      <div className="phone-screen">
        <div className="phone-title">{page.title ?? flowName}</div>
        <div className="phone-fields">
          {components.map((component) => (
            <div key={component.id} className="phone-field">
              <span className="phone-label">
                {component.title ?? component.id}
                {component.required ? " *" : ""}
              </span>
              <ComponentPreview component={component} />
            </div>
          ))}
        </div>
        <div className="phone-number">{t("page", { number })}</div>
      </div>
    </div>
  )
}

function ComponentPreview({ component }: { component: FlowComponent }) {
  const t = useMessages(flowMessages)
  const tType = useMessages(inputTypeMessages)
  const kind = componentKindOf(component)
  switch (kind) {
    case "photo":
      return (
        <Box icon={<IconCamera size={18} />}>
          {component.max === undefined
            ? t("takePhoto")
            : t("photoCount", { min: Number(component.min ?? 0), max: Number(component.max) })}
        </Box>
      )
    case "signature":
      return <Box icon={<IconSignature size={18} />}>{t("sign")}</Box>
    case "select":
      return (
        <Box icon={<IconChevronDown size={18} />}>
          {component.options?.slice(0, 3).join(", ") || t("choose")}
        </Box>
      )
    case "list":
      return <Box icon={<IconList size={18} />}>{t("addLine")}</Box>
    case "bill":
      return <Box icon={<IconReceipt size={18} />}>{t("addLine")}</Box>
    case "timer":
      return <Box icon={<IconPlayerPlay size={18} />}>{t("start")}</Box>
    case "voice":
      return <Box icon={<IconMicrophone size={18} />}>{t("record")}</Box>
    case "capture":
      return <Box icon={<IconQrcode size={18} />}>{t("scan")}</Box>
    case "view":
      return <span className="quiet">{String(component.default ?? "")}</span>
    default:
      return (
        <Box icon={kind === undefined ? <IconCheckbox size={18} /> : null}>
          {inputTypeName(component.type, tType)}
        </Box>
      )
  }
}

function Box({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="phone-box">
      {children}
      {icon}
    </span>
  )
}
