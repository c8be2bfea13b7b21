export { filesOfTask, mayReadAttached } from "./attached-files.ts"
