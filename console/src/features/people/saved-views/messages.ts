import { defineMessages } from "../../../i18n/messages.ts"

export const savedViewMessages = defineMessages("people.savedView", {
  noViews: "No saved views yet",
  own: "Your views",
  shared: "Shared with you",
  viewName: "Name of the view",
  visibility: "Who sees it",
  private: "Only you",
  everyone: "Everyone",
  team: "Team {name}",
  saveView: "Save",
  saved: "View saved",
  replaced: "View updated",
  back: "Back to the views",
  options: "Options of {name}",
  pin: "Pin to the menu",
  unpin: "Remove from the menu",
  copyLink: "Copy link",
  replace: "Update to the current view",
  removeView: "Delete view",
  pinned: "Pinned views",
  failed: "The view could not be changed",
})
