import { visibleText } from '@muster/contract/text/visible-text'
import { escapeHtml } from '../../kernel/http/agent-page.ts'
import type { PersonalDataHead } from './person-json.ts'
import type { PersonalDataSection } from './personal-data.ts'

const css = `body{font:14px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1,h2,p{overflow-wrap:anywhere}h1{font-size:1.6rem}h2{font-size:1.2rem;margin:2rem 0 .25rem;border-bottom:1px solid #d0d7de;padding-bottom:.25rem}
p{margin:.25rem 0}.soft{color:#57606a}article{border:1px solid #d0d7de;border-radius:6px;padding:.5rem .75rem;margin:.5rem 0;break-inside:avoid}
dl{display:grid;grid-template-columns:minmax(6rem,12rem) minmax(0,1fr);gap:.1rem .75rem;margin:0}dt,dd{margin:0;min-width:0;overflow-wrap:anywhere}dt{color:#57606a}
dd dl{grid-column:1/-1}@media (max-width:40rem){dl{grid-template-columns:minmax(0,1fr)}dd{margin-bottom:.35rem}}@media print{body{margin:0;max-width:none}}`

/** Returns a file with all data about a person as a printable HTML page without external resources, in parts. */
export async function* personHtml(
  head: PersonalDataHead,
  sections: readonly PersonalDataSection[],
): AsyncGenerator<string> {
  const title = `Data about ${head.email}`
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${shown(title)}</title><style>${css}</style></head><body><main>
<h1>${shown(title)}</h1>
<p>Stored by Muster for ${shown(head.organization)}. Created on ${timeText(head.createdTimestamp)}. Times are in UTC.</p>
<p class="soft">Some records also name other people. Check them before you pass this file on.</p>
`
  for (const { title, about, records } of sections) {
    yield `<section><h2>${shown(title)}</h2><p class="soft">${shown(about)}</p>\n`
    let count = 0
    for await (const page of records) {
      if (page.length > 0) yield page.map((record) => `<article>${listOf(record)}</article>\n`).join('')
      count += page.length
    }
    yield count === 0 ? '<p>None.</p></section>\n' : `<p class="soft">Records: ${count}</p></section>\n`
  }
  yield '</main></body></html>\n'
}

/** Returns a text with control characters made visible, escaped for HTML. */
const shown = (text: string): string => escapeHtml(visibleText(text))

const listOf = (record: object): string =>
  `<dl>${Object.entries(record)
    .map(([name, value]) => `<dt>${shown(labelOf(name))}</dt><dd>${valueText(name, value)}</dd>`)
    .join('')}</dl>`

/** `lastUsedTimestamp` → `Last used`. */
function labelOf(name: string): string {
  const words = name
    .replace(/Timestamp$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words === '' ? 'Time' : words.charAt(0).toUpperCase() + words.slice(1)
}

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return /timestamp$/i.test(name) ? timeText(value) : String(value)
  if (Array.isArray(value))
    return value.length === 0
      ? '–'
      : value.map((one) => valueText(name, one)).join(typeof value[0] === 'object' ? '' : ', ')
  return typeof value === 'object' ? listOf(value) : shown(String(value))
}

/** Agents report milliseconds, records have seconds. */
const firstMilliseconds = 100_000_000_000

function timeText(time: number): string {
  const date = new Date(time < firstMilliseconds ? time * 1000 : time)
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().slice(0, 19).replace('T', ' ')
}
