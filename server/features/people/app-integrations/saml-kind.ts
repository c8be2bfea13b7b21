import { X509Certificate } from "node:crypto"
import type { FormFile } from "#core/http/read-form.ts"
import { expectFile } from "#core/objects/loose-files.ts"
import { datedKey } from "#core/objects/objects.ts"
import { integrationErrors } from "./errors.ts"
import { isAbsent, missing, readAddress } from "./form-fields.ts"
import type { ProviderKind, SentIntegration } from "./provider-kinds.ts"

/** A company directory that speaks SAML 2.0, such as Microsoft Entra ID. */
export const samlKind: ProviderKind = {
  label: () => "Microsoft",
  async read(sent) {
    const authUrl = readAddress(sent.fields, "azureAuthUrl")
    const certificateKey = await storeCertificate(sent)
    return { authUrl, certificateKey, issuerUrl: null, clientId: null, clientSecret: null, trustEmail: false }
  },
  toWire: (row, links) => ({
    azureAuthUrl: row.authUrl ?? "",
    azureCert: row.certificateKey === null ? "" : links.plain(row.certificateKey),
  }),
  addresses: (base) => ({ callbackUrl: base, entityId: `${base}/metadata` }),
}

async function storeCertificate({ app, caller, fields, files, before }: SentIntegration): Promise<string> {
  const file = files.azureCert
  if (file) {
    checkCertificate(file)
    const key = datedKey(caller.organizationId, app.clock.now(), file.filename)
    await expectFile(app.sql, key)
    await app.objects.put(key, file.content)
    return key
  }
  const kept = before?.certificateKey
  if (!kept) throw missing("azureCert")
  // The address of the stored certificate means: as it is.
  if (!isAbsent(fields.azureCert) && fields.azureCert !== app.links.plain(kept))
    throw integrationErrors.badCertificate()
  return kept
}

function checkCertificate({ content, isTruncated }: FormFile): void {
  try {
    if (isTruncated) throw new Error("is too long for a certificate")
    new X509Certificate(content)
  } catch (cause) {
    throw integrationErrors.badCertificate({ cause })
  }
}
