import "./Brand.css"
import { useQuery } from "@tanstack/react-query"
import { dataQuery } from "../api/server.ts"

/** The logo: a route from one point to the next. */
export function BrandMark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#176452" />
      <path
        d="M8 24c5 0 3-8 8-8s3-8 8-8"
        fill="none"
        stroke="#dcf1ea"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="8" cy="24" r="3" fill="#dcf1ea" />
      <circle cx="24" cy="8" r="3" fill="#f2b84b" />
    </svg>
  )
}

const brandQuery = dataQuery(
  ["tracking-page-settings", "brand"],
  "/api/v3/organization-brand",
  {},
  {
    staleTime: Number.POSITIVE_INFINITY,
  },
)

/** The organization's own logo where it has one, otherwise ours. */
export function OrganizationMark() {
  const { data } = useQuery(brandQuery)
  return data?.logo ? <img className="organization-logo" src={data.logo} alt="" /> : <BrandMark />
}

/** A line in the organization's own colour at the upper edge, where one is set. */
export function OrganizationColor() {
  const { data } = useQuery(brandQuery)
  return data?.color ? <div className="organization-color" style={{ background: data.color }} /> : null
}

export function Brand() {
  return (
    <span className="brand">
      <BrandMark />
      <span className="brand-name">Fieldway</span>
    </span>
  )
}
