import { htmlPage, type Site, type SiteResponse } from '../../e2e/src/sites/site.ts'

/** Page whose load is timed. */
export interface CostPage {
  readonly name: string
  /** Path on `costHost`. */
  readonly path: string
  readonly response: SiteResponse
}

/** Host of all timed pages. It is outside the catalog, so the agent runs all its checks. */
export const costHost = 'pages.costworks.example'

const words =
  'report table order invoice customer region quarter stock price agenda draft reply folder archive delivery'
const text = (length: number): string =>
  `${words} `.repeat(Math.ceil(length / (words.length + 1))).slice(0, length)
const repeat = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('')
const times = 50
const paragraphs = (count: number) => repeat(count, (index) => `<p id="p${index}">${text(200)}</p>`)

/** Script of an ordinary page, which reads and changes a few elements. */
const busyScript = (index: number): string => `
(() => {
  const rows = document.querySelectorAll('.row')
  let sum = ${index}
  for (let round = 0; round < ${times}; round += 1) for (const row of rows) sum += row.textContent.length % 7
  document.documentElement.dataset.sum${index} = String(sum)
})()`

const heavyRows = repeat(
  600,
  (index) =>
    `<div class="row"><span>${index}</span><a href="/row/${index}">${text(20)}</a><button type="button">Edit</button><i></i></div>`,
)

/** Script that draws a view every 50 ms, 40 times, like an app that fetches its parts. */
const applicationScript = `
const main = document.querySelector('main')
let round = 0
const draw = () => {
  round += 1
  const view = document.createElement('section')
  for (let row = 0; row < 30; row += 1) {
    const line = document.createElement('div')
    line.className = 'row'
    line.innerHTML = '<span>' + round + '.' + row + '</span><a href="/x">${text(20)}</a>'
    view.append(line)
  }
  if (main.childElementCount > 9) main.firstChild.remove()
  main.append(view)
  for (const row of document.querySelectorAll('.row')) row.classList.toggle('odd')
  if (round < 40) setTimeout(draw, 50)
}
draw()`

const frame = (index: number): string => {
  if (index % 5 === 3) return `<iframe srcdoc="${paragraphs(2).replaceAll('"', '&quot;')}"></iframe>`
  return index % 5 === 4 ? '<iframe></iframe>' : `<iframe src="/light?frame=${index}"></iframe>`
}

const loginForm = `<form method="post" action="/login"><label>E-mail <input type="email" name="email" autocomplete="username"></label>
<label>Password <input type="password" name="password" autocomplete="current-password"></label><button>Log in</button></form>`

const page = (name: string, body: string): CostPage => ({
  name,
  path: `/${name}`,
  response: htmlPage(`A ${name} page`, body),
})

/** Timed pages: 5 KB of text, 3,000 elements with 30 scripts, an app that draws itself, ten frames, a login. */
export const costPages: readonly CostPage[] = [
  page('light', `<h1>Light</h1>${paragraphs(22)}`),
  page(
    'heavy',
    `<h1>Heavy</h1>${heavyRows}${repeat(30, (index) => `<script>${busyScript(index)}</script>`)}`,
  ),
  page('application', `<h1>Application</h1><main></main><script>${applicationScript}</script>`),
  page('frames', `<h1>Frames</h1>${repeat(10, frame)}`),
  page('login', `<h1>Log in</h1>${loginForm}${paragraphs(5)}`),
]

/** Serves the pages; other requests of the browser get 404. */
export const costSite: Site = {
  hosts: [costHost],
  respond: ({ url }) => costPages.find(({ path }) => path === url.pathname)?.response,
}
