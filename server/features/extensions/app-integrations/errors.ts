import { defineErrors } from "#core/errors.ts"

export const integrationErrors = defineErrors("appin", {
  required: { http: 400, code: "001", message: "azureAuthUrl and azureCert are required" },
  badUrl: { http: 400, code: "007", message: "The address must start with https://" },
  badCertificate: {
    http: 400,
    code: "015",
    message: "azureCert must be the directory's certificate in Base64 encoding, at most 100 KB",
  },
  badDomain: {
    http: 400,
    code: "003",
    message:
      "emailDomains may contain only domains in which an active member of the organization has a confirmed e-mail address",
  },
  badType: {
    http: 400,
    code: "017",
    message: "integrationType must be azure or oidc and cannot be changed later",
  },
  notFound: { http: 404, code: "033", message: "This integration does not exist" },
})
