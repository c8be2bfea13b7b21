import type { Job } from "#core/jobs/define-job.ts"
import { makeArchive, removeArchive, type WriteArchive } from "./archive.ts"
import { removeFiles } from "./delete-organization.ts"

export { countryLanguage, toWireCountry } from "./countries.ts"
export { deleteOrganization } from "./delete-organization.ts"
export { organizationErrors } from "./errors.ts"
export {
  areFilesPublic,
  findOrganization,
  hasOrganization,
  insertOrganization,
  isOperatorOrganization,
  makeOperator,
  nextOrganizationIds,
  organizationCountry,
  removePending,
  timeZoneOf,
  verifyOrganization,
} from "./queries.ts"
export { organizationRoutes } from "./routes.ts"
export { CountrySchema, OrganizationSchema } from "./schemas.ts"
export { languages, readCountry, readTimeZone } from "./settings.ts"
export { type OrganizationRow, toWireOrganization } from "./wire.ts"

export const organizationJobs = (write: WriteArchive): readonly Job[] => [
  removeFiles,
  makeArchive(write),
  removeArchive,
]
