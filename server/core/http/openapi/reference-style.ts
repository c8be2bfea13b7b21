/** The style of the reference page: a file of its own, as its policy takes no inline style. */
export const referenceStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); font: 15px/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; border-right: 1px solid var(--line); }
nav ul { list-style: none; margin: 0; padding: 1rem; }
main { padding: 1rem 2rem 4rem; max-width: 70rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.4rem 0; padding: 0.4rem 0.8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
code { font: 0.92em ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid var(--line); }
.method { display: inline-block; min-width: 4.2rem; padding: 0 0.4rem; border-radius: 4px; background: var(--soft); font-weight: 600; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } main { padding: 1rem; } }
`
