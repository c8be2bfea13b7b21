import { defineErrors } from "#core/errors.ts"

export const integrationErrors = defineErrors("appin", {
  required: [400, "001", "azureAuthUrl and azureCert are required"],
  badUrl: [400, "007", "The address must start with https://"],
  badCertificate: [
    400,
    "015",
    "azureCert must be the directory's certificate in Base64 encoding, at most 100 KB",
  ],
  badDomain: [
    400,
    "003",
    "emailDomains may contain only domains in which an active member of the organization has a confirmed e-mail address",
  ],
  badType: [400, "017", "integrationType must be a known type and cannot be changed later"],
  badProvisioning: [
    400,
    "018",
    "Roles, hubs, teams and groups of new members must exist and be yours to give",
  ],
  roleTooStrong: [
    403,
    "036",
    "A connection cannot give roles that have permissions that your role lacks. Ask an administrator",
  ],
  notFound: [404, "033", "This integration does not exist"],
})
