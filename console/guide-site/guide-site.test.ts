import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { guideGroups } from '../guide-order.ts'
import { guideSiteFiles } from './guide-site.ts'

const folder = join(import.meta.dirname, '../../docs/guide')
const files = guideSiteFiles(folder)
const pages = [...files].filter(([path]) => path.endsWith('.html')) as [string, string][]
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.md') ? file.slice(0, -3) : []))

const targetsOf = (html: string) =>
  [...html.matchAll(/\s(?:href|src|srcset)="([^"]+)"/g)].map(([, target = '']) => target)
const idsOf = (path: string) =>
  [...String(files.get(`${path || 'index'}.html`)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

test('every page of the guide is a page of the site, and every group has existing pages', () => {
  expect(pages.map(([path]) => path).sort()).toEqual([...names, 'index'].map((name) => `${name}.html`).sort())
  expect(guideGroups.flatMap((group) => group.pages).filter((name) => !names.includes(name))).toEqual([])
})

test('links lead to pages, sections and files that exist', () => {
  for (const [path, html] of pages) {
    for (const target of targetsOf(html)) {
      if (target.startsWith('#'))
        expect([path, idsOf(path.slice(0, -5))]).toEqual([path, expect.arrayContaining([target.slice(1)])])
      const [, page = '', hash = ''] = /^\/docs\/guide\/([^#]*)#?(.*)$/.exec(target) ?? []
      if (!target.startsWith('/docs/guide/')) continue
      const file = page === '' ? 'index.html' : files.has(page) ? page : `${page}.html`
      expect([path, target, files.has(file)]).toEqual([path, target, true])
      if (hash !== '') expect([target, idsOf(page)]).toEqual([target, expect.arrayContaining([hash])])
    }
  }
})

test('pages work without scripts and other servers: one heading, no inline script or style', () => {
  for (const [path, html] of pages) {
    expect([path, html.match(/<h1>/g)?.length]).toEqual([path, 1])
    expect([path, html.match(/<script[^>]*>/g)]).toEqual([
      path,
      ['<script src="/docs/guide/search.js" defer>'],
    ])
    expect(html).not.toMatch(/<style|\sstyle=|<iframe|\son\w+="|href="javascript:/i)
    const foreign = targetsOf(html).filter((target) => /^https?:/.test(target))
    expect(html.match(/<(?:img|script|link|source)[^>]*"https?:/g)).toBe(null)
    for (const target of foreign) expect(html).toContain(`href="${target}" target="_blank" rel="noreferrer"`)
  }
})

test('the search has all sections as plain text, without the samples of events', () => {
  const entries = JSON.parse(String(files.get('search.json'))) as {
    to: string
    heading: string
    text: string
  }[]
  expect(entries.find(({ to }) => to === 'siem#syslog')?.text).toContain('RFC 5424 with octet counting')
  expect(entries.every(({ text }) => !/<\/?(?:p|a|code|table)\b|&(?:lt|amp|quot);/.test(text))).toBe(true)
  expect(new Set(entries.map(({ to }) => to)).size).toBe(entries.length)
  expect(String(files.get('search.json')).length).toBeLessThan(250_000)
})
