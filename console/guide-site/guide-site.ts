import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GuidePage, guideSite, imagePrefix, renderGuide } from '../guide-markdown.ts'
import { groupPages } from '../guide-order.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const ownFile = (path: string): Buffer => readFileSync(join(import.meta.dirname, path))

/** Section of the guide that a search can find. */
interface SearchEntry {
  /** Address below the guide: `siem#syslog`. */
  readonly to: string
  readonly page: string
  /** Heading; empty for the text above the first one. */
  readonly heading: string
  readonly text: string
}

/**
 * Renders the guide as pages that need no scripts, except for the search.
 *
 * @param folder folder `docs/guide`
 * @returns contents by the path below the address of the guide
 */
export function guideSiteFiles(folder: string): ReadonlyMap<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>()
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
  const pages = new Map(
    names.map((name) => [
      name,
      renderGuide(name, readFileSync(join(folder, `${name}.md`), 'utf8'), guideSite),
    ]),
  )
  const order = groupPages(names).flatMap((group) => group.pages)
  for (const [at, name] of order.entries()) {
    const page = pages.get(name)
    if (!page) continue
    const beside = { before: pages.get(order[at - 1] ?? ''), after: pages.get(order[at + 1] ?? '') }
    const html = pageHtml(page, pages, beside)
    files.set(`${name}.html`, html)
    if (at === 0) files.set('index.html', html)
  }
  files.set('search.json', JSON.stringify([...pages.values()].flatMap(searchEntries)))
  const styles = [join('..', 'src', 'styles', 'tokens.css'), 'site.css']
  files.set('site.css', Buffer.concat(styles.map(ownFile)))
  files.set('search.js', ownFile('search.js'))
  for (const part of ['images', 'recipes'])
    for (const file of readdirSync(join(folder, part)))
      files.set(`${part}/${file}`, readFileSync(join(folder, part, file)))
  return files
}

interface Beside {
  readonly before: GuidePage | undefined
  readonly after: GuidePage | undefined
}

function pageHtml(page: GuidePage, pages: ReadonlyMap<string, GuidePage>, { before, after }: Beside): string {
  const link = (target: GuidePage | undefined, label: string, rel: string) =>
    target
      ? `<a rel="${rel}" href="${guideSite}${target.name}"><span>${label}</span>${escaped(target.title)}</a>`
      : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Muster guide</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${guideSite}site.css">
<script src="${guideSite}search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${guideSite}">Muster guide</a>
<form role="search" hidden>
<label for="search">Search the guide</label>
<input id="search" type="search" autocomplete="off" placeholder="Search the guide" aria-describedby="found">
<p id="found" role="status"></p>
<ol id="results" hidden></ol>
</form>
<nav aria-label="Muster"><a href="/docs">API reference</a><a href="/console/">Console</a></nav>
</header>
<div class="columns">
<nav class="pages" aria-label="Guide">
<details open><summary>Pages</summary>
${navigation(page, pages)}
</details>
</nav>
<main id="content" tabindex="-1">
<h1>${escaped(page.title)}</h1>
${contents(page)}
${page.html.replaceAll(imagePrefix, `${guideSite}images/`)}
<nav class="beside" aria-label="Previous and next page">${link(before, 'Previous', 'prev')}${link(after, 'Next', 'next')}</nav>
</main>
</div>
</body>
</html>
`
}

/** Returns the list of sections of a page that has many. */
const contents = ({ sections }: GuidePage): string =>
  sections.length < 4
    ? ''
    : `<nav class="contents" aria-label="On this page"><ul>${sections
        .map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`)
        .join('')}</ul></nav>`

const navigation = (current: GuidePage, pages: ReadonlyMap<string, GuidePage>): string =>
  groupPages([...pages.keys()])
    .map(({ title, pages: names }) => {
      const items = names.map((name) => {
        const isCurrent = name === current.name ? ' aria-current="page"' : ''
        return `<li><a href="${guideSite}${name}"${isCurrent}>${escaped(pages.get(name)?.title ?? name)}</a></li>`
      })
      return `<p>${title}</p><ul>${items.join('')}</ul>`
    })
    .join('\n')

/** Returns the sections of a page as plain text. Samples of events are left out: they would be found by every word. */
export function searchEntries({ name, title, html }: GuidePage): SearchEntry[] {
  const parts = html
    .replaceAll(/<pre[\s\S]*?<\/pre>/g, (code) => (name === 'events' ? '' : code))
    .split(/<h[23] id="([^"]+)">([\s\S]*?)<\/h[23]>/)
  const entries: SearchEntry[] = []
  for (let at = 0; at < parts.length; at += 3) {
    const id = at === 0 ? '' : `#${parts[at - 2]}`
    const heading = at === 0 ? '' : plain(parts[at - 1] ?? '')
    entries.push({ to: `${name}${id}`, page: title, heading, text: plain(parts[at] ?? '') })
  }
  return entries
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
