// Search of the guide: finds sections that contain all words. The only script of the site; without it, pages and links still work.
const form = document.querySelector('form[role="search"]')
const input = document.querySelector('#search')
const status = document.querySelector('#found')
const list = document.querySelector('#results')
const shown = 12
let loading

/** Loads the sections once, when the reader begins to search. */
function load() {
  loading ??= fetch('/docs/guide/search.json').then((answer) => {
    if (!answer.ok) throw new Error(`the search was answered with status ${answer.status}`)
    return answer.json()
  })
  return loading
}

/** Returns a section's rank: words in its heading count most; 0 if a word is missing. */
function rank({ page, heading, text }, words) {
  const places = [
    [heading.toLowerCase(), 8],
    [page.toLowerCase(), 4],
    [text.toLowerCase(), 1],
  ]
  let sum = 0
  for (const word of words) {
    const found = places.filter(([place]) => place.includes(word))
    if (found.length === 0) return 0
    sum += found.reduce((total, [, points]) => total + points, 0)
  }
  return sum
}

function excerpt(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)))
  const start = at <= 40 ? 0 : text.indexOf(' ', at - 40) + 1
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 140)}${text.length > start + 140 ? ' …' : ''}`
}

function item({ to, page, heading, text }, words) {
  const link = document.createElement('a')
  link.href = `/docs/guide/${to}`
  link.textContent = heading === '' ? page : `${page}: ${heading}`
  const passage = document.createElement('p')
  passage.textContent = excerpt(text, words)
  const entry = document.createElement('li')
  entry.append(link, passage)
  return entry
}

function message(text) {
  const entry = document.createElement('li')
  entry.textContent = text
  return entry
}

function show(text, entries) {
  list.replaceChildren(...entries)
  list.hidden = entries.length === 0
  status.textContent = text
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return show('', [])
  const asked = input.value
  const sections = await load().catch(() => {
    loading = undefined
  })
  if (asked !== input.value) return
  if (!sections) {
    const problem = 'The search could not be loaded. Check the connection, then type again.'
    return show(problem, [message(problem)])
  }
  const found = sections
    .map((section) => ({ section, points: rank(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
  if (found.length === 0) return show('No results', [message('No results')])
  show(
    `${found.length} ${found.length === 1 ? 'result' : 'results'}`,
    found.slice(0, shown).map(({ section }) => item(section, words)),
  )
}

form.hidden = false
input.addEventListener('input', search)
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  await search()
  list.querySelector('a')?.click()
})
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  input.value = ''
  void search()
  input.focus()
})
// A result can be on this page, which stays loaded.
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target) || list.contains(target)) list.hidden = true
})
// On narrow screens the list of pages would push the text off the screen.
if (matchMedia('(max-width: 860px)').matches) document.querySelector('.pages details').open = false
