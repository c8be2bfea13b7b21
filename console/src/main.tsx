import "@mantine/core/styles.css"
import "@mantine/notifications/styles.css"
import "./app.css"
import "./ui/layout/page.css"
import "./ui/layout/toolbar-line.css"
import "./ui/layout/panel.css"
import "./map/map.css"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { startLanguage } from "./i18n/chosen-language.ts"

const root = document.getElementById("root")
if (!root) throw new Error("index.html has no #root")
const page = createRoot(root)
void startLanguage().finally(() =>
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
