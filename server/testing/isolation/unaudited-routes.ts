const read = "reads; POST carries a long question"
const position = "positions are not audited"
const receipt = "says what somebody has read"
const nothing = "the sample changes nothing"

/** Routes that may be accepted without leaving an entry in the audit trail, with the reason. */
export const unauditedRoutes: Readonly<Record<string, string>> = {
  "POST /flows/check-version": read,
  "POST /location-history": position,
  "POST /location-history/bulk": position,
  "POST /location-history/recalculate-distance": position,
  "POST /places/batch": read,
  "POST /route-calculate": read,
  "POST /routing/visits": read,
  "POST /geocode": read,
  "POST /tasks/reports": "makes a file; the export log says who requested it",
  "POST /data/import/source": read,
  "POST /dispatch": nothing,
  "POST /dispatch/undo": nothing,
  "POST /dispatch/travel-times": read,
  "POST /dispatch/suggestions": read,
  "POST /current-activities": read,
  "POST /task-activities": read,
  "POST /user-activities": read,
  "POST /task-status": read,
  "POST /user-status": read,
  "POST /automation-retries": "sends again what was sent; the automation's log has it",
  "POST /automation/:automationId/test": "sends a sample; the automation's log has it",
  "POST /automation/:automationId/replay": "sends again what was sent; the automation's log has it",
  "PATCH /automation-retry/:logId": "sends again what was sent; the automation's log has it",
  "POST /analytics/files": "writes copies of what is there",
  "POST /report-schedule/:reportScheduleId/try": "mails the caller what they may read",
  "POST /customer-message-template/:messageTemplateId/preview": read,
  "PUT /user/preferences": "how somebody has arranged their own screen",
  "PUT /flow-reorder": nothing,
  "PUT /notices/read": receipt,
  "PUT /customer-feedback/:feedbackId/read": receipt,
  "PUT /result/:resultId/restore/:version": nothing,
  "PUT /result/:resultId/reset": nothing,
  "PATCH /template/:templateId": nothing,
  "DELETE /user/avatar": nothing,
  "DELETE /push-subscription": "addresses of browsers, which renew them",
}
