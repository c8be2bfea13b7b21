import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

/** Self-signed, of nobody; only its form matters here. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBjTCCATOgAwIBAgIUc/txO0XKA72eSDGuCOnFAKUHBJEwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRZGlyZWN0b3J5LmV4YW1wbGUwHhcNMjYxMTIxMDE1MjE4WhcN
MzYxMTE4MDE1MjE4WjAcMRowGAYDVQQDDBFkaXJlY3RvcnkuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABFBJpLKUCJwFWW1hKPm1z1aaqGmtxKhk5hdB
DQzO5NOlT69IowOeLwQaJMkdkC02vEjagt/jKinj54ELk6WgxHmjUzBRMB0GA1Ud
DgQWBBTJZ5iXs77dkK+o7/oiAfMDuuPq0TAfBgNVHSMEGDAWgBTJZ5iXs77dkK+o
7/oiAfMDuuPq0TAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIHjk
Ga2ta+l6gZvsRQMEJQRf1nuBRsXuYIIHrakSCRmwAiEA/OuNDncmvyy4aA0NU0aQ
5VXrm5ylgU3SD/EqASabN0Q=
-----END CERTIFICATE-----
`

test("a directory is connected, changed in both ways, and disconnected", async (t) => {
  const { sql, as } = await testApp(t)
  const owner = as((await anOrganization(sql)).owner)
  const azureCert = { filename: "directory.cer", content: certificate }
  const made = await owner
    .expect(201)
    .upload("/app-integration", { azureAuthUrl: "https://login.example/a", azureCert })
  const { _id, azureCert: address, integrationType } = made.json().data
  assert.equal(integrationType, "azure")
  assert.match(address, /directory\.cer$/)
  const byForm = await owner.upload(`/app-integration/${_id}/`, {
    _method: "PUT",
    azureAuthUrl: "https://login.example/b",
    azureCert: address,
  })
  assert.deepEqual([byForm.statusCode, byForm.json().data.azureCert], [200, address], byForm.body)
  const byPut = await owner.put(`/app-integration/${_id}`, { azureAuthUrl: "https://login.example/c" })
  assert.equal(byPut.json().data.azureAuthUrl, "https://login.example/c")
  assert.equal((await owner.get("/app-integrations?integrationType=azure")).json().data.total, 1)
  const gone = (await owner.delete(`/app-integration/${_id}/`)).json()
  assert.deepEqual([gone.message, gone.data._id], ["Integration deleted", _id])
})

test("what is no address or no certificate is refused", async (t) => {
  const { sql, as } = await testApp(t)
  const owner = as((await anOrganization(sql)).owner)
  const good = { filename: "directory.cer", content: certificate }
  for (const [code, parts] of [
    ["appin-001", { azureAuthUrl: "https://login.example/" }],
    ["appin-007", { azureAuthUrl: "javascript:x()", azureCert: good }],
    [
      "appin-015",
      { azureAuthUrl: "https://login.example/", azureCert: { ...good, content: "no certificate" } },
    ],
    ["appin-017", { integrationType: "other", azureAuthUrl: "https://login.example/", azureCert: good }],
  ] as const)
    assert.equal((await owner.upload("/app-integration", parts)).json().failedCode, code)
})
