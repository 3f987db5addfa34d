import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Other extensions installed next to the agent. */
export const fixtureManifests = {
  notes: {
    manifest_version: 3,
    name: 'Pocket Notes',
    version: '2.4.1',
    description: 'Notes beside every page.',
    permissions: ['storage', 'tabs', 'contextMenus'],
    host_permissions: ['https://*.zapier.com/*', 'https://notes.example.org/*'],
    homepage_url: 'https://notes.example.org/about',
    background: { service_worker: 'worker.js' },
  },
  colors: {
    manifest_version: 3,
    name: 'Color Picker',
    version: '0.9',
    version_name: '0.9 beta',
    description: 'Picks colors.',
    permissions: ['activeTab', 'scripting'],
    background: { service_worker: 'worker.js' },
  },
  fox: {
    manifest_version: 3,
    name: 'Fox Notes',
    version: '1.3',
    description: 'Notes in Firefox.',
    permissions: ['storage', 'contextMenus'],
    host_permissions: ['https://notes.example.org/*'],
    browser_specific_settings: { gecko: { id: 'notes@fox.example' } },
  },
} as const

export type FixtureExtension = keyof typeof fixtureManifests

/** Writes an extension into its own folder and returns the path. */
export function writeFixtureExtension(folder: string, name: FixtureExtension): string {
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'manifest.json'), JSON.stringify(fixtureManifests[name]))
  writeFileSync(join(own, 'worker.js'), 'chrome.runtime.onInstalled.addListener(() => {})\n')
  return own
}

/** Writes a minimal password manager that fills a login form as soon as there is one. */
export function writePasswordManager(folder: string, email: string, password: string): string {
  const own = join(folder, 'keeper')
  mkdirSync(own, { recursive: true })
  const manifest = {
    manifest_version: 3,
    name: 'Keeper in small',
    version: '1.0.0',
    description: 'Fills in logins.',
    content_scripts: [{ matches: ['https://*/login*'], js: ['fill.js'], run_at: 'document_idle' }],
  }
  const fill = `const put = (field, value) => {
  if (!field) return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}
if (location.search.includes('keeper')) {
  put(document.querySelector('[autocomplete=username]'), ${JSON.stringify(email)})
  put(document.querySelector('[type=password]'), ${JSON.stringify(password)})
}
`
  writeFileSync(join(own, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(own, 'fill.js'), fill)
  return own
}

/** Writes an extension that answers HTTP authentication once per request, as users do in the browser's dialog. */
export function writeAuthAnswers(folder: string, passwords: Readonly<Record<string, string>>): string {
  const own = join(folder, 'answers')
  mkdirSync(own, { recursive: true })
  const manifest = {
    manifest_version: 3,
    name: 'Answers',
    version: '1.0.0',
    description: 'Answers questions for a password.',
    permissions: ['webRequest', 'webRequestAuthProvider'],
    host_permissions: ['https://*/*'],
    background: { service_worker: 'answers.js' },
  }
  const answers = `const passwords = ${JSON.stringify(passwords)}
const answered = new Set()
chrome.webRequest.onAuthRequired.addListener(({ requestId, url }) => {
  const password = passwords[new URL(url).pathname]
  if (!password || answered.has(requestId)) return { cancel: true }
  answered.add(requestId)
  return { authCredentials: { username: 'http@acme-works.example', password } }
}, { urls: ['https://*/*'] }, ['blocking'])
`
  writeFileSync(join(own, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(own, 'answers.js'), answers)
  return own
}
